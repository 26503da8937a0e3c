internal import System

/// Units that cannot come next, being entries of contexts that were escaped from, or marks after a mark.
///
/// Its owner overwrites it afterwards: it tells of a text.
struct Exclusions: ~Copyable {
    /// Units that a model may have.
    static let room = 2048

    /// A bit for each unit's number.
    private var words = [UInt32](repeating: 0, count: room / 32)
    /// Words up to the last that has a bit.
    private var count = 0

    mutating func overwrite() { cleanse(&words) }

    mutating func removeAll() {
        for index in 0..<count { words[index] = 0 }
        count = 0
    }

    mutating func add(_ entries: Range<Int>, of model: Model) {
        for index in entries { add(model.entries[index].number) }
    }

    mutating func addMarks(of model: Model) {
        for mark in [Unit.shift, .caps, .end] {
            if let entry = model.entry(of: mark, in: 0) { add(model.entries[entry].number) }
        }
    }

    /// The entry of a context that holds a value below the weights left there, and where its part
    /// begins.
    func entry(
        at value: UInt64, in context: Int, of model: Model
    ) -> (index: Int, start: UInt64) {
        if context == 0 { return entryOfEmptyContext(at: value, of: model) }
        var start: UInt64 = 0
        let entries = model.contexts[context].entries
        var last = entries.lowerBound
        for index in entries where !contains(model.entries[index].number) {
            let weight = UInt64(model.entries[index].weight)
            if value < start + weight { return (index, start) }
            start += weight
            last = index
        }
        return (last, start)
    }

    /// Where the part of a context's entry begins, which is not excluded.
    func start(of entry: Int, in context: Int, of model: Model) -> UInt64 {
        var start: UInt64 = 0
        if context == 0 {
            start = UInt64(model.sums[entry])
            forEachExcluded(below: entry) { start -= UInt64(model.entries[$0].weight) }
        } else {
            for index in model.contexts[context].entries.lowerBound..<entry
            where !contains(model.entries[index].number) {
                start += UInt64(model.entries[index].weight)
            }
        }
        return start
    }

    private func entryOfEmptyContext(
        at value: UInt64, of model: Model
    ) -> (index: Int, start: UInt64) {
        let sums = model.sums
        // Where the value would be if nothing were excluded.
        var target = value
        var removed: UInt64 = 0
        forEachExcluded(below: sums.count - 1) { entry in
            guard target >= sums[entry] else { return }
            target += UInt64(model.entries[entry].weight)
            removed += UInt64(model.entries[entry].weight)
        }
        var (low, high) = (0, sums.count - 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if UInt64(sums[middle]) <= target { low = middle } else { high = middle }
        }
        return (low, UInt64(sums[low]) - removed)
    }

    /// Hands out the excluded entries of the empty context in their order, up to one.
    @inline(__always)
    private func forEachExcluded(below end: Int, _ body: (Int) -> Void) {
        for index in 0..<min(count, (end + 31) / 32) {
            var word = words[index]
            while word != 0 {
                let number = 32 * index + word.trailingZeroBitCount
                if number >= end { return }
                body(number)
                word &= word - 1
            }
        }
    }

    private mutating func add(_ number: UInt16) {
        let index = Int(number) / 32
        words[index] |= 1 << UInt32(number % 32)
        count = max(count, index + 1)
    }

    private func contains(_ number: UInt16) -> Bool {
        words[Int(number) / 32] >> UInt32(number % 32) & 1 != 0
    }
}
