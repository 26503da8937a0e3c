/// Precomputes the context chains of a language model.
struct ContextChainBuilder {
    private let table: ModelTable
    private let entries: [LanguageModel.Entry]
    private let contextIndex: HashIndex<UInt64>
    private let logWeights = ModelTable.logWeights
    /// For each token number, the context for which this token was last excluded.
    private var lastExcludedFor: [Int]
    /// Total weights of the excluded entries of the empty context. An entry is excluded if a longer suffix of
    /// the current context has an entry for the same token.
    private var excludedFromEmpty = Weights()
    /// The current context, and all suffixes of this context that are also contexts. `remaining` contains
    /// the total weights of the entries that longer suffixes have not excluded.
    private var suffixes: [(context: Int, remaining: Weights)] = []
    /// The chains of all contexts, two for each context. The encoder uses the first chain of a context
    /// after a character, and the second chain after a mark.
    private(set) var chains: [ContextChain] = []
    private(set) var levels: [ContextChain.Level] = []

    /// The total weights of a set of entries. `all` is the weight of all entries, and `afterMark` is the
    /// weight of the entries that may follow a mark.
    private struct Weights {
        var all: UInt32 = 0
        var afterMark: UInt32 = 0

        mutating func add(_ entry: LanguageModel.Entry) {
            all += UInt32(entry.weight)
            if !entry.token.isMark { afterMark += UInt32(entry.weight) }
        }
    }

    init(_ table: ModelTable, _ entries: [LanguageModel.Entry], _ contextIndex: HashIndex<UInt64>) {
        self.table = table
        self.entries = entries
        self.contextIndex = contextIndex
        lastExcludedFor = Array(repeating: -1, count: entries.count)
        chains.reserveCapacity(2 * table.contexts.count)
        levels.reserveCapacity(6 * table.contexts.count)
        var total = Weights()
        for entry in entries[table.contexts[0].entries] { total.add(entry) }
        for (number, context) in table.contexts.enumerated() {
            collectSuffixes(of: number, context.key, total)
            addChain { $0.all }
            addChain { $0.afterMark }
        }
    }

    /// Sets `suffixes` to a context and its suffixes.
    ///
    /// - Parameter total: weights of all entries of the empty context.
    private mutating func collectSuffixes(of context: Int, _ key: UInt64, _ total: Weights) {
        suffixes.removeAll(keepingCapacity: true)
        excludedFromEmpty = Weights()
        for length in (0...TokenHistory.length(ofKey: key)).reversed() {
            let shorter = TokenHistory.key(key & TokenHistory.mask(length), length)
            guard let index = contextIndex[shorter] else { continue }
            let remaining =
                index == 0
                ? Weights(
                    all: total.all - excludedFromEmpty.all,
                    afterMark: total.afterMark - excludedFromEmpty.afterMark)
                : excludeEntries(of: table.contexts[index], for: context)
            suffixes.append((index, remaining))
        }
    }

    /// Excludes the tokens of a suffix from all shorter suffixes of the given context. Returns the total
    /// weights of those entries of the suffix that no longer suffix has excluded.
    private mutating func excludeEntries(of suffix: ModelTable.Context, for context: Int) -> Weights
    {
        var weights = Weights()
        for entry in entries[suffix.entries] {
            let number = Int(entry.number)
            guard lastExcludedFor[number] != context else { continue }
            lastExcludedFor[number] = context
            weights.add(entry)
            if number < table.contexts[0].entries.count { excludedFromEmpty.add(entries[number]) }
        }
        return weights
    }

    private mutating func addChain(_ weight: (Weights) -> UInt32) {
        let start = levels.count
        var escapeCost: UInt32 = 0
        for (context, remaining) in suffixes where weight(remaining) > 0 {
            let escape = Int(table.contexts[context].escapeWeightIndex)
            let escapeWeight = ModelTable.weights[escape]
            let cost = CodingCost.log2(weight(remaining) + escapeWeight)
            levels.append(
                ContextChain.Level(
                    context: context, weight: weight(remaining), escapeWeight: escapeWeight,
                    cost: escapeCost + cost))
            escapeCost += cost - logWeights[escape]
        }
        chains.append(ContextChain(levels: start..<levels.count, escapeCost: escapeCost))
    }
}
