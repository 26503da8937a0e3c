/// What became of each character of a message on its way.
struct Alignment {
    /// One character sent and what was received in its place; nil for none.
    struct Change: Hashable {
        let sent: Unicode.Scalar?
        let received: Unicode.Scalar?
    }

    /// The changes, each once, in the order of the message: as few as can explain what was received.
    private(set) var changes: [Change] = []

    init(sent: [Unicode.Scalar], received: [Unicode.Scalar]) {
        let costs = Self.costs(sent, received)
        var (row, column) = (0, 0)
        var seen: Set<Change> = []
        while row < sent.count || column < received.count {
            let change: Change
            let here = costs[row][column]
            if row < sent.count, column < received.count,
                here == costs[row + 1][column + 1] + (sent[row] == received[column] ? 0 : 1)
            {
                change = Change(sent: sent[row], received: received[column])
                (row, column) = (row + 1, column + 1)
            } else if row < sent.count, here == costs[row + 1][column] + 1 {
                change = Change(sent: sent[row], received: nil)
                row += 1
            } else {
                change = Change(sent: nil, received: received[column])
                column += 1
            }
            if change.sent != change.received, seen.insert(change).inserted {
                changes.append(change)
            }
        }
    }

    /// For each pair of places the fewest changes that make the rest of one the rest of the other
    /// (Levenshtein's distance).
    private static func costs(_ sent: [Unicode.Scalar], _ received: [Unicode.Scalar]) -> [[Int]] {
        let empty = [Int](repeating: 0, count: received.count + 1)
        var costs = [[Int]](repeating: empty, count: sent.count + 1)
        for row in (0...sent.count).reversed() {
            for column in (0...received.count).reversed() {
                if row == sent.count {
                    costs[row][column] = received.count - column
                } else if column == received.count {
                    costs[row][column] = sent.count - row
                } else {
                    let same = sent[row] == received[column] ? 0 : 1
                    costs[row][column] = min(
                        costs[row + 1][column + 1] + same, costs[row + 1][column] + 1,
                        costs[row][column + 1] + 1)
                }
            }
        }
        return costs
    }
}
