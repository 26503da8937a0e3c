/// The contexts that can predict the next token, in the order in which they are tried. The first context
/// is the longest that the model contains, and the last context is the empty context.
///
/// If a context does not predict the token, the encoder writes an escape symbol and tries the next
/// context. The tokens that a context predicts are excluded from all later contexts, which therefore do
/// not have to predict them. Each context of a model has two chains, because a mark cannot follow a mark.
/// The encoder uses one chain after a character, and the other chain after a mark.
struct ContextChain: Sendable {
    /// Indices into `LanguageModel.levels`.
    let levels: Range<Int>
    /// Total cost of encoding one escape from every context in the chain.
    let escapeCost: UInt32

    /// A context in a `ContextChain`. A chain omits every context whose tokens are all excluded.
    struct Level: BitwiseCopyable, Sendable {
        let context: Int
        /// Total weight of the entries that are not excluded.
        let weight: UInt32
        let escapeWeight: UInt32
        /// Cost of encoding an entry of weight 1, including the escapes from all earlier contexts in the
        /// chain.
        let cost: UInt32
    }
}
