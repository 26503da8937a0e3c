/// Finds the chains of a table's contexts.
struct Chaining {
    private let table: Table
    private let entries: [Entry]
    private let places: Lookup<UInt64>
    /// For each unit's number, the context it was last excluded for.
    private var excludedFor: [Int]
    /// What of the empty context has been excluded for the present one.
    private var excluded = Sum()

    /// Weights of entries, and the marks' among them.
    private struct Sum {
        var all: UInt32 = 0
        var marks: UInt32 = 0

        mutating func add(_ entry: Entry) {
            all += UInt32(entry.weight)
            if entry.unit.isMark { marks += UInt32(entry.weight) }
        }

        mutating func subtract(_ other: Sum) {
            all -= other.all
            marks -= other.marks
        }
    }

    init(_ table: Table, _ entries: [Entry], _ places: Lookup<UInt64>) {
        self.table = table
        self.entries = entries
        self.places = places
        excludedFor = Array(repeating: -1, count: entries.count)
    }

    mutating func chained() -> (contexts: [Context], chains: Chains) {
        let parents = table.rows.map { parent(of: $0) }
        let prices = Table.prices
        var chains = Chains(contexts: parents.count)
        var whole = Sum()
        for entry in table.rows[0].entries { whole.add(entries[entry]) }
        for context in parents.indices {
            excluded = Sum()
            var next: Int? = context
            var place = 0
            while let ancestor = next {
                let row = table.rows[ancestor]
                var left = whole
                if ancestor == 0 {
                    left.subtract(excluded)
                } else {
                    left = weights(of: row, for: context)
                }
                let escape = (Table.weights[Int(row.escape)], prices[Int(row.escape)])
                let price = Price.log2(left.all + escape.0)
                chains.set(
                    place, of: Chains.chain(of: context, afterMark: false), left.all, price: price,
                    escapePrice: price - escape.1)
                let rest = left.all - left.marks
                let restPrice = left.marks == 0 ? price : Price.log2(rest + escape.0)
                chains.set(
                    place, of: Chains.chain(of: context, afterMark: true), rest, price: restPrice,
                    escapePrice: restPrice - escape.1)
                next = parents[ancestor]
                place += 1
            }
        }
        let contexts = zip(table.rows, parents).map { (row, parent) in
            Context(
                entries: row.entries, parent: parent, escapeWeight: Table.weights[Int(row.escape)])
        }
        return (contexts, chains)
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

    /// What of a row's entries is not excluded yet for a context. They are from now on.
    private mutating func weights(of row: Table.Row, for context: Int) -> Sum {
        var sum = Sum()
        for entry in row.entries {
            let entry = entries[entry]
            let number = Int(entry.number)
            guard excludedFor[number] != context else { continue }
            excludedFor[number] = context
            sum.add(entry)
            if number < table.rows[0].entries.count { excluded.add(entries[number]) }
        }
        return sum
    }
}
