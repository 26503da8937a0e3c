/// What may come after up to three units, and how often each of it does.
struct Context: Sendable {
    /// Entries of the model, in the table's order.
    let entries: Range<Int>
    /// The next shorter context that the model has, nil for the empty one.
    let parent: Int?
    let escapeWeight: UInt32
}

/// For each context, itself and the shorter ones after it, each without the entries of those before it.
/// Of each context there are two chains: as it is, and after a mark, when the marks are excluded.
struct Chains: Sendable {
    /// Contexts in a chain at most: those of 3, 2, 1, 0 units.
    private static let longest = 4

    private var weights: [UInt32]
    private var prices: [UInt32]
    private var escapePrices: [UInt32]

    init(contexts: Int) {
        weights = Array(repeating: 0, count: 2 * contexts * Self.longest)
        prices = weights
        escapePrices = Array(repeating: 0, count: 2 * contexts)
    }

    /// The chain that begins with a context.
    @inline(__always)
    static func chain(of context: Int, afterMark: Bool) -> Int { 2 * context + (afterMark ? 1 : 0) }

    /// The weights of the entries that are left in a context of a chain; 0 where there are none, and the
    /// context is passed over.
    @inline(__always)
    func weight(_ place: Int, of chain: Int) -> UInt32 { weights[Self.longest * chain + place] }

    /// What an entry of weight 1 takes, the escapes before it included.
    @inline(__always)
    func price(_ place: Int, of chain: Int) -> UInt32 { prices[Self.longest * chain + place] }

    /// What all escapes take.
    @inline(__always)
    func escapePrice(of chain: Int) -> UInt32 { escapePrices[chain] }

    /// Notes the next context of a chain.
    ///
    /// - Parameter price: what an entry of weight 1 takes in that context.
    mutating func set(
        _ place: Int, of chain: Int, _ weight: UInt32, price: UInt32, escapePrice: UInt32
    ) {
        guard weight > 0 else { return }
        weights[Self.longest * chain + place] = weight
        prices[Self.longest * chain + place] = escapePrices[chain] + price
        escapePrices[chain] += escapePrice
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
