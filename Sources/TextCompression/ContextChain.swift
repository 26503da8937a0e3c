/// The contexts that predict the next token, in the order in which they are tried. The first is the
/// longest context that the model contains, and the last is the empty context.
///
/// If a context does not predict the token, an escape symbol is encoded and the next context is tried. The
/// tokens that earlier contexts predict are excluded from it. Each context of a model begins two chains: one
/// is used after a character, the other after a mark. They differ because a mark cannot follow a mark.
struct ContextChain: Sendable {
    /// Indices into `LanguageModel.levels`.
    let levels: Range<Int>
    /// Cost of encoding the escapes from all levels.
    let escapeCost: UInt32

    /// A context in the chain. Contexts whose tokens are all excluded have no level.
    struct Level: BitwiseCopyable, Sendable {
        let context: Int
        /// Total weight of the entries that are not excluded.
        let weight: UInt32
        let escapeWeight: UInt32
        /// Cost of encoding an entry of weight 1, including the escapes from earlier levels.
        let cost: UInt32
    }
}
