/// The contexts that a text's last units lead through, from the longest that the model has to the empty
/// one, each without the entries of those before it. Of each context two chains begin: one as it is, and
/// one after a mark, when marks are excluded.
struct Chain: Sendable {
    /// Steps of the model.
    let steps: Range<Int>
    /// What all escapes take.
    let escapePrice: UInt32
}

/// A context of a chain, of which some entry is left.
struct Step: BitwiseCopyable, Sendable {
    let context: Int
    /// Of all entries that are left.
    let weight: UInt32
    let escapeWeight: UInt32
    /// What an entry of weight 1 takes, the escapes before it included.
    let price: UInt32
}

/// A unit that a context has.
struct Entry: BitwiseCopyable, Sendable {
    let unit: Unit
    /// The unit's number in the model: those of the empty context come first, in its order.
    let number: UInt16
    let weight: UInt16
    let priceOfWeight: UInt16
    /// The weights of all entries before it in the table.
    let start: UInt32
}
