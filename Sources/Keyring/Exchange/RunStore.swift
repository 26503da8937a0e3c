internal import Crypto
internal import Protocol
internal import System

/// The records of running processes. They describe messages whose commit is durable but whose output may not
/// be written yet. A process has a number n and up to two records. When the process ends, the next process
/// reuses these records.
///
///     id      sealed under  content
///     2n      master key    length of the process's name (2), the name (`ProcessIdentity`), or empty if the
///                           records are free; the id of the identity in use (8), a count (4), then for each
///                           contact with keys in flight: the contact's id (8), the number of keys (4)
///     2n + 1  ring key      `RunContents`
///
/// When messages are encrypted, their keys are in flight until the ciphertexts are written. The keys of a
/// process that died remain in flight until another process has written a later message to the same contact.
/// This message advances the contact's receiving chain past the lost keys. If the conversation ends, these
/// keys are removed.
///
/// When messages are decrypted, their keys are stored until the frames are certainly written. If the process
/// dies before that, the next transaction moves these keys to the `ConversationPast` of each contact. The
/// messages can then be decrypted again. If the dead process has encrypted messages with receipts, these
/// receipts were possibly not sent. The messages that waited for these receipts therefore wait again.
struct RunStore {
    let store: KeyringStore

    // MARK: Keys in flight

    /// Returns the keys in flight of other processes.
    func keysInFlight() throws(KeyringError) -> InFlightKeys {
        var found = InFlightKeys()
        for (_, run) in try others() where !run.isFree {
            found.add(run.keysInFlight, isAlive: run.isAlive(store.keyring.clocks))
        }
        return found
    }

    /// Stores the number of keys that this process has in flight for each contact, and the receipts in the
    /// messages.
    func saveInFlight(
        _ keys: [ContactID: Int], _ receipts: [SentReceipt] = []
    ) throws(KeyringError) {
        let number = try ownNumber()
        let run = Run(of: store.keyring, keysInFlight: keys)
        if !receipts.isEmpty {
            var contents = try contents(of: run, number)
            contents.receipts = receipts
            try save(contents, number, in: store.keys.ring)
        }
        try save(run, number)
    }

    /// Records that this process no longer has keys in flight.
    ///
    /// - Parameter contacts: the contacts to whom a message was written. The keys that dead processes had in
    ///   flight for these contacts are removed.
    func clearInFlight(
        written contacts: Set<ContactID>, hasReceipts: Bool
    ) throws(KeyringError) {
        let own = try ownNumber()
        if hasReceipts {
            var contents = try contents(of: Run(of: store.keyring), own)
            contents.receipts = []
            try save(contents, own, in: store.keys.ring)
        }
        try free(own)
        for (number, run) in try others() { try removeInFlight(contacts, of: run, number) }
    }

    /// Removes the keys that a dead process had in flight for the given contacts. If the records of the
    /// process then contain nothing else, frees the records. Has no effect on a process that is alive.
    private func removeInFlight(
        _ contacts: Set<ContactID>, of run: Run, _ number: Int64
    ) throws(KeyringError) {
        var rest = run
        rest.keysInFlight = run.keysInFlight.filter { !contacts.contains($0.key) }
        guard rest.keysInFlight.count < run.keysInFlight.count,
            !run.isAlive(store.keyring.clocks)
        else { return }
        if rest.keysInFlight.isEmpty, try contents(of: rest, number).isEmpty {
            try free(number)
        } else {
            try save(rest, number)
        }
    }

    // MARK: Unwritten messages

    /// Stores the keys of the messages that were decrypted in this transaction.
    func add(
        _ chains: [ChainMessages], _ keys: [StoredMessageKey]
    ) throws(KeyringError) {
        let number = try ownNumber()
        let run = Run(of: store.keyring)
        var contents = try contents(of: run, number)
        contents.chains += chains
        contents.keys += keys
        try save(contents, number, in: store.keys.ring)
        try save(run, number)
    }

    /// Returns the places of messages that other processes have decrypted but not written yet, grouped by
    /// contact. Includes only messages of the identity in use.
    func unwrittenByOthers() throws(KeyringError) -> [ContactID: [MessagePlace]] {
        var found: [MessagePlace] = []
        for (number, run) in try others()
        where !run.isFree && run.identity == store.keys.ring.id {
            found += try contents(of: run, number).places
        }
        return Dictionary(grouping: found) { $0.direction.contact }
    }

    /// Deletes the keys of messages that this process has written.
    func delete(_ written: some Sequence<MessagePlace>) throws(KeyringError) {
        let number = try ownNumber()
        // The record is gone if the identity was removed in the meantime.
        guard store.tag(of: RecordName(.run, 2 * number + 1)) != nil else {
            return try free(number)
        }
        var contents = try contents(of: Run(of: store.keyring), number)
        contents.remove(written)
        try save(contents, number, in: store.keys.ring)
        if contents.isEmpty { try free(number) }
    }

    /// Deletes the keys of a contact's unwritten messages, and the keys that dead processes had in flight for
    /// the contact.
    func deleteKeys(of contact: ContactID, in ring: Ring) throws(KeyringError) {
        for (number, run) in try all() where !run.isFree {
            if run.identity == ring.id {
                let stored = try contents(of: run, number)
                var others = stored
                others.remove(contact)
                if others.count < stored.count { try save(others, number, in: ring) }
            }
            // The keys that a dead process had in flight belong to a conversation that has ended.
            try removeInFlight([contact], of: run, number)
        }
    }

    /// Deletes the keys of an identity's unwritten messages.
    func deleteUnwritten(of identity: Int64) throws(KeyringError) {
        for (number, run) in try all() where run.identity == identity {
            try store.delete(RecordName(.run, 2 * number + 1))
        }
    }

    /// Returns the record 2n + 1 of a process, or an empty record if it belongs to a transient identity of
    /// another session.
    private func contents(of run: Run, _ number: Int64) throws(KeyringError) -> RunContents {
        let name = RecordName(.run, 2 * number + 1)
        guard store.tag(of: name) != nil, let ring = try store.identities.openRing(run.identity)
        else { return RunContents() }
        return try store.read(name, under: ring.sealingKey, RunContents.init(from:))
            ?? RunContents()
    }

    private func save(
        _ contents: RunContents, _ number: Int64, in ring: Ring
    ) throws(KeyringError) {
        let name = RecordName(.run, 2 * number + 1)
        try store.save(name, under: ring.sealingKey, contents.write(to:))
    }

    // MARK: Numbers

    /// Returns the number of this process. If the process has no number yet, chooses a number whose records
    /// are free. If no records are free, chooses a new number.
    private func ownNumber() throws(KeyringError) -> Int64 {
        let (known, mark) = (store.keyring.knownRunNumber, store.keyring.file.mark.text)
        let runs = try all()
        if let known, runs.contains(where: { $0.number == known && $0.run.process == mark }) {
            return known
        }
        let free = runs.first { $0.run.isFree }
        let number = if let free { free.number } else { try randomID() >> 1 }
        if let free, free.run.identity != store.keys.ring.id {
            try store.delete(RecordName(.run, 2 * number + 1))
        }
        store.keyring.knownRunNumber = number
        return number
    }

    /// Makes the records of a process free for the next process. Overwriting two records changes fewer pages
    /// of the database than deleting them and inserting new records.
    private func free(_ number: Int64) throws(KeyringError) {
        if try all().contains(where: { $0.run.isFree && $0.number != number }) {
            return try delete(number)
        }
        guard var run = try run(number) else { return }
        (run.process, run.keysInFlight) = ("", [:])
        try save(run, number)
    }

    private func save(_ run: Run, _ number: Int64) throws(KeyringError) {
        let name = RecordName(.run, 2 * number)
        try store.save(name, under: store.keys.masterKeys.sealingKey, run.write(to:))
    }

    // MARK: Dead processes

    /// Takes over the records of dead processes. If a dead process possibly did not write a message, moves
    /// the key of this message to the contact's past. Leaves the keys of transient identities of other
    /// sessions, because their contacts cannot be opened.
    func takeOverDeadRuns() throws(KeyringError) {
        for (number, run) in try others()
        where !run.isFree && !run.isAlive(store.keyring.clocks) {
            // If the identity was removed, the contacts for whom the process had keys in flight were removed,
            // too.
            guard store.identities.exists(run.identity) else {
                try delete(number)
                continue
            }
            if store.tag(of: RecordName(.run, 2 * number + 1)) != nil {
                guard let ring = try store.identities.openRing(run.identity) else { continue }
                let contents = try contents(of: run, number)
                if !contents.isEmpty {
                    try readAgain(contents.messages(), in: ring)
                    try waitAgain(contents.receipts, in: ring)
                    try save(RunContents(), number, in: ring)
                }
            }
            if run.keysInFlight.isEmpty { try free(number) }
        }
    }

    private func readAgain(
        _ messages: [StoredMessageKey], in ring: Ring
    ) throws(KeyringError) {
        let contacts = store.contacts
        for (contact, messages) in Dictionary(grouping: messages, by: { $0.direction.contact }) {
            guard let state = try contacts.state(contact, in: ring) else { continue }
            var past = try contacts.past(of: state)
            for message in messages
            where state.receiving == message.direction {
                past.readAgain(message.key)
            }
            guard past.isChanged else { continue }
            try contacts.save(past, of: state)
            try contacts.save(state)
        }
    }

    private func waitAgain(_ receipts: [SentReceipt], in ring: Ring) throws(KeyringError) {
        for receipt in receipts {
            guard let state = try store.contacts.state(receipt.contact, in: ring) else { continue }
            state.waiting.merge(receipt.before, ofReceiptIn: receipt.commit)
            try store.contacts.save(state)
        }
    }

    func deleteAll() throws(KeyringError) {
        for id in store.ids(of: .run) { try store.delete(RecordName(.run, id)) }
    }

    private func delete(_ number: Int64) throws(KeyringError) {
        try store.delete(RecordName(.run, 2 * number))
        try store.delete(RecordName(.run, 2 * number + 1))
    }

    /// Opens the records 2n + 1 of all processes, and returns the number of records that cannot be opened.
    func openAll() throws(KeyringError) -> Int {
        var unseen = 0
        for (number, run) in try all() where store.tag(of: RecordName(.run, 2 * number + 1)) != nil
        {
            if try store.identities.openRing(run.identity) != nil {
                _ = try contents(of: run, number)
            } else {
                unseen += 1
            }
        }
        return unseen
    }

    /// Returns true if another process that has records is alive.
    func hasLiveProcess() throws(KeyringError) -> Bool {
        try others().contains { $0.run.isAlive(store.keyring.clocks) }
    }

    private func others() throws(KeyringError) -> [(number: Int64, run: Run)] {
        let (known, mark) = (store.keyring.knownRunNumber, store.keyring.file.mark.text)
        return try all().filter { $0.number != known || $0.run.process != mark }
    }

    private func all() throws(KeyringError) -> [(number: Int64, run: Run)] {
        var found: [(number: Int64, run: Run)] = []
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

/// The keys in flight of other processes. These message keys were committed, but their ciphertexts have not
/// been written yet.
struct InFlightKeys {
    /// The number of keys that running processes have in flight for each contact.
    private var ofLiveProcesses: [ContactID: Int] = [:]
    private var ofDeadProcesses: [ContactID: Int] = [:]

    mutating func add(_ keys: [ContactID: Int], isAlive: Bool) {
        for (contact, count) in keys {
            if isAlive {
                ofLiveProcesses[contact, default: 0] += count
            } else {
                ofDeadProcesses[contact, default: 0] += count
            }
        }
    }

    /// Returns how many message keys this process may have in flight for a contact.
    ///
    /// If other processes already have all permitted keys in flight, the result is 0. If only dead processes
    /// have keys in flight, the result is at least 1, so that messages can still be sent to the contact.
    func room(for contact: ContactID) -> Int {
        let live = ofLiveProcesses[contact] ?? 0
        let dead = ofDeadProcesses[contact] ?? 0
        let room = Sending.maximumKeysInFlight - live - dead
        return live > 0 ? max(0, room) : max(1, room)
    }
}
