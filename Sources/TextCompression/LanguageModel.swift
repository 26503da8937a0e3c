/// A language's statistics, ready to be used.
final class LanguageModel: Sendable {
    /// A token that a context has.
    struct Entry: BitwiseCopyable, Sendable {
        let token: Token
        /// The token's number in the model: those of the empty context come first, in its order.
        let number: UInt16
        let weight: UInt16
        let logWeight: UInt16
        /// The weights of all entries before it in the table.
        let start: UInt32
    }

    /// The language's table: a row for each context. That is up to three tokens, a TAB, the letter of
    /// the escape's weight, then each entry's token and the letter of its weight. In a table ⇧ is
    /// SHIFT, ⇪ CAPS, ␃ END. The first row is the empty context's.
    let table: String
    /// The entries of each context, in the table's order. The empty one is the first.
    let entryRanges: [Range<Int>]
    let entries: [Entry]
    let levels: [ContextChain.Level]
    private let chains: [ContextChain]
    private let contextIndex: HashIndex<UInt64>
    private let entryIndex: HashIndex<UInt32>

    /// Reads a table.
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

    /// The chain of the longest context that a history has in this model.
    @inline(__always)
    func chain(after history: TokenHistory, afterMark: Bool) -> ContextChain {
        let context =
            contextIndex[history.key(3)] ?? contextIndex[history.key(2)]
            ?? contextIndex[history.key(1)] ?? 0
        return chains[2 * context + (afterMark ? 1 : 0)]
    }

    /// Where in `entries` a context's entry of a token is.
    @inline(__always)
    func entry(of token: Token, in context: Int) -> Int? {
        entryIndex[Self.key(of: token, in: context)]
    }

    /// What coding a token takes, or nil where no context has it.
    @inline(__always)
    func cost(of token: Token, in chain: ContextChain) -> UInt32? {
        for index in chain.levels {
            if let entry = entry(of: token, in: levels[index].context) {
                return levels[index].cost - UInt32(entries[entry].logWeight)
            }
        }
        return nil
    }

    /// Contexts that the keys of entries can tell apart: 32 bits less those of a token.
    private static let maximumContexts = 1 << (32 - Int(Token.width))

    private static func key(of token: Token, in context: Int) -> UInt32 {
        UInt32(context) << UInt32(Token.width) | token.rawValue
    }

    /// A table's entries, each token with its number.
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
