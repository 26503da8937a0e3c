/// The contexts that predict the next token, in the order in which they are tried: from the longest context
/// that the model has to the empty one.
///
/// If a context cannot predict the token, an escape symbol is encoded and the next context is tried, without
/// the tokens that the earlier ones could have predicted. Each context of a model starts two chains: one for
/// use after a character, and one for use after a mark, because a second mark cannot follow.
struct ContextChain: Sendable {
    /// Indices into `LanguageModel.levels`.
    let levels: Range<Int>
    /// Cost of escaping from all levels.
    let escapeCost: UInt32

    /// One context of a chain. Contexts whose tokens are all excluded have no level.
    struct Level: BitwiseCopyable, Sendable {
        let context: Int
        /// Total weight of the entries that are not excluded.
        let weight: UInt32
        let escapeWeight: UInt32
        /// Cost of an entry of weight 1, including the escapes from the levels before.
        let cost: UInt32
    }
}
