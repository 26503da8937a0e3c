internal import Crypto
internal import Protocol
internal import System

/// The records of running processes. These records describe messages that were committed, but may not have
/// been written to the output yet. A process has a number n and up to two records. When the process ends,
/// the next process reuses these records.
///
///     id      sealed under  content
///     2n      master key    name of the process (`ProcessIdentity`) as text, or empty if the records are
///                           free; the id of the identity in use (8); a list of the contacts with keys in
///                           flight: the contact's id (8), the number of keys (4)
///     2n + 1  ring key      `RunContents`
///
/// When messages are encrypted, their keys are in flight until the ciphertexts are written. The keys of a
/// process that died remain in flight until another process has written a later message to the same
/// contact. The later message advances the contact's receiving chain past the lost keys. If the
/// conversation ends, the lost keys are removed.
///
/// The keys of decrypted messages are stored until the decrypted frames are certainly written. If the
/// process dies before the frames are written, the next transaction moves the keys of the messages to the
/// `ConversationPast` of each contact. This move makes it possible to decrypt the messages again. If the
/// dead process has encrypted messages with receipts, these receipts were possibly not sent. The messages
/// that waited for these receipts therefore wait again.
struct RunStore {
    let store: KeyringStore

    // MARK: Keys in flight

    /// Returns the maximum number of message keys that this process may have in flight for each contact.
    /// The result contains only contacts for whom other processes have keys in flight. For all other
    /// contacts, the maximum is `Sending.maximumKeysInFlight`.
    ///
    /// If other processes already have all permitted keys in flight, the maximum is 0. If only dead
    /// processes have keys in flight, at least one more key is permitted. Otherwise, the keys of dead
    /// processes could prevent all further messages to the contact.
    func room() throws(KeyringError) -> [ContactID: Int] {
        var inFlight: [ContactID: Int] = [:]
        var contactsOfLiveProcesses: Set<ContactID> = []
        for run in try others() where !run.isFree {
            for (contact, count) in run.keysInFlight { inFlight[contact, default: 0] += count }
            if isAlive(run) { contactsOfLiveProcesses.formUnion(run.keysInFlight.keys) }
        }
        for (contact, count) in inFlight {
            let minimum = contactsOfLiveProcesses.contains(contact) ? 0 : 1
            inFlight[contact] = max(minimum, Sending.maximumKeysInFlight - count)
        }
        return inFlight
    }

    /// Stores how many keys this process has in flight for each contact. Also stores the receipts that the
    /// encrypted messages contain.
    func saveInFlight(
        _ keys: [ContactID: Int], _ receipts: [SentReceipt] = []
    ) throws(KeyringError) {
        var run = try own()
        run.keysInFlight = keys
        if !receipts.isEmpty { try changeContents(of: run) { $0.receipts = receipts } }
        try save(run)
    }

    /// Records that this process no longer has keys in flight.
    ///
    /// - Parameter contacts: the contacts to whom a message was written. The keys that dead processes had in
    ///   flight for these contacts are removed.
    func clearInFlight(
        written contacts: Set<ContactID>, hasReceipts: Bool
    ) throws(KeyringError) {
        let run = try own()
        if hasReceipts { try changeContents(of: run) { $0.receipts = [] } }
        try free(run)
        for run in try others() { try removeInFlight(contacts, of: run) }
    }

    /// Removes the keys that a dead process had in flight for the given contacts. If the records of the
    /// dead process contain no other data, frees these records. Has no effect on a process that is alive.
    private func removeInFlight(
        _ contacts: Set<ContactID>, of run: Run
    ) throws(KeyringError) {
        var rest = run
        rest.keysInFlight = run.keysInFlight.filter { !contacts.contains($0.key) }
        guard rest.keysInFlight.count < run.keysInFlight.count, !isAlive(run) else { return }
        if rest.keysInFlight.isEmpty, try contents(of: run).isEmpty { return try free(run) }
        try save(rest)
    }

    // MARK: Unwritten messages

    /// Stores the keys of the messages that were decrypted in this transaction.
    func add(
        _ chains: [ChainMessages], _ keys: [StoredMessageKey]
    ) throws(KeyringError) {
        let run = try own()
        try changeContents(of: run) { (contents) in
            contents.chains += chains
            contents.keys += keys
        }
        try save(run)
    }

    /// Returns the places of messages that other processes have decrypted but not written yet, grouped by
    /// contact. Includes only messages of the identity in use.
    func unwrittenByOthers() throws(KeyringError) -> [ContactID: [MessagePlace]] {
        var found: [MessagePlace] = []
        for run in try others() where !run.isFree && run.identity == store.keyring.ring.id {
            found += try contents(of: run).places
        }
        return Dictionary(grouping: found) { $0.direction.contact }
    }

    /// Deletes the keys of the messages that this process has written to the output.
    func delete(_ written: some Sequence<MessagePlace>) throws(KeyringError) {
        let run = try own()
        // The record is gone if the identity was removed in the meantime.
        guard store.tag(of: run.contentsName) != nil else { return try free(run) }
        if try changeContents(of: run, { $0.remove(written) }).isEmpty { try free(run) }
    }

    /// Deletes the keys of a contact's unwritten messages, and the keys that dead processes had in flight for
    /// the contact.
    func deleteKeys(of contact: ContactID, in ring: Ring) throws(KeyringError) {
        for run in try all() where !run.isFree {
            if run.identity == ring.id, try !contents(of: run).isEmpty {
                try changeContents(of: run) { $0.remove(contact) }
            }
            // The keys that a dead process had in flight belong to a conversation that has ended.
            try removeInFlight([contact], of: run)
        }
    }

    /// Deletes the keys of an identity's unwritten messages.
    func deleteUnwritten(of identity: Int64) throws(KeyringError) {
        for run in try all() where run.identity == identity { try store.delete(run.contentsName) }
    }

    /// Returns the second record of a process. If the second record belongs to a transient identity of
    /// another session, returns an empty record.
    private func contents(of run: Run) throws(KeyringError) -> RunContents {
        guard store.tag(of: run.contentsName) != nil,
            let ring = try store.identities.openRing(run.identity)
        else { return RunContents() }
        return try store.read(run.contentsName, under: ring.sealingKey, RunContents.init(from:))
            ?? RunContents()
    }

    /// Changes the second record of a process, and returns the changed record.
    ///
    /// - Throws: `noSession` if the record belongs to a transient identity of another session.
    @discardableResult
    private func changeContents(
        of run: Run, _ change: (inout RunContents) -> Void
    ) throws(KeyringError) -> RunContents {
        guard let ring = try store.identities.openRing(run.identity) else {
            throw .identity(.noSession)
        }
        var contents = try contents(of: run)
        change(&contents)
        try store.save(run.contentsName, under: ring.sealingKey, contents.write(to:))
        return contents
    }

    // MARK: Records of processes

    /// Returns the first record of this process, but without its keys in flight. If the process has no
    /// records yet, reuses the empty records of a process that has finished, or chooses a new number.
    private func own() throws(KeyringError) -> Run {
        let (runs, keyring) = (try all(), store.keyring)
        if let known = runs.first(where: isOwn) { return Run(known.number, of: keyring) }
        let free = runs.first { $0.isFree }
        let number = if let free { free.number } else { try randomID() >> 1 }
        let run = Run(number, of: keyring)
        if let free, free.identity != run.identity { try store.delete(run.contentsName) }
        keyring.knownRunNumber = number
        return run
    }

    /// Makes the records of a process free for the next process. Overwriting two records changes fewer pages
    /// of the database than deleting them and inserting new records.
    private func free(_ run: Run) throws(KeyringError) {
        let runs = try all()
        if runs.contains(where: { $0.isFree && $0.number != run.number }) { return try delete(run) }
        guard var run = runs.first(where: { $0.number == run.number }) else { return }
        (run.process, run.keysInFlight) = ("", [:])
        try save(run)
    }

    private func save(_ run: Run) throws(KeyringError) {
        try store.save(run.name, under: store.keyring.masterKeys.sealingKey, run.write(to:))
    }

    private func delete(_ run: Run) throws(KeyringError) {
        try store.delete(run.name)
        try store.delete(run.contentsName)
    }

    func deleteAll() throws(KeyringError) {
        for id in store.ids(of: .run) { try store.delete(RecordName(.run, id)) }
    }

    private func isAlive(_ run: Run) -> Bool {
        ProcessIdentity(text: run.process).isAlive(store.keyring.clocks)
    }

    private func isOwn(_ run: Run) -> Bool {
        run.number == store.keyring.knownRunNumber && run.process == store.keyring.file.mark.text
    }

    private func others() throws(KeyringError) -> [Run] { try all().filter { !isOwn($0) } }

    private func all() throws(KeyringError) -> [Run] {
        var found: [Run] = []
        for id in store.ids(of: .run) where id % 2 == 0 {
            let run = try store.read(
                RecordName(.run, id), under: store.keyring.masterKeys.sealingKey
            ) { (record) throws(InvalidRecord) in try Run(id / 2, from: &record) }
            if let run { found.append(run) }
        }
        return found
    }

    /// Returns true if another process that has records is alive.
    func hasLiveProcess() throws(KeyringError) -> Bool { try others().contains(where: isAlive) }

    /// Opens the second records of all processes, and returns the number of records that cannot be opened.
    func openAll() throws(KeyringError) -> Int {
        var unseen = 0
        for run in try all() where store.tag(of: run.contentsName) != nil {
            if try store.identities.openRing(run.identity) == nil { unseen += 1 }
            _ = try contents(of: run)
        }
        return unseen
    }

    // MARK: Dead processes

    /// Takes over the records of dead processes. If a dead process possibly did not write a message, moves
    /// the key of this message to the contact's past. Leaves the keys of transient identities of other
    /// sessions, because their contacts cannot be opened.
    func takeOverDeadRuns() throws(KeyringError) {
        for run in try others() where !run.isFree && !isAlive(run) {
            // If the identity was removed, the contacts for whom the process had keys in flight were removed,
            // too.
            guard store.identities.exists(run.identity) else {
                try delete(run)
                continue
            }
            if store.tag(of: run.contentsName) != nil {
                guard let ring = try store.identities.openRing(run.identity) else { continue }
                let contents = try contents(of: run)
                if !contents.isEmpty {
                    try readAgain(contents.messages(), in: ring)
                    try waitAgain(contents.receipts, in: ring)
                    try changeContents(of: run) { $0 = RunContents() }
                }
            }
            if run.keysInFlight.isEmpty { try free(run) }
        }
    }

    private func readAgain(
        _ messages: [StoredMessageKey], in ring: Ring
    ) throws(KeyringError) {
        let contacts = store.contacts(in: ring)
        for (contact, messages) in Dictionary(grouping: messages, by: { $0.direction.contact }) {
            guard let state = try contacts.state(contact) else { continue }
            var past = try contacts.past(of: state)
            for message in messages where state.receiving == message.direction {
                past.readAgain(message.key)
            }
            guard past.isChanged else { continue }
            try contacts.save(past, of: state)
            try contacts.save(state)
        }
    }

    private func waitAgain(_ receipts: [SentReceipt], in ring: Ring) throws(KeyringError) {
        let contacts = store.contacts(in: ring)
        for receipt in receipts {
            guard let state = try contacts.state(receipt.contact) else { continue }
            state.waiting.merge(receipt.before, ofReceiptIn: receipt.commit)
            try contacts.save(state)
        }
    }
}
