@testable import Keyring

/// What a person's keyring holds, as the manual says, and what they have been told by others.
struct KeyringModel {
    /// An identity and its contacts, in the order in which they were added.
    struct Ring {
        let identity: Int
        var id: Int64
        var contacts: [ContactModel] = []

        subscript(peer: Persona) -> ContactModel? {
            get { contacts.first { $0.peer == peer } }
            set {
                if let place = contacts.firstIndex(where: { $0.peer == peer }) {
                    if let newValue {
                        contacts[place] = newValue
                    } else {
                        contacts.remove(at: place)
                    }
                } else if let newValue {
                    contacts.append(newValue)
                }
            }
        }
    }

    /// What a sync key or an offer is on record as.
    struct Use: Hashable {
        let secret: Int
        let isOwn: Bool
    }

    var rings: [Ring]
    var time = TimeModel()
    var used: Set<Use> = []
    var lastContact: Int64 = 0
    var lastRing: Int64
    /// Commits that count, so that a copy of the file is known to be older.
    var commits = 0
    /// Keys that runs which died had in flight: by the start of the machine, contact, and how many.
    var lost: [(boot: Int, keys: [Int64: Int])] = []
    /// The same of the run whose output is on its way while another does something.
    var underWay: [Int64: Int] = [:]

    init(identities: Int) {
        rings = (0..<identities).map { Ring(identity: $0, id: Int64($0 + 1)) }
        lastRing = Int64(identities)
    }

    /// What a commit does to the times of what is kept.
    mutating func keepTime(_ clock: Int64, boot: Int) {
        guard let now = time.now(clock, boot: boot) else { return }
        for ring in rings.indices {
            for index in rings[ring].contacts.indices {
                rings[ring].contacts[index].settle(at: now)
            }
        }
    }

    /// Message keys of a contact that a run may have in flight.
    func room(for contact: Int64) -> Int {
        let others = underWay[contact] ?? 0
        let room = 100 - others - lost.reduce(0) { $0 + ($1.keys[contact] ?? 0) }
        return max(others > 0 ? 0 : 1, room)
    }

    /// A message to some contacts is out, which brings them past the gaps that dead runs left.
    mutating func land(_ passed: Set<Int64>) {
        for index in lost.indices { for contact in passed { lost[index].keys[contact] = nil } }
        lost.removeAll { $0.keys.isEmpty }
    }

    /// What is said of a number that a contact is to have.
    func fault(ofNumber number: String, in ring: Int) -> KeyringError? {
        if let holder = rings[ring].contacts.first(where: { $0.number == number }) {
            return .contact(.numberTaken(number, holder.name))
        }
        let others = rings.filter { other in
            other.id != rings[ring].id && other.contacts.contains { $0.number == number }
        }
        let first = others.min { $0.id < $1.id }
        return first.map { .contact(.knownAs(number, Self.identity($0))) }
    }

    static func identity(_ ring: Ring) -> Identity {
        Identity(id: ring.id, kind: kind(ring.identity), name: name(ring.identity))
    }

    static func name(_ identity: Int) -> String { identity == 0 ? "real" : "other \(identity)" }
    static func kind(_ identity: Int) -> Identity.Kind {
        identity == 0 ? .real : identity % 2 == 1 ? .partial : .fictitious
    }

    /// What `adopt --restored` leaves.
    mutating func forgetAll() {
        for ring in rings.indices {
            for index in rings[ring].contacts.indices {
                rings[ring].contacts[index].forget()
                rings[ring].contacts[index].isRestored = true
            }
        }
    }

    /// What a backup brings back.
    func restored() -> KeyringModel {
        var copy = KeyringModel(identities: 0)
        copy.used = used
        copy.rings = rings.map { Ring(identity: $0.identity, id: $0.id) }
        let all = rings.flatMap { ring in ring.contacts.map { (ring.identity, $0) } }
        for (identity, contact) in all.sorted(by: { $0.1.id < $1.1.id }) {
            copy.lastContact += 1
            var again = ContactModel(
                contact.peer, id: copy.lastContact, name: contact.name, number: contact.number)
            again.isRestored = true
            copy.rings[identity].contacts.append(again)
        }
        copy.lastRing = rings.map(\.id).max() ?? 1
        return copy
    }
}

/// Which clock a keyring believes, as smsenc-keyring(5) says. The time since the start of a machine is its clock's.
struct TimeModel {
    static let release: Int64 = 1_795_478_400
    private var last: Int64 = 0
    private var jump: (boot: Int, time: Int64)?

    /// The time that a commit takes for true; nil if it does not believe the clock.
    mutating func now(_ clock: Int64, boot: Int) -> Int64? {
        if clock < Self.release { return nil }
        if last > 0, clock - last > 30 * 86_400 {
            guard let jump else {
                self.jump = (boot, clock)
                return nil
            }
            if jump.boot == boot, (0..<86_400).contains(clock - jump.time) { return nil }
        }
        (last, jump) = (clock, nil)
        return clock
    }
}
