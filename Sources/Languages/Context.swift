/// What may come after up to three units, and how often each of it does.
struct Context: Sendable {
    /// Entries of the model, in the table's order.
    let entries: Range<Int>
    /// The next shorter context that the model has, nil for the empty one.
    let parent: Int?
    let escapeWeight: UInt32
    /// What is left in this context and the shorter ones after it, where no unit is excluded at first.
    let chain: Chain
    /// The same where the marks are excluded, after a mark.
    let chainAfterMark: Chain

    @inline(__always)
    func chain(afterMark: Bool) -> Chain { afterMark ? chainAfterMark : chain }
}

/// A context and the shorter ones after it, each without the entries of those before it.
struct Chain: Sendable {
    /// Contexts in a chain at most: those of 3, 2, 1, 0 units.
    static let longest = 4

    /// Weights of the entries that are left; 0 where there are none, and the context is passed over.
    var weights = InlineArray<4, UInt32>(repeating: 0)
    /// What an entry of weight 1 takes, the escapes before it included.
    var prices = InlineArray<4, UInt32>(repeating: 0)
    /// What all escapes take.
    var priceOfEscapes: UInt32 = 0

    /// Notes the next context of the chain.
    mutating func set(_ place: Int, weight: UInt32, escapeWeight: UInt32) {
        weights[place] = weight
        guard weight > 0 else { return }
        let price = Price.log2(weight + escapeWeight)
        prices[place] = priceOfEscapes + price
        priceOfEscapes += price - Price.log2(escapeWeight)
    }
}

/// A unit that a context has.
struct Entry: BitwiseCopyable, Sendable {
    let unit: Unit
    /// The unit's number in the model: those of the empty context come first, in its order.
    let number: UInt16
    let weight: UInt16
    let priceOfWeight: UInt16
}
