@testable import Keyring

/// The data that a person's keyring should contain according to the manual.
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

    /// A used sync key or offer, as stored in the keyring.
    struct Use: Hashable {
        let secret: Int
        let isOwn: Bool
    }

    var rings: [Ring]
    var time = TimeModel()
    var used: Set<Use> = []
    var lastContact: Int64 = 0
    var lastRing: Int64
    /// Number of commits that increase the commit count, by which an older copy of the file is recognised.
    var commits = 0
    /// Keys that were in flight when a run was killed, by boot count and contact.
    var lost: [(boot: Int, keys: [Int64: Int])] = []
    /// Keys in flight of the suspended run, while another process works.
    var underWay: [Int64: Int] = [:]

    init(identities: Int) {
        rings = (0..<identities).map { Ring(identity: $0, id: Int64($0 + 1)) }
        lastRing = Int64(identities)
    }

    /// Updates the times of stored keys, like every commit.
    mutating func keepTime(_ clock: Int64, boot: Int) {
        guard let now = time.now(clock, boot: boot) else { return }
        for ring in rings.indices {
            for index in rings[ring].contacts.indices {
                rings[ring].contacts[index].correctTimes(at: now)
            }
        }
    }

    /// Returns the number of message keys of a contact that a run may still take in flight.
    func room(for contact: Int64) -> Int {
        let others = underWay[contact] ?? 0
        let room = 100 - others - lost.reduce(0) { $0 + ($1.keys[contact] ?? 0) }
        return max(others > 0 ? 0 : 1, room)
    }

    /// Removes the keys in flight of dead runs. If a message has been written since then, its recipient
    /// can skip these keys.
    mutating func clearInFlight(_ passed: Set<Int64>) {
        for index in lost.indices { for contact in passed { lost[index].keys[contact] = nil } }
        lost.removeAll { $0.keys.isEmpty }
    }

    /// Returns the expected error if a contact is given this number, or nil if there is none.
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

    /// Removes the data that `adopt --restored` removes.
    mutating func forgetAll() {
        for ring in rings.indices {
            for index in rings[ring].contacts.indices {
                rings[ring].contacts[index].forget()
                rings[ring].contacts[index].isRestored = true
            }
        }
    }

    /// Returns the keyring that importing a backup restores.
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

/// Decides whether a keyring trusts the clock, as specified in smsenc-keyring(5). The simulation has no
/// separate monotonic clock.
struct TimeModel {
    static let release: Int64 = 1_795_478_400
    private var last: Int64 = 0
    private var jump: (boot: Int, time: Int64)?

    /// Returns the time to be used for a commit, or nil if the clock is not trusted.
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
