internal import CSQLite

internal import System

/// A connection to the SQLite file. It sees sealed records only.
///
/// Write-ahead logging: every commit survives a power cut, but for what `Durability` says; the last
/// connection to close empties the log and removes it, so that one file lies at rest. No connection is
/// ever at `synchronous = OFF`: the log would be emptied without waiting for the disk then, and what
/// was durable in it be lost in a power cut.
@safe
final class Database {
    private let handle: OpaquePointer
    private let log: String
    /// True where a disk may have failed to take what the log holds, and said so to another, or to this
    /// connection, once: the system then shows what will never come to the disk, and what is appended
    /// is lost with it in a power cut, however it is synchronised.
    private var isLogInDoubt: Bool
    /// By the address of their text, which is quicker than by the text, or, as small numbers, by kind of row
    /// and what is done with it.
    private var statements: [Int: Statement] = [:]
    /// True where the log is to stay as it is when this closes: it is older than what was noted.
    var keepsLog = false

    /// Milliseconds that a connection waits for another's transaction.
    static let patience: Int32 = 30_000

    /// Opens a file that is there; an empty one is a database without tables.
    init(path: String) throws(KeyringError) {
        Self.settings
        var opened: OpaquePointer?
        // It is one thread's, and needs no locks against others.
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX
        let real = try checkingPaths(SafeFolder.resolved(path))
        // SQLite would believe what another has put there, and delete whatever file a journal names.
        try checkingPaths(SafeFolder.checkSideFile(real + "-wal"))
        try checkingPaths(SafeFolder.checkSideFile(real + "-shm"))
        try checkingPaths(SafeFolder.checkAbsent(real + "-journal"))
        let isLogFound = File.holdsSomething(real + "-wal")
        let result = unsafe sqlite3_open_v2(real, &opened, flags | SQLITE_OPEN_EXRESCODE, nil)
        guard let opened = unsafe opened else { throw .store(.failed(result, "out of memory")) }
        unsafe handle = opened
        log = real + "-wal"
        isLogInDoubt = isLogFound
        if result != SQLITE_OK { throw failure(result) }
        unsafe sqlite_wait_for_locks(handle, Self.patience)
        unsafe sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, 1 << 20)
        // The file may be anybody's making: it says what is there, never what is done.
        guard unsafe sqlite_run_nothing_of_the_file(handle) == SQLITE_OK else {
            throw .store(.failed(SQLITE_ERROR, "this SQLite runs what a file says"))
        }
        // What processes tell each other lies in a mapped file. Where there is no such thing this one keeps
        // all others waiting until it is closed, and needs none.
        if !File.canBeMapped(beside: real) { try execute("PRAGMA locking_mode = EXCLUSIVE") }
        try execute(
            """
            PRAGMA trusted_schema = OFF;
            PRAGMA cell_size_check = ON;
            PRAGMA secure_delete = ON;
            PRAGMA temp_store = MEMORY;
            PRAGMA cache_size = -768;
            """ + durability.rawValue)
    }

    /// What SQLite keeps beside the file, or would in another mode.
    static let suffixes = ["-wal", "-shm", "-journal"]

    /// Made once for all connections.
    private static let settings: Void = {
        // If this fails, SQLite is a little slower.
        _ = sqlite_count_no_memory()
        _ = sqlite_note_refusals()
    }()

    /// SQLite empties the log here as in `close`, and synchronises as it goes; only a failure to do so
    /// stays untold. The log is kept then.
    deinit {
        statements.removeAll()
        if !isClosed { unsafe sqlite3_close_v2(handle) }
    }
    private var isClosed = false

    /// Closes the connection; the last to do so empties and removes the log. Others are not waited for.
    ///
    /// - Returns: true where all commits are written back, and durable.
    /// - Throws: `notClosed` when the log could not be written back. It was tried once more then, and where
    ///   that failed too SQLite has kept the log, with all commits in it.
    @discardableResult
    func close() throws(KeyringError) -> Bool {
        guard !isClosed else { return false }
        defer {
            statements.removeAll()
            unsafe sqlite3_close_v2(handle)
            isClosed = true
        }
        if keepsLog {
            unsafe sqlite_keep_log(handle)
            return false
        }
        unsafe sqlite_wait_for_locks(handle, 0)
        if isLogInDoubt { try? transaction { () throws(KeyringError) in } }
        statements.removeAll()
        var (pages, written): (Int32, Int32) = (0, 0)
        // Closing would not tell of a failure.
        let result = unsafe sqlite3_wal_checkpoint_v2(
            handle, nil, SQLITE_CHECKPOINT_PASSIVE, &pages, &written)
        let isDone = [SQLITE_OK, SQLITE_BUSY, SQLITE_LOCKED, SQLITE_READONLY]
            .contains(result & 0xFF)
        let reason = isDone ? nil : unsafe String(cString: sqlite3_errmsg(handle))
        if !isDone {
            isLogInDoubt = true
            try? transaction { () throws(KeyringError) in }
        }
        if let reason { throw .store(.notClosed(reason)) }
        return result == SQLITE_OK && pages == written
    }

    /// Runs statements that give no rows.
    func execute(_ sql: String) throws(KeyringError) {
        let result = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        if result != SQLITE_OK { throw failure(result) }
    }

    /// The statement that does something with rows of a kind.
    func statement(_ kind: RowKind, _ verb: RowKind.Verb) throws(KeyringError) -> Statement {
        try statement(
            Int(kind.rawValue) * RowKind.Verb.allCases.count + verb.rawValue, kind.sql(verb))
    }

    func statement(_ sql: StaticString) throws(KeyringError) -> Statement {
        try statement(
            unsafe Int(bitPattern: sql.utf8Start),
            sql.withUTF8Buffer { unsafe String(decoding: $0, as: UTF8.self) })
    }

    /// A prepared statement, made once and reused; it is reset and without bindings.
    private func statement(
        _ key: Int, _ sql: @autoclosure () -> String
    ) throws(KeyringError) -> Statement {
        if let known = statements[key] {
            known.reset()
            return known
        }
        var prepared: OpaquePointer?
        let result = unsafe sqlite3_prepare_v3(
            handle, sql(), -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard result == SQLITE_OK, let prepared = unsafe prepared else { throw failure(result) }
        let statement = unsafe Statement(prepared)
        statements[key] = statement
        return statement
    }

    /// The first row of a kind that belongs to an id; nil where there is none.
    func first(_ kind: RowKind, of id: Int64) throws(KeyringError) -> StoredRow? {
        try first(kind, statement(kind, .some).bind(id))
    }

    /// The row of a kind that a statement finds.
    func first(_ kind: RowKind, _ statement: Statement) throws(KeyringError) -> StoredRow? {
        defer { statement.reset() }
        return try StoredRow(next: statement, kind)
    }

    /// What a transaction waits for.
    enum Durability: String, CaseIterable {
        /// For the disk. It writes the log back when that has grown to 1000 pages: overwriting the log is
        /// cheaper than extending it.
        case waiting = "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 1000"
        /// For nothing: a power cut may undo it. It is for what only tidies up, whose count is
        /// not noted outside before it is on the disk. It never writes the log back.
        case light = "PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0"
    }
    private var durability = Durability.waiting

    private func set(_ durability: Durability) throws(KeyringError) {
        guard durability != self.durability else { return }
        try execute(durability.rawValue)
        self.durability = durability
    }

    /// Begins a transaction that has the right to write from the start, or, without a durability, one that
    /// sees one state, whatever others write meanwhile. While it is open the connection must begin no other.
    func begin(_ durability: Durability?) throws(KeyringError) -> Transaction {
        if let durability { try set(durability) }
        try statement(durability == nil ? "BEGIN" : "BEGIN IMMEDIATE").run()
        let transaction = Transaction(of: self)
        if durability == .waiting, isLogInDoubt {
            try writeLogAgain()
            isLogInDoubt = false
        }
        return transaction
    }

    /// What a log that is written back in time never reaches, in bytes.
    private static let longestLog: Int64 = 1 << 24

    /// Writes into the log what it holds, so that the next synchronisation brings all of it to the disk.
    /// Nobody else writes to it meanwhile.
    private func writeLogAgain() throws(KeyringError) {
        guard File.holdsSomething(log) else { return }
        do throws(IOError) {
            let file = try File(updating: log, makesMissing: false)
            let size = file.regularSize ?? 0
            let bytes = try file.beginning(Int(min(size, Self.longestLog)))
            try file.overwrite(bytes.span)
        } catch {
            throw .store(
                error.code == ErrorNumber.diskFull
                    ? .full : .failed(SQLITE_IOERR, systemText(error.code)))
        }
    }

    /// A transaction: dropped before it is committed, nothing has changed.
    struct Transaction: ~Copyable {
        private let database: Database
        private var isOpen = true

        fileprivate init(of database: Database) { self.database = database }

        consuming func commit() throws(KeyringError) {
            do throws(KeyringError) {
                try database.statement("COMMIT").run()
            } catch {
                database.isLogInDoubt = true
                throw error
            }
            isOpen = false
        }

        deinit {
            // A commit that failed may have ended the transaction itself; then this changes nothing.
            if isOpen { database.rollBack() }
        }
    }

    private func rollBack() { unsafe sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }

    /// Runs `body` in a transaction of its own; when it throws nothing has changed.
    func transaction<Result: ~Copyable>(
        _ durability: Durability = .waiting, _ body: () throws(KeyringError) -> Result
    ) throws(KeyringError) -> Result {
        let transaction = try begin(durability)
        let result = try body()
        try transaction.commit()
        return result
    }

    var changedRows: Int { unsafe Int(sqlite3_changes(handle)) }

    private func failure(_ code: Int32) -> KeyringError { unsafe Self.failure(code, handle) }

    /// True if the disk refused a read. What was found since is not what the file holds: SQLite takes such an error
    /// for damage, and goes on where it looks for damage itself.
    ///
    /// What is noted is a variable of a C header, of which each source file would have one of its own.
    static var wasReadRefused: Bool { @inline(never) get { sqlite_refused_read() != 0 } }

    /// What an SQLite result code means here.
    @inline(never)
    static func failure(_ code: Int32, _ handle: OpaquePointer?) -> KeyringError {
        if wasReadRefused { return .store(.unreadable(sqlite_refused_read())) }
        let words = unsafe String(cString: sqlite3_errmsg(handle))
        switch code & 0xFF {
        case SQLITE_BUSY where sqlite_refused_lock() != 0,
            SQLITE_IOERR where sqlite_refused_lock() != 0:
            return .store(.noLocks(sqlite_refused_lock()))
        case SQLITE_BUSY, SQLITE_LOCKED: return .store(.busy)
        case SQLITE_FULL: return .store(.full)
        case SQLITE_NOTADB, SQLITE_CORRUPT, SQLITE_FORMAT, SQLITE_MISMATCH, SQLITE_CONSTRAINT,
            SQLITE_SCHEMA, SQLITE_ERROR, SQLITE_TOOBIG, SQLITE_RANGE:
            return .store(.damaged(words))
        case SQLITE_CANTOPEN
        where unsafe ErrorNumber.sayNothingOfAFile.contains(sqlite3_system_errno(handle)):
            return .store(.failed(code, unsafe systemText(sqlite3_system_errno(handle))))
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_CANTOPEN, SQLITE_AUTH:
            return .store(.readOnly(words))
        case SQLITE_IOERR where unsafe sqlite3_system_errno(handle) == ErrorNumber.diskFull:
            return .store(.full)
        default: return .store(.failed(code, words))
        }
    }
}
