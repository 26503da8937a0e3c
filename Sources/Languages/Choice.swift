/// The cheapest sequence of models for a text's units (smsenc(7), Compressed text).
///
/// What a unit costs in a model does not depend on how one came there: one best cost for each model is
/// kept, and at each unit compared with the cheapest model's and a change.
struct Choice {
    /// The models to choose from. Costs, and bits of what is noted for each unit, are in this order.
    let languages: [Language]
    /// For each model what the units so far cost, the last of them in it.
    private(set) var costs = InlineArray<32, UInt32>(repeating: 0)
    /// Units up to the last at which the cheapest cost was that of digits that fit.
    private(set) var fittingUnits = 0

    /// What fits surely, and what does not fit even by luck.
    static let fitting = UInt32(Compression.room) * priceOfDigit
    static let hopeless = 1010 * Price.bit
    static let priceOfDigit = Price.log2(UInt32(Interval.base))

    init(_ languages: [Language]) {
        self.languages = languages
        for slot in languages.indices { costs[slot] = Price.log2(UInt32(PlainCoding.models)) }
    }

    /// The least that the units so far cost.
    var leastCost: UInt32 { languages.indices.reduce(.max) { min($0, costs[$1]) } }

    /// Goes through the first units of a workspace, and notes there where which model is come from.
    ///
    /// - Returns: how many it went through before it was given up, the cost being beyond a limit.
    mutating func go(
        through length: Int, of workspace: inout Workspace, limit: UInt32
    ) -> Int {
        var history = History()
        var start = 0
        while start < length, leastCost <= limit {
            let block = start..<min(start + Workspace.block, length)
            for slot in languages.indices { workspace.price(block, slot, languages[slot], history) }
            for index in block { step(index, at: (index - start) * Workspace.models, &workspace) }
            workspace.follow(block, &history)
            start = block.upperBound
        }
        return start
    }

    /// Codes a unit in each model.
    private mutating func step(_ index: Int, at row: Int, _ workspace: inout Workspace) {
        var (source, change) = (0, UInt32.max)
        for slot in languages.indices {
            let cost = costs[slot] + workspace.escapePrices[row + slot]
            if cost < change { (source, change) = (slot, cost) }
        }
        change += PlainCoding.priceOfChange
        var changed: UInt32 = 0
        var least = UInt32.max
        for slot in languages.indices {
            var cost = costs[slot]
            if change < cost {
                cost = change
                changed |= 1 << UInt32(slot)
            }
            cost += workspace.prices[row + slot]
            costs[slot] = cost
            least = min(least, cost)
        }
        workspace.sources[index] = UInt32(source)
        workspace.changes[index] = changed
        if least <= Self.fitting { fittingUnits = index + 1 }
    }
}

extension Workspace {
    /// Models in a row of prices.
    static let models = Int(PlainCoding.models)

    /// Notes what the units of a block cost in a model.
    mutating func price(_ block: Range<Int>, _ slot: Int, _ language: Language, _ history: History)
    {
        let model = language.model
        var history = history
        var place = slot
        for index in block {
            let unit = Unit(rawValue: units[index])
            let chain = model.chain(after: history, afterMark: isAfterMark(index))
            prices[place] =
                model.price(of: unit, in: chain)
                ?? chain.escapePrice + PlainCoding.price(of: unit, home: language.home)
            escapePrices[place] = chain.escapePrice
            place += Self.models
            history.append(unit)
        }
    }

    /// Moves a history over the units of a block.
    func follow(_ block: Range<Int>, _ history: inout History) {
        for index in block { history.append(Unit(rawValue: units[index])) }
    }

    func isAfterMark(_ index: Int) -> Bool {
        index > 0 && Unit(rawValue: units[index - 1]).isMark
    }

    /// Goes back along the cheapest sequence that ends in a model.
    mutating func setPath(_ length: Int, endingIn slot: Int) {
        var slot = UInt32(slot)
        for index in (0..<length).reversed() {
            path[index] = slot
            if changes[index] >> slot & 1 != 0 { slot = sources[index] }
        }
    }

    /// Takes one model from end to end.
    mutating func setPath(_ length: Int, everywhere slot: Int) {
        for index in 0..<length { path[index] = UInt32(slot) }
    }
}
