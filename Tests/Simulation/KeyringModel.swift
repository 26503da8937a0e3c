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
    var used: Set<Use> = []
    /// Keys that were in flight when a run was killed, by contact.
    var lost: [[ContactID: Int]] = []
    /// Keys in flight of the suspended run, while another process works.
    var underWay: [ContactID: Int] = [:]

    /// Creates the model of a keyring without contacts.
    ///
    /// - Parameter ids: the ids of the identities, which are random.
    init(identities ids: [Int64]) {
        rings = ids.enumerated().map { Ring(identity: $0.offset, id: $0.element) }
    }

    /// Returns the number of message keys of a contact that a run may still take in flight.
    func room(for contact: ContactID) -> Int {
        let others = underWay[contact] ?? 0
        let room = 100 - others - lost.reduce(0) { $0 + ($1[contact] ?? 0) }
        return max(others > 0 ? 0 : 1, room)
    }

    /// Removes the keys in flight of dead runs for contacts to whom a message was written since then, so that
    /// the recipient can skip these keys, and for contacts whose conversation was erased.
    mutating func clearInFlight(_ passed: Set<ContactID>) {
        for index in lost.indices { for contact in passed { lost[index][contact] = nil } }
        lost.removeAll { $0.isEmpty }
    }

    /// Returns the expected error if a contact is given this number, or nil if there is none.
    func fault(ofNumber number: String, in ring: Int) -> KeyringError? {
        if let holder = rings[ring].contacts.first(where: { $0.number == number }) {
            return .contact(.numberTaken(number, holder.name))
        }
        let others = rings.filter { other in
            other.id != rings[ring].id && other.contacts.contains { $0.number == number }
        }
        return others.first.map { .contact(.knownAs(number, Self.identity($0))) }
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
        (lost, underWay) = ([], [:])
        for ring in rings.indices {
            for index in rings[ring].contacts.indices {
                rings[ring].contacts[index].forget()
                rings[ring].contacts[index].isRestored = true
            }
        }
    }

    /// Returns the keyring that importing a backup restores. The ids remain the same.
    func restored() -> KeyringModel {
        var copy = KeyringModel(identities: rings.map(\.id))
        copy.used = used
        for (index, ring) in rings.enumerated() {
            copy.rings[index].contacts = ring.contacts.map { contact in
                var again = ContactModel(
                    contact.peer, id: contact.id, name: contact.name, number: contact.number)
                again.isRestored = true
                return again
            }
        }
        return copy
    }
}
