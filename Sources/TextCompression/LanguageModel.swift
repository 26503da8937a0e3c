/// The statistics of a language. The statistics consist of contexts of up to three tokens, and of the
/// probabilities of the tokens that follow each context.
final class LanguageModel: Sendable {
    /// A token that a context predicts.
    struct Entry: BitwiseCopyable, Sendable {
        let token: Token
        /// Number of the token in this model. The entries of the empty context come first, so their tokens
        /// have the lowest numbers.
        let number: UInt16
        let weight: UInt16
        let logWeight: UInt16
        /// Total weight of all earlier entries in the table, including entries of other contexts.
        let start: UInt32
    }

    /// The text of the language table, which has one row for each context.
    ///
    /// A row begins with the tokens of the context, a TAB, and a letter for the weight of the escape
    /// symbol. The rest of the row contains the entries of the context. Each entry consists of a token and
    /// a letter that represents the entry's weight. ⇧ stands for SHIFT, ⇪ for CAPS, and ␃ for END. The
    /// first row of the table belongs to the empty context.
    let table: String
    /// For each context, the range of its entries in `entries`. Context 0 is the empty context.
    let entryRanges: [Range<Int>]
    let entries: [Entry]
    let levels: [ContextChain.Level]
    private let chains: [ContextChain]
    private let contextIndex: HashIndex<UInt64>
    private let entryIndex: HashIndex<UInt32>

    /// Parses a table.
    init(_ text: String) {
        let table = ModelTable(text)
        precondition(table.contexts.count <= Self.maximumContexts, "a table has too many contexts")
        var contextIndex = HashIndex<UInt64>(count: table.contexts.count)
        var entryIndex = HashIndex<UInt32>(count: table.entries.count)
        for (number, context) in table.contexts.enumerated() {
            contextIndex.insert(number, for: context.key)
            for entry in context.entries {
                entryIndex.insert(entry, for: Self.key(of: table.entries[entry].token, in: number))
            }
        }
        let entries = Self.makeEntries(from: table)
        for mark in [Token.shift, .caps, .end] {
            precondition(
                entryIndex[Self.key(of: mark, in: 0)] != nil, "the empty context lacks a mark")
        }

        self.table = text
        self.contextIndex = contextIndex
        self.entryIndex = entryIndex
        self.entries = entries
        entryRanges = table.contexts.map { $0.entries }
        let builder = ContextChainBuilder(table, entries, contextIndex)
        (chains, levels) = (builder.chains, builder.levels)
    }

    /// Returns the chain of contexts that predicts the token after a history. The chain begins with the
    /// longest suffix of the history that is a context of the model.
    @inline(__always)
    func chain(after history: TokenHistory, afterMark: Bool) -> ContextChain {
        let context =
            contextIndex[history.key(3)] ?? contextIndex[history.key(2)]
            ?? contextIndex[history.key(1)] ?? 0
        return chains[2 * context + (afterMark ? 1 : 0)]
    }

    /// Returns the index of the entry that a context has for a token. Returns nil if the context does not
    /// predict the token.
    @inline(__always)
    func entry(of token: Token, in context: Int) -> Int? {
        entryIndex[Self.key(of: token, in: context)]
    }

    /// Returns the cost of encoding a token, or nil if no context of the chain predicts the token.
    @inline(__always)
    func cost(of token: Token, in chain: ContextChain) -> UInt32? {
        for index in chain.levels {
            if let entry = entry(of: token, in: levels[index].context) {
                return levels[index].cost - UInt32(entries[entry].logWeight)
            }
        }
        return nil
    }

    /// Maximum number of contexts. A key of `entryIndex` has 32 bits. `Token.width` of these bits contain
    /// the token, and the others the context.
    private static let maximumContexts = 1 << (32 - Int(Token.width))

    private static func key(of token: Token, in context: Int) -> UInt32 {
        UInt32(context) << UInt32(Token.width) | token.rawValue
    }

    /// Returns the entries of a table, and numbers the tokens in the order of their first occurrence.
    private static func makeEntries(from table: ModelTable) -> [Entry] {
        var numbers = HashIndex<UInt32>(count: table.entries.count)
        let logWeights = ModelTable.logWeights
        var (count, start) = (0, UInt32(0))
        return table.entries.map { (token, weightIndex) in
            let number = numbers[token.rawValue] ?? count
            if number == count {
                numbers.insert(number, for: token.rawValue)
                count += 1
            }
            precondition(number < ExcludedTokens.maximumTokens, "a table has too many tokens")
            let weight = ModelTable.weights[Int(weightIndex)]
            defer { start += weight }
            return Entry(
                token: token, number: UInt16(number), weight: UInt16(weight),
                logWeight: UInt16(logWeights[Int(weightIndex)]), start: start)
        }
    }
}
