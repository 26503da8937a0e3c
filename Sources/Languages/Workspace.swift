internal import System

/// Memory for the coding of one text: of fixed size, for one owner, and overwritten afterwards.
struct Workspace: ~Copyable {
    /// Units that the longest text becomes: each character with a mark, and the end.
    static let mostUnits = 2 * Compression.mostCharacters + 1
    /// Units that are priced together.
    static let block = 64

    var characters = [UInt32](repeating: 0, count: Compression.mostCharacters)
    /// The units that the text is coded as.
    var units = [UInt32](repeating: 0, count: mostUnits)
    /// For each unit of a block what it takes in each model, and what leaving the model takes.
    var prices = [UInt32](repeating: 0, count: block * Int(PlainCoding.models))
    var escapePrices = [UInt32](repeating: 0, count: block * Int(PlainCoding.models))
    /// For each unit the model that is the cheapest to come from, and a bit for each model that comes
    /// from there.
    var sources = [UInt32](repeating: 0, count: mostUnits)
    var changes = [UInt32](repeating: 0, count: mostUnits)
    /// For each unit the number of the model that it is coded with.
    var path = [UInt32](repeating: 0, count: mostUnits)
    /// Digits written, with room for those that are too many.
    var digits = [UInt32](
        repeating: 0, count: Compression.room + IntervalWriter.mostAtOnce + Interval.width)
    var exclusions = Exclusions()

    private init() {}

    /// Lends a workspace.
    static func lend<Failure: Error, Result>(
        _ body: (inout Workspace) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var workspace = Workspace()
        defer {
            cleanse(&workspace.characters)
            cleanse(&workspace.units)
            cleanse(&workspace.prices)
            cleanse(&workspace.escapePrices)
            cleanse(&workspace.sources)
            cleanse(&workspace.changes)
            cleanse(&workspace.path)
            cleanse(&workspace.digits)
            workspace.exclusions.overwrite()
        }
        return try body(&workspace)
    }
}
