/// Finds the chains of a table's contexts.
struct Chaining {
    private let table: Table
    private let entries: [Entry]
    private let places: Lookup<UInt64>
    private let prices = Table.prices
    /// For each unit's number, the context it was last excluded for.
    private var excludedFor: [Int]
    /// What of the empty context has been excluded for the present one.
    private var excluded = Sum()
    /// The contexts of the present chain, each with what is left of it.
    private var path: [(context: Int, left: Sum)] = []
    /// Two for each context: as it is, and after a mark.
    private(set) var chains: [Chain] = []
    private(set) var steps: [Step] = []

    /// Weights of entries, and of those that are no marks.
    private struct Sum {
        var all: UInt32 = 0
        var afterMark: UInt32 = 0

        mutating func add(_ entry: Entry) {
            all += UInt32(entry.weight)
            if !entry.unit.isMark { afterMark += UInt32(entry.weight) }
        }
    }

    init(_ table: Table, _ entries: [Entry], _ places: Lookup<UInt64>) {
        self.table = table
        self.entries = entries
        self.places = places
        excludedFor = Array(repeating: -1, count: entries.count)
        chains.reserveCapacity(2 * table.rows.count)
        steps.reserveCapacity(6 * table.rows.count)
        var whole = Sum()
        for entry in entries[table.rows[0].entries] { whole.add(entry) }
        for (context, row) in table.rows.enumerated() {
            setPath(of: context, row.key, whole)
            addChain { $0.all }
            addChain { $0.afterMark }
        }
    }

    /// Finds a context, the shorter ones that there are, and what is left of each.
    private mutating func setPath(of context: Int, _ key: UInt64, _ whole: Sum) {
        path.removeAll(keepingCapacity: true)
        excluded = Sum()
        for length in (0...History.length(ofKey: key)).reversed() {
            let shorter = History.key(key & History.mask(length), length)
            guard let place = places[shorter] else { continue }
            let left =
                place == 0
                ? Sum(
                    all: whole.all - excluded.all, afterMark: whole.afterMark - excluded.afterMark)
                : weights(of: table.rows[place], for: context)
            path.append((place, left))
        }
    }

    /// What of a row's entries is not excluded yet for a context. They are from now on.
    private mutating func weights(of row: Table.Row, for context: Int) -> Sum {
        var sum = Sum()
        for entry in entries[row.entries] {
            let number = Int(entry.number)
            guard excludedFor[number] != context else { continue }
            excludedFor[number] = context
            sum.add(entry)
            if number < table.rows[0].entries.count { excluded.add(entries[number]) }
        }
        return sum
    }

    private mutating func addChain(_ weight: (Sum) -> UInt32) {
        let start = steps.count
        var escapePrice: UInt32 = 0
        for (context, left) in path where weight(left) > 0 {
            let escape = Int(table.rows[context].escape)
            let escapeWeight = Table.weights[escape]
            let price = Price.log2(weight(left) + escapeWeight)
            steps.append(
                Step(
                    context: context, weight: weight(left), escapeWeight: escapeWeight,
                    price: escapePrice + price))
            escapePrice += price - prices[escape]
        }
        chains.append(Chain(steps: start..<steps.count, escapePrice: escapePrice))
    }
}
