import Keyring

/// The records of one commit, contact by contact, so that each contact's row is read and written once.
///
/// What goes out stands in the order of the records; what is committed together can be done in any.
struct Plan {
    /// The records of one contact, in their order: chained by `following`.
    struct Group {
        let recipient: Recipient
        let first: Int
        fileprivate var last: Int
        fileprivate var count = 1
    }

    /// In the order of contacts' rows, so that each page of the table is touched once; the one that
    /// is to fill its flight comes last.
    private(set) var groups: [Group] = []
    let start: Int
    /// The first record that is not in it.
    private(set) var end: Int
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
                let place = recipient.place
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
        if recipient.place < 0 {
            recipient.place = groups.count
            groups.append(Group(recipient: recipient, first: index, last: index))
        } else {
            next[groups[recipient.place].last - start] = Int32(index - start)
            groups[recipient.place].last = index
            groups[recipient.place].count += 1
        }
    }

    private mutating func arrange(_ filling: Int?) {
        guard groups.count > 1 else { return }
        let last = filling.map { groups.remove(at: $0) }
        groups.sort { $0.recipient.contact.id < $1.recipient.contact.id }
        if let last { groups.append(last) }
        assert(Set(groups.map(\.recipient.contact.id)).count == groups.count)
    }

    /// The next record of the same contact; nil behind the last.
    func following(_ index: Int) -> Int? {
        let next = next[index - start]
        return next < 0 ? nil : start + Int(next)
    }
}
