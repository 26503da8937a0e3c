internal import Crypto
internal import Protocol
internal import System

/// The keys of messages that are in transit between the keyring and the output.
///
/// When messages are encrypted, their keys are in flight until the ciphertexts are written. Each process that
/// writes ciphertexts has one sealed row. For each contact, the row contains the contact's id (8 bytes) and
/// the number of keys in flight (4 bytes).
///
/// When messages are decrypted, their keys are unwritten until the frames are certainly written. If a process
/// dies first, other processes try these keys again. Each commit has one row, which is sealed under the
/// ring's key. The record has one entry per message, in the order of the messages. An entry consists of the
/// contact's id (8 bytes), which is 0 if the entry was removed, the time (8), and the message key (64).
struct TransitStore {
    private static let entrySize = 16 + MessageKey.size

    /// Maximum number of entries in a row. The number of a key is the id of its row times this maximum, plus
    /// the position of the key in the row.
    private static let entriesPerRow: Int64 = 1 << 20

    let store: KeyringStore
    private var mark: ProcessIdentity { store.keyring.file.mark }

    // MARK: Keys in flight

    /// Returns the keys in flight of other processes.
    func keysInFlight() throws(KeyringError) -> InFlightKeys {
        var found = InFlightKeys()
        let (mark, clocks) = (mark.text, store.keyring.clocks)
        try store.forEachRow(.inFlight) { (stored) throws(KeyringError) in
            let process = stored.row.process
            guard process != mark else { return }
            let isAlive = ProcessIdentity(text: process).isAlive(clocks)
            found.add(try keysInFlight(in: stored), of: process, isAlive: isAlive)
        }
        return found
    }

    /// Opens the row of a process, and returns the number of keys in flight by contact.
    func keysInFlight(in stored: StoredRow) throws(KeyringError) -> [Int64: Int] {
        try stored.read(store.keys.masterKeys.sealingKey) { (record) throws(InvalidRecord) in
            var keys: [Int64: Int] = [:]
            while record.remaining > 0 {
                let contact: Int64 = try record.integer()
                keys[contact, default: 0] += Int(clamping: try record.integer() as UInt32)
            }
            return keys
        }
    }

    /// Replaces the stored keys in flight of a process, which is this process by default.
    func saveInFlight(
        _ keys: [Int64: Int], of process: String? = nil
    ) throws(KeyringError) {
        let row = Row(.inFlight, [Array((process ?? mark.text).utf8)])
        guard !keys.isEmpty else { return try store.delete(row) }
        var record = SecretWriter(capacity: 12 * keys.count)
        for (contact, count) in keys {
            record.put(contact)
            record.put(UInt32(clamping: count))
        }
        try store.save(record.finish(), as: row, under: store.keys.masterKeys.sealingKey)
    }

    /// Records that this process no longer has keys in flight.
    ///
    /// - Parameter contacts: the contacts to whom a message was written. Keys that dead processes had in
    ///   flight for these contacts no longer count.
    func clearInFlight(written contacts: Set<Int64>) throws(KeyringError) {
        try saveInFlight([:])
        for (process, keys) in try keysInFlight().ofDeadProcesses
        where keys.keys.contains(where: { contacts.contains($0) }) {
            try saveInFlight(keys.filter { !contacts.contains($0.key) }, of: process)
        }
    }

    // MARK: Unwritten keys

    /// Stores the keys of the messages that are decrypted in this commit. The messages are written to the
    /// output only after the commit.
    func saveUnwritten(
        _ messages: [(contact: Int64, key: SpentKey)]
    ) throws(KeyringError) {
        let since = store.now ?? SkippedKeys.untimed
        var record = SecretWriter(capacity: Self.entrySize * messages.count)
        for (contact, key) in messages {
            record.put(contact)
            record.put(since)
            record.put(key.bytes)
        }
        let ring = store.keys.ring
        let commit = Int64(bitPattern: store.header.commits + 1)
        let row = Row(.unwritten, id: commit, number: ring.id, [Array(mark.text.utf8)])
        try store.save(record.finish(), as: row, under: ring.sealingKey)
        store.header.oldestKeyTime = min(store.header.oldestKeyTime, since)
    }

    /// Deletes the unwritten keys of a commit after messages were written.
    ///
    /// - Parameter count: the number of messages that were written, counted from the first message of the
    ///   commit, or nil if all messages were written.
    func deleteUnwritten(since commit: UInt64, _ count: Int?) throws(KeyringError) {
        let id = Int64(bitPattern: commit)
        guard let row = try store.database.first(.unwritten, of: id)?.row else { return }
        guard let count else { return try store.delete(row) }
        let end = id * Self.entriesPerRow + Int64(count)
        try filterUnwritten([row], in: store.keys.ring) { (number, _, _, _) in number >= end }
    }

    /// Deletes unwritten keys that dead processes left, after their messages were decrypted again.
    func deleteUnwritten(_ numbers: Set<Int64>) throws(KeyringError) {
        guard !numbers.isEmpty else { return }
        try filterUnwritten(in: store.keys.ring) { (number, _, _, _) in !numbers.contains(number) }
    }

    /// Returns the unwritten keys of a contact that dead processes left. A transaction determines the dead
    /// processes only once, and does not notice if another process dies later.
    func keysOfDeadProcesses(for state: ContactState) throws(KeyringError) -> [SkippedKey] {
        let ring = state.ring
        if let known = store.keysOfDeadProcesses[ring.id] { return known[state.contact] ?? [] }
        var found: [Int64: [SkippedKey]] = [:]
        let (mark, clocks) = (mark.text, store.keyring.clocks)
        let rows = try unwrittenRows(inRing: ring.id).filter {
            $0.process != mark && !ProcessIdentity(text: $0.process).isAlive(clocks)
        }
        try filterUnwritten(rows, in: ring) { (number, contact, since, key) in
            let key = MessageKey(stored: key.duplicate())
            found[contact, default: []].append(SkippedKey(number: number, key: key, since: since))
            return true
        }
        store.keysOfDeadProcesses[ring.id] = found
        return found[state.contact] ?? []
    }

    /// Returns the rows of table `unwritten` that belong to a ring.
    func unwrittenRows(inRing ring: Int64) throws(KeyringError) -> [Row] {
        var found: [Row] = []
        try store.forEachRow(.unwritten) { (stored) in
            if stored.row.number == ring { found.append(stored.row) }
        }
        return found
    }

    /// Erases the expired unwritten keys of a ring, and sets missing times and times in the future to now.
    func eraseExpiredKeys(in ring: Ring, at now: Int64) throws(KeyringError) {
        try filterUnwritten(in: ring, settledAt: now) { (_, _, since, _) in
            if SkippedKeys.isExpired(since, at: now) { return false }
            store.header.oldestKeyTime = min(store.header.oldestKeyTime, since)
            return true
        }
    }

    /// Passes each key of the given rows, or of all rows of a ring, to `isKept`, and erases the keys for
    /// which `isKept` returns false.
    ///
    /// - Parameters:
    ///   - now: the time to set if a time is missing or in the future.
    ///   - isKept: receives a key's number, its contact's id, its time, and the key.
    func filterUnwritten(
        _ rows: [Row]? = nil, in ring: Ring, settledAt now: Int64? = nil,
        _ isKept: (Int64, Int64, Int64, borrowing SecretBytes) -> Bool
    ) throws(KeyringError) {
        let rows = if let rows { rows } else { try unwrittenRows(inRing: ring.id) }
        for row in rows {
            guard let stored = try store.stored(row) else { continue }
            var (before, after, hasSetTimes) = (0, 0, false)
            let rest = try stored.read(ring.sealingKey) { (record) throws(InvalidRecord) in
                var rest = SecretWriter(capacity: record.remaining)
                var number = row.id * Self.entriesPerRow
                while record.remaining > 0 {
                    let contact: Int64 = try record.integer()
                    let stored: Int64 = try record.integer()
                    let since = now.map { SkippedKeys.settled(stored, at: $0) } ?? stored
                    let key = try record.secret(MessageKey.size)
                    defer { number += 1 }
                    if contact != 0 {
                        before += 1
                        if since != stored { hasSetTimes = true }
                    }
                    guard contact != 0, isKept(number, contact, since, key) else {
                        rest.skip(Self.entrySize)
                        continue
                    }
                    after += 1
                    rest.put(contact)
                    rest.put(since)
                    rest.put(key)
                }
                return rest.finish()
            }
            guard after < before || hasSetTimes else { continue }
            if after == 0 {
                try store.delete(row)
            } else {
                try store.save(rest, as: row, under: ring.sealingKey)
            }
        }
    }
}
