internal import Crypto
internal import Protocol
internal import System

/// The content of an unlocked keyring, as a transaction sees it (smsenc-keyring(5), Tables).
///
/// The store has the keys that open records, the keyring header, and functions that read and write rows of
/// any kind. The stores of contacts, identities and so on use these functions. Each of these stores owns the
/// rows of some tables. Any transaction can read, but only a `WriteTransaction` may write.
package final class KeyringStore {
    let keyring: Keyring
    let database: Database
    let keys: UnlockedKeys
    let header: KeyringHeader
    /// The count in the rollback note when the transaction began, or nil if the note is missing. If other
    /// processes raise the count later, that does not affect this transaction.
    let countInNote: UInt64?
    /// The time in seconds since 1970, or nil if the clock is not trusted or the transaction only reads.
    private(set) var now: Int64?
    /// False if there are no changes that must be committed. This property is set by the code that runs in
    /// the transaction.
    var hasChanges = true
    /// True if missing times were set.
    private(set) var hasSetTimes = false
    /// A cache of `TransitStore`: the unwritten message keys that dead processes left, by ring and contact. A
    /// ring is absent until its keys are looked up.
    var keysOfDeadProcesses: [Int64: [Int64: [SkippedKey]]] = [:]

    /// Reads the header, within the caller's transaction.
    init(_ keyring: Keyring, countInNote: UInt64? = nil) throws(KeyringError) {
        self.keyring = keyring
        self.countInNote = countInNote
        database = keyring.database
        keys = keyring.keys
        header = try .stored(in: database, keys.masterKeys)
    }

    package var contacts: ContactStore { ContactStore(store: self) }
    var identities: IdentityStore { IdentityStore(store: self) }
    var transit: TransitStore { TransitStore(store: self) }
    var usedKeys: UsedKeyStore { UsedKeyStore(store: self) }
    var reread: RereadStore { RereadStore(store: self) }

    /// The time to display for a message, or `SkippedKeys.untimed` if the clock is certainly wrong.
    var displayedTime: Int64 { keyring.clocks.plausibleWallTime ?? SkippedKeys.untimed }

    /// Reads the clock. If the clock is trusted, sets missing times and times in the future to now.
    func setMissingTimes() throws(KeyringError) {
        let last = header.time.last
        now = header.time.now(keyring.clocks)
        guard let now, header.oldestKeyTime != .max,
            header.oldestKeyTime == SkippedKeys.untimed || now < last
        else { return }
        hasSetTimes = true
        try eraseExpiredKeys(at: now)
    }

    /// Erases the expired keys and chains that can be opened here, and sets missing times and times in the
    /// future to now.
    func eraseExpiredKeys(at now: Int64) throws(KeyringError) {
        header.oldestKeyTime = .max
        for ring in try identities.openRings() {
            try contacts.eraseExpiredKeys(in: ring, at: now)
            try transit.eraseExpiredKeys(in: ring, at: now)
        }
    }
}

/// Runs checks of the whole keyring.
extension KeyringStore {
    /// Runs the checks that are common to all commits.
    ///
    /// - Throws: `behind` if the keyring was restored, or `damaged`.
    func verify() throws(KeyringError) {
        try checkIsNotBehind()
        try Verification(self).beforeCommit()
    }

    /// Checks that the keyring was neither copied nor restored.
    ///
    /// - Throws: `moved`, `machineChanged`, `behind`.
    func checkIsOriginal() throws(KeyringError) {
        let found = keyring.file.hostBinding
        if let fault = header.hostBinding.fault(
            whenFound: found, noteAgrees: countInNote == header.commits)
        {
            throw .copy(fault)
        }
        try checkIsNotBehind()
    }

    /// Checks that the rollback note exists.
    ///
    /// - Throws: `noteMissing`, or `moved` for a keyring that was copied without its note.
    func checkHasNote() throws(KeyringError) {
        if countInNote != nil { return }
        if header.hostBinding != keyring.file.hostBinding { throw .copy(.moved) }
        throw .copy(.noteMissing(keyring: keyring.path, folder: keyring.file.note.folder))
    }

    /// Checks that the keyring was not restored from an older copy. Without this check, new commits would
    /// raise the count of a restored keyring to the count in the note, and the restoration could no longer be
    /// detected.
    ///
    /// The check also prevents an old log from being written back. The keyring's file may have been changed
    /// under another name, and may be newer than the log.
    ///
    /// - Throws: `behind`.
    func checkIsNotBehind() throws(KeyringError) {
        database.keepsLog = header.commits < countInNote ?? 0
        if database.keepsLog { throw .copy(.behind) }
    }
}

/// Reads and writes rows of any kind.
extension KeyringStore {
    private var hashKey: KeyedHash { keys.masterKeys.rowHashKey }

    /// Passes the rows of a kind to `body`, ordered by their keys. If `id` is not nil, visits only the
    /// rows that belong to this id.
    func forEachRow(
        _ kind: RowKind, of id: Int64? = nil, _ body: (StoredRow) throws(KeyringError) -> Void
    ) throws(KeyringError) {
        let statement = try database.statement(kind, id == nil ? .all : .withID)
        if let id { statement.bind(id) }
        while let stored = try StoredRow(next: statement, kind) { try body(stored) }
    }

    /// Returns a row as it is stored, or nil if it does not exist.
    func stored(_ row: Row) throws(KeyringError) -> StoredRow? {
        try database.first(row.kind, row.bind(nil, to: database.statement(row.kind, .one)))
    }

    /// Seals a record, writes it to a row, and updates the sum in which the row is counted.
    ///
    /// - Parameters:
    ///   - state: the contact's state in which a row is counted, or nil for rows that are counted in the
    ///     keyring header.
    ///   - old: the row's previous hash, or nil if the hash must be looked up.
    /// - Returns: the row's new hash.
    @discardableResult
    func save(
        _ record: borrowing SecretBytes, as row: Row, under key: borrowing SealingKey,
        countedIn state: ContactState? = nil, replacing old: MultisetHash? = nil
    ) throws(KeyringError) -> MultisetHash {
        let sealed = try key.seal(record, in: row.context)
        let hash = hashKey.rowHash(row.context, sealed.span)
        try write(row, sealed, hash, countedIn: state, replacing: old)
        return hash
    }

    /// Writes a row without a record.
    func save(_ row: Row) throws(KeyringError) {
        try write(row, nil, hashKey.rowHash(row.context, Span()))
    }

    private func write(
        _ row: Row, _ sealed: [UInt8]?, _ new: MultisetHash, countedIn state: ContactState? = nil,
        replacing known: MultisetHash? = nil
    ) throws(KeyringError) {
        let old: MultisetHash? = if let known { known } else { try stored(row)?.hash(hashKey) }
        try row.bind(sealed, to: try database.statement(row.kind, .write)).run()
        guard database.changedRows == 1 else { throw .store(.damaged("a row is missing")) }
        count(row.kind, old, new, in: state)
    }

    /// Deletes a row if it exists.
    func delete(_ row: Row, countedIn state: ContactState? = nil) throws(KeyringError) {
        guard let old = try stored(row) else { return }
        try row.bind(nil, to: try database.statement(row.kind, .deleteOne)).run()
        count(row.kind, old.hash(hashKey), nil, in: state)
    }

    /// Deletes all rows of the given kinds that belong to an id. The caller must already have removed
    /// skipped keys and retired chains from their contact's sum.
    func delete(_ kinds: [RowKind], of id: Int64) throws(KeyringError) {
        // Update the sums for all kinds before deleting, because a contact's card and state share a row of
        // the table.
        for kind in kinds where kind != .skippedKey && kind != .retiredChain {
            try forEachRow(kind, of: id) { (old) in header.count(kind, old.hash(hashKey), nil) }
        }
        for kind in kinds { try database.statement(kind, .deleteWithID).bind(id).run() }
    }

    private func count(
        _ kind: RowKind, _ old: MultisetHash?, _ new: MultisetHash?, in state: ContactState?
    ) {
        if let state { state.skipped.count(kind, old, new) } else { header.count(kind, old, new) }
    }
}
