internal import Crypto
internal import Protocol

/// The rows of an unlocked keyring in one state, as a transaction sees them (smsenc-keyring(5), Tables).
///
/// It has the keys that open the records, and the keyring header with the sums of the rows. Rows are read in a
/// `ReadTransaction` or a `WriteTransaction`, and written in the latter.
package final class KeyringStore {
    let keyring: Keyring
    let database: Database
    let keys: UnlockedKeys
    let ledger: KeyringHeader
    /// The count in the rollback note, read before the transaction began. Counts that other processes note
    /// later do not matter to the state seen here. Nil if the note is missing.
    let noted: UInt64?
    /// The time in seconds since 1970, or nil if the clock is not trusted or the transaction only reads.
    private(set) var now: Int64?
    /// False if nothing was changed that must be committed. Set by callers.
    var isNeeded = true
    /// True if missing times were set.
    private(set) var hasSetTimes = false
    /// The unwritten message keys that dead processes left, by ring and contact. A ring
    /// is missing until its keys are looked up.
    var leftBehind: [Int64: [Int64: [KeptKey]]] = [:]

    /// Reads the header, within a transaction of the caller.
    ///
    /// - Throws: `damaged`.
    init(_ keyring: Keyring, noted: UInt64? = nil) throws(KeyringError) {
        self.keyring = keyring
        self.noted = noted
        database = keyring.database
        keys = keyring.keys
        ledger = try .stored(in: database, keys.vault)
    }

    /// Reads the clock. If it is trusted, sets missing times and times in the future.
    func setMissingTimes() throws(KeyringError) {
        let last = ledger.time.last
        now = ledger.time.now(keyring.clocks)
        guard let now, ledger.oldestKept != .max,
            ledger.oldestKept == SkippedKeys.untimed || now < last
        else { return }
        hasSetTimes = true
        try eraseExpiredKeys(at: now)
    }

    /// Checks that the keyring was neither copied nor restored.
    ///
    /// - Throws: `moved`, `behind`.
    func checkIsOriginal() throws(KeyringError) {
        if ledger.home != keyring.file.home { throw .copy(.moved) }
        try checkIsNotBehind()
    }

    /// Checks that the rollback note exists.
    ///
    /// - Throws: `noteMissing`, or `moved` for a keyring that was copied without its note.
    func checkHasNote() throws(KeyringError) {
        if noted != nil { return }
        if ledger.home != keyring.file.home { throw .copy(.moved) }
        throw .copy(.noteMissing(keyring: keyring.path, folder: keyring.commitCount.folder))
    }

    /// Checks that the keyring was not restored from an older copy. Otherwise its commits would raise the
    /// count up to that of the note, and the restoration would no longer be noticed.
    ///
    /// This also prevents writing back an old log, because the keyring's file may be newer under another
    /// name.
    ///
    /// - Throws: `behind`.
    func checkIsNotBehind() throws(KeyringError) {
        database.keepsLog = ledger.commits < noted ?? 0
        if database.keepsLog { throw .copy(.behind) }
    }
}

/// Reading and writing rows of all kinds.
extension KeyringStore {
    private var hash: KeyedHash { keys.vault.rowHash }

    /// Returns a cursor over the rows of a kind, ordered by their keys: all rows, or those of one contact.
    func rows(_ kind: RowKind, of contact: Int64? = nil) throws(KeyringError) -> RowCursor {
        let statement = try database.statement(kind, contact == nil ? .all : .some)
        if let contact { statement.bind(contact) }
        return RowCursor(statement: statement, kind: kind)
    }

    /// Returns a row as it is stored, or nil if it does not exist.
    func stored(_ row: Row) throws(KeyringError) -> StoredRow? {
        try database.first(row.kind, row.bind(nil, to: database.statement(row.kind, .one)))
    }

    /// Seals a record, writes it to a row, and updates the sum in which the row is counted.
    ///
    /// - Parameters:
    ///   - link: the contact's state in which skipped keys and retired chains are counted. All other rows are
    ///     counted in the keyring header.
    ///   - old: the row's previous hash, if it is known. Otherwise it is looked up.
    /// - Returns: the row's new hash.
    @discardableResult
    func put(
        _ record: borrowing SecretBytes, as row: Row, under sealer: borrowing SealingKey,
        beside link: ContactState? = nil, replacing old: MultisetHash? = nil
    ) throws(KeyringError) -> MultisetHash {
        let sealed = try sealer.seal(record, in: row.context)
        let weight = hash.weight(row.context, sealed.span)
        try write(row, sealed, weighing: weight, beside: link, replacing: old)
        return weight
    }

    /// Writes a row without a record.
    func put(_ row: Row) throws(KeyringError) {
        try write(row, nil, weighing: hash.weight(row.context, Span()), beside: nil)
    }

    private func write(
        _ row: Row, _ sealed: [UInt8]?, weighing weight: MultisetHash, beside link: ContactState?,
        replacing known: MultisetHash? = nil
    ) throws(KeyringError) {
        let old: MultisetHash? = if let known { known } else { try stored(row)?.weight(hash) }
        try row.bind(sealed, to: try database.statement(row.kind, .put)).run()
        guard database.changedRows == 1 else { throw .store(.damaged("a row is missing")) }
        count(row.kind, old, weight, beside: link)
    }

    /// Deletes a row if it exists.
    func drop(_ row: Row, beside link: ContactState? = nil) throws(KeyringError) {
        guard let old = try stored(row) else { return }
        try row.bind(nil, to: try database.statement(row.kind, .dropOne)).run()
        count(row.kind, old.weight(hash), nil, beside: link)
    }

    /// Deletes all rows of some kinds that belong to an id. Skipped keys and retired chains must have been
    /// removed from their contact's sum before.
    func drop(_ kinds: [RowKind], of id: Int64) throws(KeyringError) {
        for kind in kinds where kind != .kept && kind != .retired {
            let cursor = try rows(kind, of: id)
            while let old = try cursor.next() {
                ledger.count(kind, old.weight(hash), nil)
            }
        }
        for kind in kinds { try database.statement(kind, .dropSome).bind(id).run() }
    }

    private func count(
        _ kind: RowKind, _ old: MultisetHash?, _ new: MultisetHash?, beside link: ContactState?
    ) {
        if let link { link.skipped.count(kind, old, new) } else { ledger.count(kind, old, new) }
    }
}

/// A cursor over rows.
struct RowCursor {
    fileprivate let statement: Statement
    fileprivate let kind: RowKind

    /// Returns the next row, or nil at the end.
    func next() throws(KeyringError) -> StoredRow? { try StoredRow(next: statement, kind) }
}
