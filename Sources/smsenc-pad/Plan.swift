import Keyring

/// The records of one commit, contact by contact, so that each contact's row is read and written once.
///
/// What goes out stands in the order of the records; what is committed together can be done in any.
struct Plan {
    /// The records of one contact, in their order: chained by `following`.
    struct Group {
        let recipient: Recipient
        fileprivate let head: Int32
        fileprivate var tail: Int32
        fileprivate var count: Int32

        /// The first record.
        var first: Int { Int(head) }
        fileprivate var id: Int64 { recipient.contact.id }
    }

    /// In the order of contacts' rows, so that each page of the table is touched once; the one that
    /// is to fill its flight comes last.
    private(set) var groups: [Group] = []
    let start: Int
    /// The first record that is not in it.
    private(set) var end: Int
    /// For each record the next of the same contact; negative behind the last.
    private var next: [Int32] = []

    /// Records planned for a contact where other contacts' records follow. With 100 keys that may be
    /// in flight they fit but once in ten thousand times, one key in forty being thrown away.
    private static let usualFlight = 90

    /// Takes in records from `start` on, at most to `limit`.
    ///
    /// - Parameter fillsFlights: true where a contact's records are so few; the plan ends behind the
    ///   contact that comes to it first, of whose records as many as follow at once are in it.
    init(_ jobs: [PadRun.Job], from start: Int, to limit: Int, fillsFlights: Bool) {
        self.start = start
        end = start
        next.reserveCapacity(limit - start)
        var filling: Int?
        while end < limit {
            if jobs[end].fate == .open, let recipient = jobs[end].recipient {
                let place = Int(recipient.place)
                if let filling,
                    place != filling || groups[filling].count == Exchange.longestFlight
                {
                    break
                }
                add(end, of: recipient)
                if fillsFlights, filling == nil, place >= 0,
                    groups[place].count == Self.usualFlight
                {
                    filling = place
                }
            }
            next.append(-1)
            end += 1
        }
        for group in groups { group.recipient.place = -1 }
        arrange(filling)
    }

    private mutating func add(_ index: Int, of recipient: Recipient) {
        let index = Int32(index)
        guard recipient.place >= 0 else {
            recipient.place = Int32(groups.count)
            return groups.append(Group(recipient: recipient, head: index, tail: index, count: 1))
        }
        let place = Int(recipient.place)
        next[Int(groups[place].tail) - start] = index
        groups[place].tail = index
        groups[place].count += 1
    }

    private mutating func arrange(_ filling: Int?) {
        guard groups.count > 1 else { return }
        let last = filling.map { groups[$0].id }
        groups.sort { $0.id < $1.id }
        var joined: [Group] = []
        joined.reserveCapacity(groups.count)
        var place = 0
        while place < groups.count {
            var behind = place + 1
            while behind < groups.count, groups[behind].id == groups[place].id { behind += 1 }
            joined.append(behind == place + 1 ? groups[place] : join(groups[place..<behind]))
            place = behind
        }
        if let place = joined.firstIndex(where: { $0.id == last }) {
            joined.append(joined.remove(at: place))
        }
        groups = joined
    }

    /// Makes one group of those of one contact, which may be named in several ways, or renamed meanwhile.
    private mutating func join(_ several: ArraySlice<Group>) -> Group {
        let all = several.flatMap { records(of: $0) }.sorted()
        for (index, following) in zip(all, all.dropFirst()) {
            next[index - start] = Int32(following)
        }
        let (first, last) = (all[0], all[all.count - 1])
        next[last - start] = -1
        return Group(
            recipient: several[several.startIndex].recipient, head: Int32(first), tail: Int32(last),
            count: Int32(all.count))
    }

    private func records(of group: Group) -> [Int] {
        Array(sequence(first: group.first) { following($0) })
    }

    /// The next record of the same contact; nil behind the last.
    func following(_ index: Int) -> Int? {
        let next = next[index - start]
        return next < 0 ? nil : Int(next)
    }
}
