internal import Crypto
internal import Protocol
internal import System

/// The records of running processes, which belong to messages between a commit and its output. A process with
/// number n has up to two records:
///
///     id      sealed under  content
///     2n      master key    length of the process's identity (2), the identity (`ProcessIdentity`), the id of
///                           the identity in use (8), a count (4), then for each contact with keys in flight:
///                           the contact's id (8), the number of keys (4)
///     2n + 1  ring key      a count (4), then for each message that was decrypted but not written yet:
///                           `StoredMessageKey`
///
/// When messages are encrypted, their keys are in flight until the ciphertexts are written. The keys in flight
/// of a process that died count until a later message to that contact is written, because this message moves
/// the contact's receiving chain past the lost keys.
///
/// When messages are decrypted, their keys are stored until the frames are certainly written. If the process
/// dies first, the next transaction moves these keys to the pasts of the contacts, so that the messages can be
/// decrypted again.
struct RunStore {
    let store: KeyringStore

    // MARK: Keys in flight

    /// Returns the keys in flight of other processes.
    func keysInFlight() throws(KeyringError) -> InFlightKeys {
        var found = InFlightKeys()
        for (_, run) in try others() {
            let isAlive = run.isAlive(store.keyring.clocks)
            found.add(run.keysInFlight, isAlive: isAlive)
        }
        return found
    }

    /// Replaces the stored keys in flight of this process.
    func saveInFlight(_ keys: [ContactID: Int]) throws(KeyringError) {
        try save(Run(of: store.keyring, keysInFlight: keys), try store.keyring.runNumber())
    }

    /// Records that this process no longer has keys in flight.
    ///
    /// - Parameter contacts: the contacts to whom a message was written. Keys that dead processes had in
    ///   flight for these contacts no longer count.
    func clearInFlight(written contacts: Set<ContactID>) throws(KeyringError) {
        try saveInFlight([:])
        for (number, run) in try others()
        where !run.isAlive(store.keyring.clocks)
            && run.keysInFlight.keys.contains(where: { contacts.contains($0) })
        {
            var dead = run
            dead.keysInFlight = run.keysInFlight.filter { !contacts.contains($0.key) }
            try save(dead, number)
        }
    }

    /// Writes the record 2n of a process, or deletes it if it is not needed.
    private func save(_ run: Run, _ number: Int64) throws(KeyringError) {
        let name = RecordName(.run, 2 * number)
        if run.keysInFlight.isEmpty, store.tag(of: RecordName(.run, 2 * number + 1)) == nil {
            return try store.delete(name)
        }
        try store.save(run.encoded(), as: name, under: store.keys.masterKeys.sealingKey)
    }

    // MARK: Unwritten messages

    /// Stores the keys of the messages that this commit decrypts.
    func add(_ messages: [StoredMessageKey]) throws(KeyringError) {
        let number = try store.keyring.runNumber()
        let stored = try unwritten(number, in: store.keys.ring)
        try save(stored + messages, number, in: store.keys.ring)
        if try run(number) == nil { try save(Run(of: store.keyring), number) }
    }

    /// Returns the number of messages of each contact of this identity that other processes have not written.
    func unwrittenByOthers() throws(KeyringError) -> [ContactID: Int] {
        var found: [ContactID: Int] = [:]
        for (number, run) in try others() where run.identity == store.keys.ring.id {
            for message in try unwritten(number, in: store.keys.ring) {
                found[message.place.contact, default: 0] += 1
            }
        }
        return found
    }

    /// Deletes the keys of messages of this process that were written.
    func delete(_ written: some Sequence<StoredMessageKey>) throws(KeyringError) {
        let (number, ring) = (try store.keyring.runNumber(), store.keys.ring)
        let places = Set(written.map { $0.place })
        try save(
            try unwritten(number, in: ring).filter { !places.contains($0.place) }, number, in: ring)
        if let run = try run(number) { try save(run, number) }
    }

    /// Deletes the keys of a contact's messages, of all processes.
    func deleteKeys(of contact: ContactID, in ring: Ring) throws(KeyringError) {
        for (number, run) in try all() where run.identity == ring.id {
            let stored = try unwritten(number, in: ring)
            let others = stored.filter { $0.place.contact != contact }
            if others.count < stored.count { try save(others, number, in: ring) }
        }
    }

    /// Deletes the keys of the messages of an identity, of all processes.
    func deleteUnwritten(of identity: Int64) throws(KeyringError) {
        for (number, run) in try all() where run.identity == identity {
            try store.delete(RecordName(.run, 2 * number + 1))
        }
    }

    private func unwritten(
        _ number: Int64, in ring: Ring
    ) throws(KeyringError) -> [StoredMessageKey] {
        let name = RecordName(.run, 2 * number + 1)
        return try store.read(name, under: ring.sealingKey) { (record) throws(InvalidRecord) in
            var messages: [StoredMessageKey] = []
            for _ in 0..<(try record.integer() as UInt32) {
                messages.append(try StoredMessageKey(from: &record))
            }
            return messages
        } ?? []
    }

    private func save(
        _ messages: [StoredMessageKey], _ number: Int64, in ring: Ring
    ) throws(KeyringError) {
        let name = RecordName(.run, 2 * number + 1)
        if messages.isEmpty { return try store.delete(name) }
        var record = SecretWriter(padding: 4 + messages.count * StoredMessageKey.size)
        record.put(UInt32(messages.count))
        for message in messages { message.write(to: &record) }
        try store.save(record.finish(), as: name, under: ring.sealingKey)
    }

    // MARK: Dead processes

    /// Moves the keys of messages that dead processes possibly did not write to the contacts' pasts. The
    /// contacts of transient identities of other sessions cannot be opened here, so their keys remain.
    func takeOverDeadRuns() throws(KeyringError) {
        for (number, run) in try others() where !run.isAlive(store.keyring.clocks) {
            if store.tag(of: RecordName(.run, 2 * number + 1)) != nil {
                guard let ring = try store.identities.openRing(run.identity) else { continue }
                try readAgain(try unwritten(number, in: ring), in: ring)
                try save([], number, in: ring)
            }
            if run.keysInFlight.isEmpty { try delete(number) }
        }
    }

    private func readAgain(
        _ messages: [StoredMessageKey], in ring: Ring
    ) throws(KeyringError) {
        let contacts = store.contacts
        for (contact, messages) in Dictionary(grouping: messages, by: { $0.place.contact }) {
            guard let state = try contacts.state(contact, in: ring) else { continue }
            var past = try contacts.past(of: state)
            for message in messages
            where state.conversation?.receiving.name == message.place.conversation {
                message.key.withSpan { past.readAgain($0, at: message.place.position) }
            }
            guard past.isChanged else { continue }
            try contacts.save(past, of: state)
            try contacts.save(state)
        }
    }

    /// Deletes the records of all processes.
    func deleteAll() throws(KeyringError) {
        for id in store.ids(of: .run) { try store.delete(RecordName(.run, id)) }
    }

    private func delete(_ number: Int64) throws(KeyringError) {
        try store.delete(RecordName(.run, 2 * number))
        try store.delete(RecordName(.run, 2 * number + 1))
    }

    /// Opens all records of processes, and returns the number of those that cannot be opened here.
    func openAll() throws(KeyringError) -> Int {
        var unseen = 0
        for (number, run) in try all() where store.tag(of: RecordName(.run, 2 * number + 1)) != nil
        {
            if let ring = try store.identities.openRing(run.identity) {
                _ = try unwritten(number, in: ring)
            } else {
                unseen += 1
            }
        }
        return unseen
    }

    /// True if another process that has records is alive.
    func hasLiveProcess() throws(KeyringError) -> Bool {
        try others().contains { $0.run.isAlive(store.keyring.clocks) }
    }

    private func others() throws(KeyringError) -> [(number: Int64, run: Run)] {
        try all().filter { $0.number != store.keyring.knownRunNumber }
    }

    private func all() throws(KeyringError) -> [(number: Int64, run: Run)] {
        var found: [(Int64, Run)] = []
        for id in store.ids(of: .run) where id % 2 == 0 {
            if let run = try run(id / 2) { found.append((id / 2, run)) }
        }
        return found
    }

    private func run(_ number: Int64) throws(KeyringError) -> Run? {
        try store.read(
            RecordName(.run, 2 * number), under: store.keys.masterKeys.sealingKey, Run.init(from:))
    }
}

/// The record 2n of a process.
private struct Run {
    /// The process (`ProcessIdentity`).
    let process: String
    /// The id of the identity whose ring key seals the record 2n + 1.
    let identity: Int64
    /// The number of message keys in flight, by contact.
    var keysInFlight: [ContactID: Int]

    init(of keyring: Keyring, keysInFlight: [ContactID: Int] = [:]) {
        process = keyring.file.mark.text
        identity = keyring.keys.ring.id
        self.keysInFlight = keysInFlight
    }

    init(from record: inout SecretReader) throws(InvalidRecord) {
        process = try record.text(Int(try record.integer() as UInt16))
        identity = try record.integer()
        keysInFlight = [:]
        for _ in 0..<(try record.integer() as UInt32) {
            let contact = ContactID(try record.integer())
            keysInFlight[contact, default: 0] += Int(try record.integer() as UInt32)
        }
    }

    func encoded() -> SecretBytes {
        let utf8 = Array(process.utf8)
        var record = SecretWriter(padding: 14 + utf8.count + 12 * keysInFlight.count)
        record.put(UInt16(clamping: utf8.count))
        record.put(utf8.span)
        record.put(identity)
        record.put(UInt32(clamping: keysInFlight.count))
        for (contact, count) in keysInFlight {
            record.put(contact.number)
            record.put(UInt32(clamping: count))
        }
        return record.finish()
    }

    func isAlive(_ clocks: Clocks) -> Bool { ProcessIdentity(text: process).isAlive(clocks) }
}

/// The message key of a message that was decrypted, with the place of the message. The stored form contains the contact's id (8
/// bytes), the name of the direction of the conversation (8), the position (8), and the message key (64).
final class StoredMessageKey {
    static let size = 16 + KeyPosition.size + MessageKey.size

    /// The place of a message among all messages of all contacts.
    struct Place: Hashable {
        let contact: ContactID
        let conversation: UInt64
        let position: KeyPosition
    }

    let place: Place
    let key: SecretBytes

    init(_ key: SpentKey, of state: ContactState) {
        place = Place(
            contact: state.contact, conversation: state.conversation?.receiving.name ?? 0,
            position: key.position)
        self.key = key.bytes.duplicate()
    }

    init(from record: inout SecretReader) throws(InvalidRecord) {
        place = Place(
            contact: ContactID(try record.integer()), conversation: try record.integer(),
            position: try KeyPosition(from: &record))
        key = try record.secret(MessageKey.size)
    }

    func write(to record: inout SecretWriter) {
        record.put(place.contact.number)
        record.put(place.conversation)
        place.position.write(to: &record)
        record.put(key)
    }
}

/// The keys in flight of other processes: message keys that were committed, but whose ciphertexts have not
/// been written yet.
struct InFlightKeys {
    /// The number of keys that running processes have in flight, by contact.
    private var ofLiveProcesses: [ContactID: Int] = [:]
    private var ofDeadProcesses: [ContactID: Int] = [:]

    /// Adds the keys of a process.
    mutating func add(_ keys: [ContactID: Int], isAlive: Bool) {
        for (contact, count) in keys {
            if isAlive {
                ofLiveProcesses[contact, default: 0] += count
            } else {
                ofDeadProcesses[contact, default: 0] += count
            }
        }
    }

    /// Returns the number of message keys of a contact that this process may have in flight.
    ///
    /// The result is 0 if other processes already use all keys that may be in flight. If only dead
    /// processes hold keys, the result is at least 1, so that messages can still be sent to the contact.
    func room(for contact: ContactID) -> Int {
        let live = ofLiveProcesses[contact] ?? 0
        let dead = ofDeadProcesses[contact] ?? 0
        let room = Sending.maximumKeysInFlight - live - dead
        return live > 0 ? max(0, room) : max(1, room)
    }
}
