internal import CSQLite

/// A prepared statement. Each call of `bind` sets the next parameter.
@safe
final class Statement {
    private let handle: OpaquePointer
    private var bound: Int32 = 0

    init(_ handle: OpaquePointer) { unsafe self.handle = handle }

    deinit {
        unsafe sqlite3_finalize(handle)
    }

    func reset() {
        unsafe sqlite3_reset(handle)
        unsafe sqlite3_clear_bindings(handle)
        bound = 0
    }

    @discardableResult
    func bind(_ number: Int64) -> Statement {
        bound += 1
        unsafe sqlite3_bind_int64(handle, bound, number)
        return self
    }

    @discardableResult
    func bind(_ bytes: [UInt8]) -> Statement {
        bound += 1
        // The address of an empty array may be nil, and SQLite would then bind NULL.
        if bytes.isEmpty {
            unsafe sqlite3_bind_zeroblob(handle, bound, 0)
            return self
        }
        _ = unsafe bytes.withUnsafeBytes {
            unsafe sqlite3_bind_blob(handle, bound, $0.baseAddress, Int32($0.count), Self.transient)
        }
        return self
    }

    /// Moves to the next row. If there are no more rows, resets the statement and returns false.
    func step() throws(KeyringError) -> Bool {
        let result = unsafe sqlite3_step(handle)
        let isSound = !Database.wasReadRefused
        if result == SQLITE_ROW, isSound { return true }
        let failure =
            unsafe result == SQLITE_DONE && isSound
            ? nil : Database.failure(result, sqlite3_db_handle(handle))
        unsafe sqlite3_reset(handle)
        if let failure { throw failure }
        return false
    }

    /// Runs a statement that returns no rows.
    func run() throws(KeyringError) {
        while try step() {}
    }

    /// Runs a query and passes its first row to `body`. Returns nil if there are no rows.
    func first<Result>(
        _ body: (Statement) throws(KeyringError) -> Result
    ) throws(KeyringError) -> Result? {
        guard try step() else { return nil }
        defer { reset() }
        return try body(self)
    }

    func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

    /// The text of a column, or an empty text if it is NULL.
    func text(_ column: Int32) -> String {
        guard let start = unsafe sqlite3_column_text(handle, column) else { return "" }
        return unsafe String(cString: start)
    }

    /// The bytes of a column as a value of the same size, or nil if the size differs.
    func value<Value: BitwiseCopyable>(_ column: Int32) -> Value? {
        guard let start = unsafe sqlite3_column_blob(handle, column),
            unsafe Int(sqlite3_column_bytes(handle, column)) == MemoryLayout<Value>.size
        else { return nil }
        return unsafe start.loadUnaligned(as: Value.self)
    }

    func bytes(_ column: Int32) -> [UInt8] {
        let start = unsafe sqlite3_column_blob(handle, column)
        let count = unsafe Int(sqlite3_column_bytes(handle, column))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// SQLITE_TRANSIENT, which tells SQLite to copy the bound value. Swift cannot import this macro.
    private static var transient: sqlite3_destructor_type {
        unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }
}
