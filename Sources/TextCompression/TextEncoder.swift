internal import System

/// Memory for the coding of one text: of fixed size, for one owner, and overwritten afterwards.
struct TextEncoder: ~Copyable {
    /// Tokens that the longest text becomes: each character with a mark, and the end.
    static let maximumTokens = 2 * Compression.maximumCharacters + 1
    /// Tokens that are priced together.
    static let blockLength = 64

    var characters = [UInt32](repeating: 0, count: Compression.maximumCharacters)
    /// The tokens that the text is coded as.
    var tokens = [UInt32](repeating: 0, count: maximumTokens)
    /// For each token of a block what it takes in each model, and what leaving the model takes.
    var tokenCosts = [UInt32](repeating: 0, count: blockLength * Int(LiteralCoding.modelCount))
    var escapeCosts = [UInt32](repeating: 0, count: blockLength * Int(LiteralCoding.modelCount))
    /// For each token the model that is the cheapest to come from, and a bit for each model that comes
    /// from there.
    var switchSources = [UInt32](repeating: 0, count: maximumTokens)
    var switchedSlots = [UInt32](repeating: 0, count: maximumTokens)
    /// For each token the number of the model that it is coded with.
    var path = [UInt32](repeating: 0, count: maximumTokens)
    /// Digits written, with room for those that are too many.
    var digits = [UInt32](
        repeating: 0,
        count: Compression.digitCount + RangeEncoder.maximumDigitsPerStep + RangeCoder.digitsInRange
    )
    var excluded = ExcludedTokens()

    private init() {}

    /// Lends a encoder.
    static func withEncoder<Failure: Error, Result>(
        _ body: (inout TextEncoder) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var encoder = TextEncoder()
        defer {
            cleanse(&encoder.characters)
            cleanse(&encoder.tokens)
            cleanse(&encoder.tokenCosts)
            cleanse(&encoder.escapeCosts)
            cleanse(&encoder.switchSources)
            cleanse(&encoder.switchedSlots)
            cleanse(&encoder.path)
            cleanse(&encoder.digits)
            encoder.excluded.overwrite()
        }
        return try body(&encoder)
    }
}
