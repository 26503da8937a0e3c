/// The contexts that a text's last tokens lead through, from the longest that the model has to the empty
/// one, each without the entries of those before it. Of each context two chains begin: one as it is, and
/// one after a mark, when marks are excluded.
struct ContextChain: Sendable {
    /// Steps of the model.
    let levels: Range<Int>
    /// What all escapes take.
    let escapeCost: UInt32

    /// A context of a chain, of which some entry is left.
    struct Level: BitwiseCopyable, Sendable {
        let context: Int
        /// Of all entries that are left.
        let weight: UInt32
        let escapeWeight: UInt32
        /// What an entry of weight 1 takes, the escapes before it included.
        let cost: UInt32
    }
}
