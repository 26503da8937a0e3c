/// A language's statistics, ready to be used.
final class Model: Sendable {
    /// The language's table: a row for each context. That is up to three units, a TAB, the letter of
    /// the escape's weight, then each entry's unit and the letter of its weight. In a table ⇧ is
    /// SHIFT, ⇪ CAPS, ␃ END. The first row is the empty context's.
    let table: String
    /// The empty context is the first.
    let contexts: [Context]
    let chains: Chains
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
        (contexts, chains) = chaining.chained()
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
        let chain = Chains.chain(of: context, afterMark: afterMark)
        let escapes = chains.escapePrice(of: chain)
        var next = context
        var place = 0
        while true {
            if let entry = entry(of: unit, in: next) {
                let saved = UInt32(entries[entry].priceOfWeight)
                return (chains.price(place, of: chain) - saved, escapes)
            }
            guard let parent = contexts[next].parent else { return (nil, escapes) }
            next = parent
            place += 1
        }
    }

    /// Contexts that the keys of entries can tell apart: 32 bits less those of a unit.
    private static let mostContexts = 1 << (32 - Int(Unit.width))

    private static func key(of unit: Unit, in context: Int) -> UInt32 {
        UInt32(context) << UInt32(Unit.width) | unit.rawValue
    }

    /// A table's entries, each unit with its number.
    private static func numbered(_ table: Table) -> [Entry] {
        var numbers = Lookup<UInt32>(count: table.entries.count)
        let prices = Table.prices
        var count = 0
        return table.entries.map { (unit, letter) in
            let number = numbers[unit.rawValue] ?? count
            if number == count {
                numbers.add(number, at: unit.rawValue)
                count += 1
            }
            precondition(number < Exclusions.room, "a table has too many units")
            return Entry(
                unit: unit, number: UInt16(number), weight: UInt16(Table.weights[Int(letter)]),
                priceOfWeight: UInt16(prices[Int(letter)]))
        }
    }
}
