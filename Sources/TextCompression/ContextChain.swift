/// The contexts that can predict the next token, in the order in which they are tried. The first is the
/// longest context that the model contains, and the last is the empty context.
///
/// If a context does not predict the token, the encoder writes an escape symbol and tries the next
/// context. A context does not have to predict the tokens that earlier contexts predict, so these tokens
/// are excluded from it. There are two chains for each context of a model. One is used after a character,
/// and the other after a mark. They differ because a mark cannot follow a mark.
struct ContextChain: Sendable {
    /// Indices into `LanguageModel.levels`.
    let levels: Range<Int>
    /// Cost of encoding an escape from each level.
    let escapeCost: UInt32

    /// A context in the chain. A context has no level if all its tokens are excluded.
    struct Level: BitwiseCopyable, Sendable {
        let context: Int
        /// Total weight of the entries that are not excluded.
        let weight: UInt32
        let escapeWeight: UInt32
        /// Cost of encoding an entry of weight 1. The cost includes the escapes from earlier levels.
        let cost: UInt32
    }
}
