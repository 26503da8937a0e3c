internal import Crypto
internal import Protocol
internal import System

/// The keys of messages that were decrypted, but not certainly written. Each commit that decrypted messages
/// has one row, which is sealed under the ring's key. If its process has died, these keys are tried again.
///
/// A record has an entry for each message, in their order: the contact's id (8 bytes), or 0 if the entry was
/// removed; the time (8); the message key (64).
extension KeyringStore {
    private static let entrySize = 16 + MessageKey.size

    /// Maximum number of entries in a row. A key's number is the id of its row times this, plus its position
    /// in the row.
    private static let entriesPerRow: Int64 = 1 << 20

    /// Writes the keys of messages that are written after this commit.
    func putUnwritten(
        _ messages: [(contact: Int64, key: SpentKey)]
    ) throws(KeyringError) {
        let since = now ?? SkippedKeys.untimed
        var record = SecretWriter(capacity: Self.entrySize * messages.count)
        for (contact, key) in messages {
            record.put(contact)
            record.put(since)
            record.put(key.bytes)
        }
        let commit = Int64(bitPattern: ledger.commits + 1)
        let row = Row.unwritten(since: commit, in: keys.ring.id, by: keyring.file.mark.text)
        try put(record.finish(), as: row, under: keys.ring.sealer)
        ledger.oldestKept = min(ledger.oldestKept, since)
    }

    /// Removes the keys of messages of a commit that were written: the first `count`, or all if it is nil.
    func dropUnwritten(since commit: UInt64, _ count: Int?) throws(KeyringError) {
        let id = Int64(bitPattern: commit)
        guard let row = try database.first(.unwritten, of: id)?.row else { return }
        guard let count else { return try drop(row) }
        let end = id * Self.entriesPerRow + Int64(count)
        try filterUnwritten([row], in: keys.ring) { (number, _, _, _) in number >= end }
    }

    /// Removes the keys of dead processes whose messages were decrypted again.
    func dropUnwritten(_ numbers: Set<Int64>) throws(KeyringError) {
        guard !numbers.isEmpty else { return }
        try filterUnwritten(in: keys.ring) { (number, _, _, _) in !numbers.contains(number) }
    }

    /// Returns a contact's keys that dead processes left. These processes are determined only once for each
    /// transaction. A process that dies later is not noticed by this transaction.
    func crashed(_ link: ContactState) throws(KeyringError) -> [KeptKey] {
        let ring = link.ring
        if let known = leftBehind[ring.id] { return known[link.contact] ?? [] }
        var found: [Int64: [KeptKey]] = [:]
        let (mark, clocks) = (keyring.file.mark, keyring.clocks)
        let rows = try unwritten(in: ring.id).filter {
            $0.process != mark.text && !ProcessIdentity(text: $0.process).isAlive(clocks)
        }
        try filterUnwritten(rows, in: ring) { (number, contact, since, key) in
            let key = MessageKey(stored: key.duplicate())
            found[contact, default: []].append(KeptKey(number: number, key: key, since: since))
            return true
        }
        leftBehind[ring.id] = found
        return found[link.contact] ?? []
    }

    /// Returns the rows of table unwritten that belong to a ring.
    func unwritten(in ring: Int64) throws(KeyringError) -> [Row] {
        var found: [Row] = []
        let cursor = try rows(.unwritten)
        while let row = try cursor.next()?.row {
            if row.number == ring { found.append(row) }
        }
        return found
    }

    /// Passes each key of some rows, or of all rows of a ring, to `isKept`, and removes those for which it
    /// returns false.
    ///
    /// - Parameters:
    ///   - now: the time to set if a time is missing or in the future.
    ///   - isKept: receives a key's number, its contact's id, its time, and the key.
    func filterUnwritten(
        _ rows: [Row]? = nil, in ring: Ring, settledAt now: Int64? = nil,
        _ isKept: (Int64, Int64, Int64, borrowing SecretBytes) -> Bool
    ) throws(KeyringError) {
        let rows = if let rows { rows } else { try unwritten(in: ring.id) }
        for row in rows {
            guard let stored = try stored(row) else { continue }
            var (before, after, hasSetTimes) = (0, 0, false)
            let rest = try stored.read(ring.sealer) { (record) throws(InvalidRecord) in
                var rest = SecretWriter(capacity: record.remaining)
                var number = row.id * Self.entriesPerRow
                while record.remaining > 0 {
                    let contact: Int64 = try record.integer()
                    let stored: Int64 = try record.integer()
                    let since = now.map { SkippedKeys.settled(stored, at: $0) } ?? stored
                    if contact != 0, since != stored { hasSetTimes = true }
                    let key = try record.secret(MessageKey.size)
                    defer { number += 1 }
                    if contact != 0 { before += 1 }
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
            if after == 0 { try drop(row) } else { try put(rest, as: row, under: ring.sealer) }
        }
    }
}
