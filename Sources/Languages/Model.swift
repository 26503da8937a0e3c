/// A language's statistics, ready to be used.
final class Model: Sendable {
    /// The language's table: a row for each context. That is up to three units, a TAB, the letter of
    /// the escape's weight, then each entry's unit and the letter of its weight. In a table ⇧ is
    /// SHIFT, ⇪ CAPS, ␃ END. The first row is the empty context's.
    let table: String
    /// The empty context is the first.
    let contexts: [Context]
    let entries: [Entry]
    /// For each entry of the empty context the weights of those before it, and all of them at the end.
    let sums: [UInt32]
    private let contextPlaces: Lookup<UInt64>
    private let entryPlaces: Lookup<UInt32>

    /// Reads a table.
    init(_ text: String) {
        let table = Table(text)
        precondition(table.rows.count <= Self.mostContexts, "a table has too many contexts")
        var contextPlaces = Lookup<UInt64>(count: table.rows.count)
        var entryPlaces = Lookup<UInt32>(count: table.entries.count)
        for (context, row) in table.rows.enumerated() {
            contextPlaces.add(context, at: row.key)
            for entry in row.entries {
                entryPlaces.add(entry, at: Self.key(of: table.entries[entry].unit, in: context))
            }
        }
        let entries = Self.numbered(table)
        var sums: [UInt32] = [0]
        for entry in table.rows[0].entries {
            sums.append(sums[entry] + UInt32(entries[entry].weight))
        }
        for mark in [Unit.shift, .caps, .end] {
            precondition(
                entryPlaces[Self.key(of: mark, in: 0)] != nil, "the empty context lacks a mark")
        }

        self.table = text
        self.contextPlaces = contextPlaces
        self.entryPlaces = entryPlaces
        self.entries = entries
        self.sums = sums
        var chaining = Chaining(table, entries, contextPlaces)
        contexts = chaining.contexts()
    }

    /// The longest context that a history has in this model.
    @inline(__always)
    func context(after history: History) -> Int {
        contextPlaces[history.key(3)] ?? contextPlaces[history.key(2)]
            ?? contextPlaces[history.key(1)] ?? 0
    }

    /// Where in `entries` a context's entry of a unit is.
    @inline(__always)
    func entry(of unit: Unit, in context: Int) -> Int? {
        entryPlaces[Self.key(of: unit, in: context)]
    }

    /// What coding a unit takes, or nil where no context has it, and what all escapes there take.
    @inline(__always)
    func price(
        of unit: Unit, in context: Int, afterMark: Bool
    ) -> (unit: UInt32?, escapes: UInt32) {
        var next = context
        var place = 0
        while true {
            if let entry = entry(of: unit, in: next) {
                let chain = contexts[context].chain(afterMark: afterMark)
                let price = chain.prices[place] - UInt32(entries[entry].priceOfWeight)
                return (price, chain.priceOfEscapes)
            }
            guard let parent = contexts[next].parent else { break }
            next = parent
            place += 1
        }
        return (nil, contexts[context].chain(afterMark: afterMark).priceOfEscapes)
    }

    /// Contexts that the keys of entries can tell apart: 32 bits less those of a unit.
    private static let mostContexts = 1 << (32 - Int(Unit.width))

    private static func key(of unit: Unit, in context: Int) -> UInt32 {
        UInt32(context) << UInt32(Unit.width) | unit.rawValue
    }

    /// A table's entries, each unit with its number.
    private static func numbered(_ table: Table) -> [Entry] {
        var numbers = Lookup<UInt32>(count: table.entries.count)
        var count = 0
        return table.entries.map { (unit, letter) in
            let number = numbers[unit.rawValue] ?? count
            if number == count {
                numbers.add(number, at: unit.rawValue)
                count += 1
            }
            precondition(number < Exclusions.room, "a table has too many units")
            let weight = Table.weights[Int(letter)]
            return Entry(
                unit: unit, number: UInt16(number), weight: weight,
                priceOfWeight: UInt16(Price.log2(UInt32(weight))))
        }
    }
}

/// Finds the chains of a table's contexts.
private struct Chaining {
    private let table: Table
    private let entries: [Entry]
    private let places: Lookup<UInt64>
    /// For each unit's number, the context it was last excluded for.
    private var excludedFor: [Int]

    init(_ table: Table, _ entries: [Entry], _ places: Lookup<UInt64>) {
        self.table = table
        self.entries = entries
        self.places = places
        excludedFor = Array(repeating: -1, count: entries.count)
    }

    mutating func contexts() -> [Context] {
        let parents = table.rows.map { parent(of: $0) }
        return table.rows.indices.map { context in
            var (chain, chainAfterMark) = (Chain(), Chain())
            var next: Int? = context
            var place = 0
            while let ancestor = next {
                let row = table.rows[ancestor]
                let (all, marks) = weights(of: row, for: context)
                chain.set(place, weight: all, escapeWeight: row.escapeWeight)
                chainAfterMark.set(place, weight: all - marks, escapeWeight: row.escapeWeight)
                next = parents[ancestor]
                place += 1
            }
            let row = table.rows[context]
            return Context(
                entries: row.entries, parent: parents[context], escapeWeight: row.escapeWeight,
                chain: chain, chainAfterMark: chainAfterMark)
        }
    }

    /// The next shorter context that there is.
    private func parent(of row: Table.Row) -> Int? {
        var length = History.length(ofKey: row.key)
        while length > 0 {
            length -= 1
            if let place = places[History.key(row.key & History.mask(length), length)] {
                return place
            }
        }
        return nil
    }

    /// The weights of a row's entries that are not excluded yet for a context, and the marks' among
    /// them. They are excluded from now on.
    private mutating func weights(of row: Table.Row, for context: Int) -> (
        all: UInt32, marks: UInt32
    ) {
        var (all, marks): (UInt32, UInt32) = (0, 0)
        for entry in row.entries {
            let entry = entries[entry]
            guard excludedFor[Int(entry.number)] != context else { continue }
            excludedFor[Int(entry.number)] = context
            all += UInt32(entry.weight)
            if entry.unit.isMark { marks += UInt32(entry.weight) }
        }
        return (all, marks)
    }
}
