internal import System

/// The tokens that cannot be the next token of a text. After an escape from a context, all tokens that
/// this context predicts are excluded. After a mark, all marks are excluded.
///
/// The set of excluded tokens reveals part of a text. The caller must therefore call `overwrite()` after
/// using the set.
struct ExcludedTokens: ~Copyable {
    /// Maximum number of different tokens in a model.
    static let maximumTokens = 2048

    /// One bit for each token number, which is set if the token is excluded.
    private var words = [UInt32](repeating: 0, count: maximumTokens / 32)

    mutating func overwrite() { wipe(&words) }

    mutating func removeAll() {
        for index in words.indices { words[index] = 0 }
    }

    /// Excludes the tokens of a context. Does nothing for the empty context, because the empty context is
    /// tried last.
    mutating func insertEntries(of context: Int, in model: LanguageModel) {
        if context == 0 { return }
        for entry in model.entries[model.entryRanges[context]] { insert(entry) }
    }

    mutating func insertMarks(of model: LanguageModel) {
        for mark in [Token.shift, .caps, .end] {
            if let entry = model.entry(of: mark, in: 0) { insert(model.entries[entry]) }
        }
    }

    /// Returns the entry whose interval contains a decoded value, and the start of this interval.
    ///
    /// - Parameter value: the decoded value. The value must be below the total weight of the entries that
    ///   are not excluded.
    func entry(
        at value: UInt64, in context: Int, of model: LanguageModel
    ) -> (entry: LanguageModel.Entry, start: UInt64) {
        var (first, start) = skipWords(in: context, of: model) { (_, start) in start <= value }
        for entry in model.entries[first..<model.entryRanges[context].upperBound]
        where !contains(entry) {
            if value < start + UInt64(entry.weight) { return (entry, start) }
            start += UInt64(entry.weight)
        }
        preconditionFailure("a decoded value exceeds the weights of a context")
    }

    /// Returns the start of an entry's interval. An interval starts at the total weight of all earlier
    /// entries that are not excluded. The entry must not be excluded.
    func start(of entry: Int, in context: Int, of model: LanguageModel) -> UInt64 {
        var (first, start) = skipWords(in: context, of: model) { (first, _) in first <= entry }
        for other in model.entries[first..<entry] where !contains(other) {
            start += UInt64(other.weight)
        }
        return start
    }

    /// Finds the entry at which a search for an entry can begin, and returns this entry and the start of
    /// its interval.
    ///
    /// The empty context can have thousands of entries. To be fast, the function skips whole groups of 32
    /// entries of the empty context. The tokens in the empty context are numbered consecutively, so each
    /// 32-bit word of the set shows which of 32 entries are excluded.
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
