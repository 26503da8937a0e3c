internal import System

/// Tokens that cannot come next, being entries of contexts that were escaped from, or marks after a mark.
///
/// Its owner overwrites it afterwards: it tells of a text.
struct ExcludedTokens: ~Copyable {
    /// Tokens that a model may have.
    static let maximumTokens = 2048

    /// A bit for each token's number.
    private var words = [UInt32](repeating: 0, count: maximumTokens / 32)

    mutating func overwrite() { cleanse(&words) }

    mutating func removeAll() {
        for index in words.indices { words[index] = 0 }
    }

    /// Adds the entries of a context that was escaped from. After the empty one, the last, no other comes.
    mutating func insertEntries(of context: Int, in model: LanguageModel) {
        if context == 0 { return }
        for entry in model.entries[model.entryRanges[context]] { insert(entry) }
    }

    mutating func insertMarks(of model: LanguageModel) {
        for mark in [Token.shift, .caps, .end] {
            if let entry = model.entry(of: mark, in: 0) { insert(model.entries[entry]) }
        }
    }

    /// The entry of a context that holds a value below the weights left there, and where its part
    /// begins.
    func entry(
        at value: UInt64, in context: Int, of model: LanguageModel
    ) -> (entry: LanguageModel.Entry, start: UInt64) {
        var (first, start) = skipWords(in: context, of: model) { (_, start) in start <= value }
        for entry in model.entries[first..<model.entryRanges[context].upperBound]
        where !contains(entry) {
            if value < start + UInt64(entry.weight) { return (entry, start) }
            start += UInt64(entry.weight)
        }
        preconditionFailure("a value beyond the weights of a context")
    }

    /// Where the part of a context's entry begins, which is not excluded.
    func start(of entry: Int, in context: Int, of model: LanguageModel) -> UInt64 {
        var (first, start) = skipWords(in: context, of: model) { (first, _) in first <= entry }
        for other in model.entries[first..<entry] where !contains(other) {
            start += UInt64(other.weight)
        }
        return start
    }

    /// An entry of a context before which no other need be looked at, and where its part begins. The empty
    /// context may have thousands, numbered as they come: those of a whole word are passed over at once.
    private func skipWords(
        in context: Int, of model: LanguageModel, while isBefore: (Int, UInt64) -> Bool
    ) -> (first: Int, start: UInt64) {
        var (first, start) = (model.entryRanges[context].lowerBound, UInt64(0))
        while context == 0, first + 32 < model.entryRanges[0].count {
            let whole = model.entries[first + 32].start - model.entries[first].start
            var (next, word) = (start + UInt64(whole), words[first / 32])
            while word != 0 {
                next -= UInt64(model.entries[first + word.trailingZeroBitCount].weight)
                word &= word - 1
            }
            guard isBefore(first + 32, next) else { break }
            (first, start) = (first + 32, next)
        }
        return (first, start)
    }

    private mutating func insert(_ entry: LanguageModel.Entry) {
        words[Int(entry.number) / 32] |= 1 << UInt32(entry.number % 32)
    }

    private func contains(_ entry: LanguageModel.Entry) -> Bool {
        words[Int(entry.number) / 32] >> UInt32(entry.number % 32) & 1 != 0
    }
}
