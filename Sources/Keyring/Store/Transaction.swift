internal import Crypto
internal import Protocol

/// One transaction on an unlocked keyring: its database, the keys that open what is in it, and the ledger that
/// counts what is in it (smsenc(7), State on disk). All rows are read and written through it.
///
/// Dropped before it is committed, nothing has changed. Durable comes first, then the count is noted outside;
/// only after both may anything that depends on it go out.
package final class Transaction {
    let keyring: Keyring
    let database: Database
    let keys: Keys
    let ledger: Ledger
    /// The count that was noted outside before the state was taken that is seen here: what another process
    /// notes later says nothing of it. Nil if the note is missing.
    let noted: UInt64?
    /// The time, in seconds since 1970; nil if the clock is not believed, or nothing may be changed.
    private(set) var now: Int64?
    /// False where nothing was changed that counts.
    var isNeeded = true
    /// Keys that dead processes have left, by ring and contact, once they were looked for.
    var leftBehind: [Int64: [Int64: [KeptKey]]] = [:]
    private let purpose: Purpose
    private let transitAtStart: Tally
    /// True if times were given to what is kept.
    private var isSettled = false
    private var open: Database.Transaction?
    /// From the reading of the count outside to its raising.
    private var noteLock: CommitCount.Lock?

    /// What a transaction is for.
    enum Purpose {
        /// Looking at one state, whatever others write meanwhile.
        case reading
        /// Tidying up: nobody waits for the disk, and its count is noted outside when the log has been
        /// written back (`Keyring.closeFile`).
        case tidying
        case change
        /// The owner's answer, which alone may change one that is behind, or the first commit of a new keyring.
        /// Both make the note if it is missing.
        case adoption
    }

    /// - Throws: `moved`, `behind`, `noteMissing`, `busy`, `noNote`; `damaged` where rows are not those that were written.
    init(_ keyring: Keyring, for purpose: Purpose) throws(KeyringError) {
        self.keyring = keyring
        self.purpose = purpose
        database = keyring.database
        keys = try keyring.unlocked()
        if purpose == .reading {
            noted = try keyring.commitCount.known()
            open = try database.begin(nil)
        } else {
            open = try database.begin(purpose == .tidying ? .light : .waiting)
            noteLock = try keyring.commitCount.lock(makesMissing: purpose == .adoption)
            noted = try keyring.commitCount.known()
        }
        ledger = try .stored(in: database, keys.vault)
        transitAtStart = ledger[.transit]
        if purpose != .reading, purpose != .adoption { try checkHasNote() }
        switch purpose {
        case .reading: break
        // A commit to a copy would raise the note, and its original would count as restored.
        case .tidying: try checkIsOriginal()
        case .change:
            try checkIsOriginal()
            try verify()
        case .adoption: try Verification(self).usual()
        }
        if purpose != .reading, purpose != .adoption { try settleTimes() }
    }

    /// Looks at the clock. If it is believed, what is kept and has no time, or one in the future, gets its time.
    private func settleTimes() throws(KeyringError) {
        let last = ledger.time.last
        now = ledger.time.now(keyring.clocks)
        guard let now, ledger.oldestKept != .max,
            ledger.oldestKept == SkippedKeys.untimed || now < last
        else { return }
        isSettled = true
        try tidyKept(at: now)
    }

    /// Refuses a keyring that was copied or restored.
    ///
    /// - Throws: `moved`, `behind`.
    func checkIsOriginal() throws(KeyringError) {
        if ledger.home != keyring.home { throw .copy(.moved) }
        try checkIsNotBehind()
    }

    /// Refuses to change a keyring whose note is missing.
    ///
    /// - Throws: `noteMissing`; `moved` for a keyring that was copied without its note.
    func checkHasNote() throws(KeyringError) {
        if noted != nil { return }
        if ledger.home != keyring.home { throw .copy(.moved) }
        throw .copy(.noteMissing(keyring: keyring.path, folder: keyring.commitCount.folder))
    }

    /// A commit would bring the count nearer to the note, until nothing told of the restoring. Nor is an old
    /// log written over the file, which may be newer under another name.
    func checkIsNotBehind() throws(KeyringError) {
        database.keepsLog = ledger.commits < noted ?? 0
        if database.keepsLog { throw .copy(.behind) }
    }

    /// Ends it: makes it durable and notes the count outside, or, tidying up, leaves both for later.
    ///
    /// - Throws: `full`, `failed` and their like, and then nothing has changed; `noNote`, and then
    ///   `isDurable` is true.
    func commit() throws(KeyringError) {
        let isCounted = isNeeded || isSettled || ledger[.transit] != transitAtStart
        if isCounted {
            try eraseRowsOfEndedSessions()
            ledger.commits += 1
            try ledger.write(to: database, keys.vault)
        }
        try open.take()?.commit()
        // It is the newest, if only since its owner said so.
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

    /// Ends it, with nothing changed where it was not committed: not left to whoever holds it last, since
    /// the compiler may hold it longer.
    package func end() {
        open = nil
        noteLock = nil
    }
}

/// Rows of all kinds.
extension Transaction {
    private var hash: KeyedHash { keys.vault.rowHash }

    /// The rows of a kind in the order of their keys, one after the other: all, or those of one contact.
    func rows(_ kind: RowKind, of contact: Int64? = nil) throws(KeyringError) -> RowCursor {
        let statement = try database.statement(kind, contact == nil ? .all : .some)
        if let contact { statement.bind(contact) }
        return RowCursor(statement: statement, kind: kind)
    }

    /// A row as it stands; nil where it does not.
    func stored(_ row: Row) throws(KeyringError) -> StoredRow? {
        try database.first(row.kind, row.bind(nil, to: database.statement(row.kind, .one)))
    }

    /// Writes a row in place of what stood there, with its record sealed, and counts it: one that is kept
    /// beside a contact there, all others in the ledger.
    ///
    /// - Parameter old: what stood there counts for, where that is known; else it is looked up.
    /// - Returns: what the row counts for.
    @discardableResult
    func put(
        _ record: borrowing SecretBytes, as row: Row, under sealer: borrowing Sealer,
        beside link: Link? = nil, replacing old: RowSum? = nil
    ) throws(KeyringError) -> RowSum {
        let sealed = try sealer.seal(record, in: row.context)
        let weight = hash.weight(row.context, sealed.span)
        try write(row, sealed, weighing: weight, beside: link, replacing: old)
        return weight
    }

    /// Writes a row that has no record.
    func put(_ row: Row) throws(KeyringError) {
        try write(row, nil, weighing: hash.weight(row.context, Span()), beside: nil)
    }

    private func write(
        _ row: Row, _ sealed: [UInt8]?, weighing weight: RowSum, beside link: Link?,
        replacing known: RowSum? = nil
    ) throws(KeyringError) {
        let old: RowSum? = if let known { known } else { try stored(row)?.weight(hash) }
        try row.bind(sealed, to: try database.statement(row.kind, .put)).run()
        guard database.changedRows == 1 else { throw .store(.damaged("a row went away")) }
        count(row.kind, old, weight, beside: link)
    }

    /// Drops a row, if it is there.
    func drop(_ row: Row, beside link: Link? = nil) throws(KeyringError) {
        guard let old = try stored(row) else { return }
        try row.bind(nil, to: try database.statement(row.kind, .dropOne)).run()
        count(row.kind, old.weight(hash), nil, beside: link)
    }

    /// Drops the rows of some kinds that belong to an id. What is kept beside a contact is no longer counted
    /// there when this is called.
    func drop(_ kinds: [RowKind], of id: Int64) throws(KeyringError) {
        for kind in kinds where kind != .kept && kind != .retired {
            let cursor = try rows(kind, of: id)
            while let old = try cursor.next() {
                ledger.count(kind, old.weight(hash), nil)
            }
        }
        for kind in kinds { try database.statement(kind, .dropSome).bind(id).run() }
    }

    private func count(_ kind: RowKind, _ old: RowSum?, _ new: RowSum?, beside link: Link?) {
        if let link { link.skipped.count(kind, old, new) } else { ledger.count(kind, old, new) }
    }
}

/// Rows that are read one after the other.
struct RowCursor {
    fileprivate let statement: Statement
    fileprivate let kind: RowKind

    /// The next row; nil at the end.
    func next() throws(KeyringError) -> StoredRow? { try StoredRow(next: statement, kind) }
}

extension Keyring {
    /// Begins to look at one state of the keyring, whatever others write meanwhile.
    package func beginReading() throws(KeyringError) -> Transaction {
        try Transaction(self, for: .reading)
    }

    /// Runs `body` on one state of the keyring.
    package func reading<Result: ~Copyable>(
        _ body: (Transaction) throws(KeyringError) -> Result
    ) throws(KeyringError) -> Result {
        let transaction = try beginReading()
        defer { transaction.end() }
        return try body(transaction)
    }

    /// Runs `body` as one commit, durable and noted when this returns, unless it only tidies up. When `body`
    /// throws nothing has changed.
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

    /// Refuses a keyring that was copied or restored.
    ///
    /// - Parameter toCommit: whether a keyring without its note is refused as well.
    /// - Throws: `moved`, `behind`, `noteMissing`.
    package func checkIsOriginal(toCommit: Bool) throws(KeyringError) {
        try reading { (transaction) throws(KeyringError) in
            try transaction.checkIsOriginal()
            if toCommit { try transaction.checkHasNote() }
        }
    }
}
