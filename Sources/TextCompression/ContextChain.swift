/// The contexts that can predict the next token, in the order in which they are tried. The first is the
/// longest context that the model contains, and the last is the empty context.
///
/// If a context does not predict the token, the encoder writes an escape symbol and tries the next
/// context. A context does not have to predict the tokens that earlier contexts predict, so these tokens
/// are excluded from it. There are two chains for each context of a model, because a mark cannot follow a
/// mark. One chain is used after a character, and the other chain after a mark.
struct ContextChain: Sendable {
    /// Indices into `LanguageModel.levels`.
    let levels: Range<Int>
    /// Cost of encoding an escape from each level.
    let escapeCost: UInt32

    /// A context in the chain. The chain omits every context whose tokens are all excluded.
    struct Level: BitwiseCopyable, Sendable {
        let context: Int
        /// Total weight of the entries that are not excluded.
        let weight: UInt32
        let escapeWeight: UInt32
        /// Cost of encoding an entry of weight 1, including the escapes from all earlier levels of the
        /// chain.
        let cost: UInt32
    }
}
