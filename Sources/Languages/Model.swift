/// A language's statistics, ready to be used.
final class Model: Sendable {
    /// The language's table: a row for each context. That is up to three units, a TAB, the letter of
    /// the escape's weight, then each entry's unit and the letter of its weight. In a table ⇧ is
    /// SHIFT, ⇪ CAPS, ␃ END. The first row is the empty context's.
    let table: String
    /// The entries of each context, in the table's order. The empty one is the first.
    let contexts: [Range<Int>]
    let entries: [Entry]
    let steps: [Step]
    private let chains: [Chain]
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
        for mark in [Unit.shift, .caps, .end] {
            precondition(
                entryPlaces[Self.key(of: mark, in: 0)] != nil, "the empty context lacks a mark")
        }

        self.table = text
        self.contextPlaces = contextPlaces
        self.entryPlaces = entryPlaces
        self.entries = entries
        contexts = table.rows.map { $0.entries }
        let chaining = Chaining(table, entries, contextPlaces)
        (chains, steps) = (chaining.chains, chaining.steps)
    }

    /// The chain of the longest context that a history has in this model.
    @inline(__always)
    func chain(after history: History, afterMark: Bool) -> Chain {
        let context =
            contextPlaces[history.key(3)] ?? contextPlaces[history.key(2)]
            ?? contextPlaces[history.key(1)] ?? 0
        return chains[2 * context + (afterMark ? 1 : 0)]
    }

    /// Where in `entries` a context's entry of a unit is.
    @inline(__always)
    func entry(of unit: Unit, in context: Int) -> Int? {
        entryPlaces[Self.key(of: unit, in: context)]
    }

    /// What coding a unit takes, or nil where no context has it.
    @inline(__always)
    func price(of unit: Unit, in chain: Chain) -> UInt32? {
        for index in chain.steps {
            if let entry = entry(of: unit, in: steps[index].context) {
                return steps[index].price - UInt32(entries[entry].priceOfWeight)
            }
        }
        return nil
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
        var (count, start) = (0, UInt32(0))
        return table.entries.map { (unit, letter) in
            let number = numbers[unit.rawValue] ?? count
            if number == count {
                numbers.add(number, at: unit.rawValue)
                count += 1
            }
            precondition(number < Exclusions.room, "a table has too many units")
            let weight = Table.weights[Int(letter)]
            defer { start += weight }
            return Entry(
                unit: unit, number: UInt16(number), weight: UInt16(weight),
                priceOfWeight: UInt16(prices[Int(letter)]), start: start)
        }
    }
}
