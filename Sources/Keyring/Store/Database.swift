internal import CSQLite

internal import System

/// A connection to the SQLite file. The connection has no keys, so it handles records only in sealed form.
///
/// The database uses a write-ahead log. Every commit survives a power failure, except commits with
/// `Durability.light`. The last connection that closes runs a checkpoint and removes the log. A keyring that
/// is not open therefore consists of a single file.
///
/// No connection ever uses `synchronous = OFF`. With `OFF`, SQLite would checkpoint the log without
/// waiting for the disk. A power failure could then lose commits that were durable in the log.
@safe
final class Database {
    private let handle: OpaquePointer
    private let log: String
    /// True if the disk may have failed to store a part of the log. The kernel reports a failed write-back
    /// only once, and perhaps to another process. After this failure of the disk, the kernel still returns
    /// the data from memory, although the data will never reach the disk. If more data is appended to the
    /// log, a power failure also destroys the appended data, even after an fsync.
    fileprivate var isLogInDoubt: Bool
    /// Prepared statements, by the address of their static text. Addresses are faster to compare than texts.
    private var statements: [Int: Statement] = [:]

    /// True if the log must not be checkpointed on closing, because the keyring is older than its rollback
    /// note.
    var keepsLog = false
    /// True if the file was opened read-only. SQLite cannot checkpoint the log of a file that was opened
    /// read-only.
    private let isReadOnly: Bool

    /// Maximum length in bytes of the path of a database. SQLite accepts 512 bytes, including the suffix
    /// `-journal`.
    private static let longestPath = 504

    /// Maximum number of milliseconds to wait for another process's transaction.
    static let patience: Int32 = 30_000

    /// Resolves the symbolic links in the folder of a database, and checks that SQLite accepts the path.
    ///
    /// - Parameter shown: the path for error messages.
    static func resolved(_ path: String, shownAs shown: String) throws(KeyringError) -> String {
        let real = try checkingPaths(PathChecks.resolved(path))
        guard real.utf8.count <= longestPath else {
            throw .file(.unreadable(shown, ErrorNumber.nameTooLong))
        }
        return real
    }

    /// Opens an existing file. An empty file is treated as a database without tables. Only one thread may use
    /// a connection, because the connection has no mutex.
    init(path: String) throws(KeyringError) {
        Self.globalSettings
        var opened: OpaquePointer?
        let real = try Self.resolved(path, shownAs: path)
        // SQLite trusts these files, even if somebody else has created them. SQLite would also delete any
        // file that is named in a journal.
        let logSize = try checkingPaths(PathChecks.checkCompanionFile(real + "-wal"))
        _ = try checkingPaths(PathChecks.checkCompanionFile(real + "-shm"))
        try checkingPaths(PathChecks.checkAbsent(real + "-journal"))
        let isLogFound = logSize > 0
        // If the whole disk is read-only, SQLite refuses to read a database with a write-ahead log. If only the
        // file is read-only, SQLite creates a log to which nobody can write later.
        isReadOnly =
            !PathChecks.isWritable(real)
            && !(File.exists(real + "-wal") && File.exists(real + "-shm"))
        // The log of a process that was killed is read without locks. SQLite then keeps the index of the log
        // in the memory of this process.
        let isWithoutLocks = isReadOnly && isLogFound
        let result = unsafe sqlite3_open_v2(
            isReadOnly && !isLogFound ? Self.immutableURI(real) : real, &opened,
            (isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE) | SQLITE_OPEN_URI
                | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
            isWithoutLocks ? "unix-none" : nil)
        guard let opened = unsafe opened else { throw .store(.failed(result, "out of memory")) }
        unsafe handle = opened
        log = real + "-wal"
        isLogInDoubt = isLogFound
        if result != SQLITE_OK { throw failure(result) }
        unsafe sqlite_wait_for_locks(handle, Self.patience)
        unsafe sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, 1 << 20)
        // Somebody else may have created the file, so code that is stored in the file must never be executed.
        guard unsafe sqlite_disable_code_in_file(handle) == SQLITE_OK else {
            throw .store(
                .failed(
                    SQLITE_ERROR,
                    "this version of SQLite cannot ignore code in a database file"))
        }
        // Processes that have the same database open share a memory-mapped file. If the file system does not
        // support such files, this connection works without the file. It then excludes all other processes
        // until it is closed.
        if isWithoutLocks || !File.supportsMapping(beside: real) {
            try execute("PRAGMA locking_mode = EXCLUSIVE")
        }
        try execute(
            """
            PRAGMA trusted_schema = OFF;
            PRAGMA cell_size_check = ON;
            PRAGMA secure_delete = ON;
            PRAGMA temp_store = MEMORY;
            """)
    }

    /// Returns a URI that tells SQLite that nobody changes the file.
    private static func immutableURI(_ path: String) -> String {
        "file:" + path.utf8.map { $0 == UInt8(ascii: "/") ? "/" : "%" + hex([$0]) }.joined()
            + "?immutable=1"
    }

    /// Suffixes of the files that SQLite creates next to the database, in this or another journal mode.
    static let suffixes = ["-wal", "-shm", "-journal"]

    /// Settings of SQLite that apply to all connections.
    private static let globalSettings: Void = {
        // If this fails, SQLite is only a little slower.
        _ = sqlite_disable_memory_statistics()
        _ = sqlite_record_system_errors()
    }()

    /// Closes the connection like `close`, but ignores failures. If the log cannot be checkpointed, it is
    /// kept.
    deinit {
        statements.removeAll()
        if !isClosed { unsafe sqlite3_close_v2(handle) }
    }
    private var isClosed = false

    /// Closes the connection. If no other connection is open, checkpoints the log and removes it. Does not
    /// wait for other connections.
    ///
    /// - Returns: true if the database file contains all commits, and they are durable.
    /// - Throws: `notClosed` if the checkpoint failed. After a failed checkpoint, SQLite tries it once
    ///   more. If the second attempt also fails, SQLite keeps the log with all commits.
    @discardableResult
    func close() throws(KeyringError) -> Bool {
        guard !isClosed else { return false }
        defer {
            statements.removeAll()
            unsafe sqlite3_close_v2(handle)
            isClosed = true
        }
        if keepsLog || isReadOnly {
            unsafe sqlite_disable_checkpoint_on_close(handle)
            return false
        }
        unsafe sqlite_wait_for_locks(handle, 0)
        // The checkpoint must wait for the disk, regardless of SQLite's default. If this setting fails, the
        // log with all commits remains for the next process.
        do throws(KeyringError) {
            if durability == nil { try set(.waiting) }
        } catch {
            unsafe sqlite_disable_checkpoint_on_close(handle)
            if case .store(.busy) = error { return false }
            throw .store(.notClosed(unsafe String(cString: sqlite3_errmsg(handle))))
        }
        if isLogInDoubt { try? transaction { () throws(KeyringError) in } }
        statements.removeAll()
        var (pages, written): (Int32, Int32) = (0, 0)
        // `sqlite3_close_v2` does not report a failed checkpoint, so run a checkpoint before closing.
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

    /// Limits the memory for cached pages. Call this function in a transaction that has already read from
    /// the database. Otherwise, SQLite would begin another transaction to read the schema.
    func limitCache() throws(KeyringError) { try execute("PRAGMA cache_size = -768") }

    /// Executes statements that return no rows.
    func execute(_ sql: String) throws(KeyringError) {
        let result = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        if result != SQLITE_OK { throw failure(result) }
    }

    /// Returns a prepared statement without bindings. The statement is prepared at the first call and reused
    /// later.
    func statement(_ sql: StaticString) throws(KeyringError) -> Statement {
        let key = unsafe Int(bitPattern: sql.utf8Start)
        if let known = statements[key] {
            known.reset()
            return known
        }
        var prepared: OpaquePointer?
        let result = unsafe sqlite3_prepare_v3(
            handle, UnsafeRawPointer(sql.utf8Start).assumingMemoryBound(to: CChar.self),
            Int32(sql.utf8CodeUnitCount), UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard result == SQLITE_OK, let prepared = unsafe prepared else { throw failure(result) }
        let statement = unsafe Statement(prepared)
        statements[key] = statement
        return statement
    }

    enum Durability: String, CaseIterable {
        /// The commit waits for the disk. A checkpoint runs when the log has 1000 pages, because overwriting
        /// the log is faster than extending it.
        case waiting = "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 1000"
        /// The commit does not wait for the disk, and a power failure may undo it. This durability is for
        /// commits that only clean up. The count of a light commit is written to the rollback note only
        /// after the commit has reached the disk. Light commits never run a checkpoint.
        case light = "PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0"
    }
    /// The durability that was set, or nil before the first transaction that writes. The durability is not
    /// set earlier, because SQLite would begin another transaction to read the schema.
    private var durability: Durability?

    private func set(_ durability: Durability) throws(KeyringError) {
        guard durability != self.durability else { return }
        try execute(durability.rawValue)
        self.durability = durability
    }

    /// Begins a transaction that only reads. The transaction reads one snapshot, even if other processes
    /// write at the same time. A connection can have only one transaction at a time.
    func beginReading() throws(KeyringError) -> DatabaseTransaction {
        try statement("BEGIN").run()
        return DatabaseTransaction(of: self)
    }

    /// Begins a transaction that takes the write lock at the start.
    func beginWriting(_ durability: Durability) throws(KeyringError) -> DatabaseTransaction {
        // Without this check, SQLite would begin a transaction that only reads.
        if unsafe sqlite3_db_readonly(handle, "main") != 0 {
            throw .store(.readOnly(unsafe String(cString: sqlite3_errstr(SQLITE_READONLY))))
        }
        try set(durability)
        try statement("BEGIN IMMEDIATE").run()
        let transaction = DatabaseTransaction(of: self)
        if durability == .waiting, isLogInDoubt {
            try writeLogAgain()
            isLogInDoubt = false
        }
        return transaction
    }

    /// Maximum number of bytes of the log that are rewritten. Checkpoints keep the log shorter than this
    /// maximum.
    private static let maximumLogSize: Int64 = 1 << 24

    /// Overwrites the log with its own content, so that the next fsync writes all of it to the disk. The
    /// caller holds the write lock, so no other process changes the write-ahead log at the same time.
    private func writeLogAgain() throws(KeyringError) {
        guard File.isNonEmptyFile(log) else { return }
        do throws(IOError) {
            let file = try File(updating: log, createsMissing: false)
            let size = file.regularSize ?? 0
            let bytes = try file.beginning(Int(min(size, Self.maximumLogSize)))
            try file.overwrite(bytes.span)
        } catch {
            throw .store(
                error.code == ErrorNumber.diskFull
                    ? .diskFull : .failed(SQLITE_IOERR, systemText(error.code)))
        }
    }

    /// Rolls back the transaction. Does nothing if the connection is closed, because closing ended the
    /// transaction.
    fileprivate func rollBack() {
        if !isClosed { unsafe sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
    }

    /// Runs `body` in a transaction. If `body` throws, the transaction is rolled back.
    func transaction<Result: ~Copyable>(
        _ durability: Durability = .waiting, _ body: () throws(KeyringError) -> Result
    ) throws(KeyringError) -> Result {
        let transaction = try beginWriting(durability)
        let result = try body()
        try transaction.commit()
        return result
    }

    private func failure(_ code: Int32) -> KeyringError { unsafe Self.failure(code, handle) }

    /// True if this process has failed to read data from the disk. A read error makes the results of an
    /// integrity check wrong, because SQLite reports the error as damage and continues.
    ///
    /// This property must not be inlined, because the flag is a static variable in a C header, and each
    /// source file has its own copy of this variable.
    static var wasReadRefused: Bool { @inline(never) get { sqlite_read_errno() != 0 } }

    /// Converts an SQLite result code to an error.
    @inline(never)
    static func failure(_ code: Int32, _ handle: OpaquePointer?) -> KeyringError {
        if wasReadRefused { return .store(.unreadable(sqlite_read_errno())) }
        let words = unsafe String(cString: sqlite3_errmsg(handle))
        switch code & 0xFF {
        case SQLITE_BUSY where sqlite_lock_errno() != 0,
            SQLITE_IOERR where sqlite_lock_errno() != 0:
            return .store(.noLocks(sqlite_lock_errno()))
        case SQLITE_BUSY, SQLITE_LOCKED: return .store(.busy)
        case SQLITE_FULL: return .store(.diskFull)
        case SQLITE_NOTADB, SQLITE_CORRUPT, SQLITE_FORMAT, SQLITE_MISMATCH, SQLITE_CONSTRAINT,
            SQLITE_SCHEMA, SQLITE_ERROR, SQLITE_TOOBIG, SQLITE_RANGE:
            return .store(.damaged(words))
        case SQLITE_CANTOPEN
        where unsafe ErrorNumber.unrelatedToFile.contains(sqlite3_system_errno(handle)):
            return .store(.failed(code, unsafe systemText(sqlite3_system_errno(handle))))
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_CANTOPEN, SQLITE_AUTH:
            return .store(.readOnly(words))
        case SQLITE_IOERR where unsafe sqlite3_system_errno(handle) == ErrorNumber.diskFull:
            return .store(.diskFull)
        case SQLITE_IOERR where unsafe sqlite3_system_errno(handle) != 0:
            return .store(.failed(code, unsafe systemText(sqlite3_system_errno(handle))))
        default: return .store(.failed(code, words))
        }
    }
}

/// An SQLite transaction, which is rolled back unless it is committed.
@usableFromInline
package struct DatabaseTransaction: ~Copyable {
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

    /// Ends the transaction without a commit.
    consuming func end() {}

    @inlinable deinit { rollBackUnlessCommitted() }

    @usableFromInline
    func rollBackUnlessCommitted() {
        // A failed commit may already have ended the transaction. In that case, rolling back has no effect.
        if isOpen { database.rollBack() }
    }
}
