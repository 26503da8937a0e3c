internal import Crypto
internal import Protocol

/// A transaction on an unlocked keyring: its database, the keys that open its records, and the keyring
/// header. All rows are read and written through it (smsenc-keyring(5), What is synchronised when).
///
/// If it is dropped before it is committed, nothing has changed. A commit first becomes durable. Then its
/// count is written to the rollback note. Only then may output that depends on the commit be written.
package final class Transaction {
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
    /// Keys that dead processes had not certainly written, by ring and contact, once they were looked up.
    var leftBehind: [Int64: [Int64: [KeptKey]]] = [:]
    private let purpose: Purpose
    private let inTransitAtStart: CountedHash
    /// True if missing times were set.
    private var hasSetTimes = false
    private var open: DatabaseTransaction?
    /// The lock on the rollback note, held from reading the count to raising it.
    private var noteLock: CommitNote.Lock?

    /// The purpose of a transaction.
    enum Purpose {
        /// Reading one state, even if other processes write meanwhile.
        case reading
        /// Cleaning up. The commit does not wait for the disk. Its count is noted once the log has been
        /// written back (`KeyringFile.close`).
        case tidying
        case change
        /// The user's decision about a keyring that was copied or restored, or the first commit of a new
        /// keyring. Only these may change a keyring that is behind its rollback note, and only these make a
        /// missing note.
        case adoption
    }

    /// Begins a transaction and verifies what its purpose needs.
    ///
    /// - Throws: `moved`, `behind`, `noteMissing`, `busy`, `noNote`, or `damaged` if rows are missing or were
    ///   replaced.
    init(_ keyring: Keyring, for purpose: Purpose) throws(KeyringError) {
        self.keyring = keyring
        self.purpose = purpose
        database = keyring.database
        keys = keyring.keys
        if purpose == .reading {
            noted = try keyring.commitCount.known()
            open = try database.begin(nil)
        } else {
            open = try database.begin(purpose == .tidying ? .light : .waiting)
            noteLock = try keyring.commitCount.lock(createsMissing: purpose == .adoption)
            noted = try keyring.commitCount.known()
        }
        ledger = try .stored(in: database, keys.vault)
        inTransitAtStart = ledger[.transit]
        if purpose != .reading, purpose != .adoption { try checkHasNote() }
        switch purpose {
        case .reading: break
        // A commit to a copy would raise the note, and the original would then look as if it had been
        // restored.
        case .tidying: try checkIsOriginal()
        case .change:
            try checkIsOriginal()
            try verify()
        case .adoption: try Verification(self).usual()
        }
        if purpose != .reading, purpose != .adoption { try setMissingTimes() }
    }

    /// Reads within a transaction that the caller has begun.
    init(within keyring: Keyring) throws(KeyringError) {
        self.keyring = keyring
        purpose = .reading
        database = keyring.database
        keys = keyring.keys
        noted = nil
        ledger = try .stored(in: database, keys.vault)
        inTransitAtStart = ledger[.transit]
    }

    /// Reads the clock. If it is trusted, sets missing times and times in the future.
    private func setMissingTimes() throws(KeyringError) {
        let last = ledger.time.last
        now = ledger.time.now(keyring.clocks)
        guard let now, ledger.oldestKept != .max,
            ledger.oldestKept == SkippedKeys.untimed || now < last
        else { return }
        hasSetTimes = true
        try tidyKept(at: now)
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

    /// Checks that the keyring was not restored from an older copy. Commits would raise its count up to the
    /// note, and nothing would show the restoration any more.
    ///
    /// This also prevents writing back an old log, because the keyring's file may be newer under another
    /// name.
    ///
    /// - Throws: `behind`.
    func checkIsNotBehind() throws(KeyringError) {
        database.keepsLog = ledger.commits < noted ?? 0
        if database.keepsLog { throw .copy(.behind) }
    }

    /// Commits the transaction. Unless it only cleans up, the commit is durable and its count noted when this
    /// returns.
    ///
    /// - Throws: `full`, `failed` and similar, if nothing has changed; `noNote` if the commit is durable but
    ///   not noted. `isDurable` is true then.
    func commit() throws(KeyringError) {
        let isCounted = isNeeded || hasSetTimes || ledger[.transit] != inTransitAtStart
        if isCounted {
            try eraseRowsOfEndedSessions()
            ledger.commits += 1
            try ledger.write(to: database, keys.vault)
        }
        try open.take()?.commit()
        // The keyring is now the newest, if only because the user has said so.
        database.keepsLog = false
        guard isCounted else { return }
        if purpose == .tidying {
            keyring.commitCount.later = ledger.commits
        } else {
            isDurable = true
            try keyring.commitCount.raise(to: ledger.commits)
            if purpose == .adoption { try keyring.commitCount.synchronise() }
        }
        noteLock = nil
    }

    private(set) var isDurable = false

    /// Ends the transaction. It is rolled back if it was not committed. Callers must not rely on `deinit`,
    /// because the compiler may keep the object alive longer.
    package func end() {
        open = nil
        noteLock = nil
    }
}

/// Reading and writing rows of all kinds.
extension Transaction {
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
        guard database.changedRows == 1 else { throw .store(.damaged("a row went away")) }
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

extension Keyring {
    /// Begins a transaction that reads one state of the keyring, even if other processes write meanwhile.
    package func beginReading() throws(KeyringError) -> Transaction {
        try Transaction(self, for: .reading)
    }

    /// Runs `body` in a transaction that only reads.
    package func reading<Result: ~Copyable>(
        _ body: (Transaction) throws(KeyringError) -> Result
    ) throws(KeyringError) -> Result {
        let transaction = try beginReading()
        defer { transaction.end() }
        return try body(transaction)
    }

    /// Runs `body` in a transaction and commits it. If `body` throws, nothing has changed. When this returns,
    /// the commit is durable and noted, unless it only cleans up.
    func commit<Result: ~Copyable>(
        for purpose: Transaction.Purpose = .change,
        _ body: (Transaction) throws(KeyringError) -> Result
    ) throws(KeyringError) -> Result {
        let transaction = try Transaction(self, for: purpose)
        defer { transaction.end() }
        let result = try body(transaction)
        try transaction.commit()
        return result
    }

    /// Runs `body` in a transaction that only reads, after a check that the keyring was neither copied nor
    /// restored.
    ///
    /// - Parameter toCommit: true to check also that the rollback note exists, which commits need.
    /// - Throws: `moved`, `behind`, `noteMissing`, and the errors of `body`.
    package func readingOriginal<Result: ~Copyable>(
        toCommit: Bool, _ body: (Transaction) throws(KeyringError) -> Result
    ) throws(KeyringError) -> Result {
        try reading { (transaction) throws(KeyringError) in
            try transaction.checkIsOriginal()
            if toCommit { try transaction.checkHasNote() }
            return try body(transaction)
        }
    }

    /// Checks that the keyring can be changed: it was neither copied nor restored, and has its rollback note.
    ///
    /// - Throws: `moved`, `behind`, `noteMissing`.
    package func checkCanBeChanged() throws(KeyringError) {
        try readingOriginal(toCommit: true) { (_) in }
    }
}
