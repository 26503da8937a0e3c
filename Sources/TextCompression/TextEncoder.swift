internal import System

/// Compresses a single text. The encoder uses only arrays of a fixed size, which are overwritten when the
/// compression ends.
struct TextEncoder: ~Copyable {
    /// Maximum number of tokens in a text. There can be a mark before each character, and END is the last
    /// token.
    static let maximumTokens = 2 * Compression.maximumCharacters + 1
    /// Number of tokens whose costs are computed together.
    static let blockLength = 64

    var characters = [UInt32](repeating: 0, count: Compression.maximumCharacters)
    /// The tokens of the text that is compressed.
    var tokens = [UInt32](repeating: 0, count: maximumTokens)
    /// For each token of a block and each slot, two costs. `tokenCosts` contains the costs of the tokens,
    /// and `escapeCosts` contains the costs of the escapes before a switch to another model.
    var tokenCosts = [UInt32](repeating: 0, count: blockLength * Int(LiteralCoding.modelCount))
    var escapeCosts = [UInt32](repeating: 0, count: blockLength * Int(LiteralCoding.modelCount))
    /// For each token, the slot of the model from which a switch before this token is cheapest.
    var switchSources = [UInt32](repeating: 0, count: maximumTokens)
    /// For each token, a bit mask with one bit for each slot. The bit is set if switching from another
    /// model to the slot's model before the token costs less than staying in the slot's model.
    var switchedSlots = [UInt32](repeating: 0, count: maximumTokens)
    /// For each token, the slot of the model that encodes the token.
    var path = [UInt32](repeating: 0, count: maximumTokens)
    /// Digits written so far. The array has additional room for the step in which the number of digits
    /// exceeds `Compression.digitCount`.
    var digits = [UInt32](
        repeating: 0,
        count: Compression.digitCount + RangeEncoder.maximumDigitsPerStep + RangeCoder.digitsInRange
    )
    var excluded = ExcludedTokens()

    private init() {}

    /// Calls `body` with a new encoder, and overwrites the encoder's arrays after `body` has returned.
    static func withEncoder<Failure: Error, Result>(
        _ body: (inout TextEncoder) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var encoder = TextEncoder()
        defer {
            wipe(&encoder.characters)
            wipe(&encoder.tokens)
            wipe(&encoder.tokenCosts)
            wipe(&encoder.escapeCosts)
            wipe(&encoder.switchSources)
            wipe(&encoder.switchedSlots)
            wipe(&encoder.path)
            wipe(&encoder.digits)
            encoder.excluded.overwrite()
        }
        return try body(&encoder)
    }
}
