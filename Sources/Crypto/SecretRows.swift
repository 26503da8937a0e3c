internal import System

/// A table that contains the secret bytes of a batch of messages. All rows of the table have the same size.
///
/// Unused rows are never accessed, so the system does not provide physical memory for them.
@safe
@usableFromInline
package struct SecretRows: ~Copyable {
    /// Number of bytes in a row.
    package let size: Int
    package let count: Int
    private let base: UnsafeMutablePointer<UInt8>
    /// Number of rows, counted from the first row of the table, that may contain data.
    private var used = 0

    package init(count: Int, size: Int) {
        self.size = size
        self.count = count
        unsafe base = .allocate(capacity: count * size)
    }

    @inlinable deinit { end() }

    @usableFromInline
    func end() {
        unsafe System.wipe(base, used * size)
        unsafe base.deallocate()
    }

    /// Fills all rows that may contain data with zeros.
    package mutating func wipe() {
        unsafe System.wipe(base, used * size)
        used = 0
    }

    /// Passes the bytes of a written row to `body`.
    package borrowing func withRow<Failure: Error, Result: ~Copyable>(
        _ row: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(row >= 0 && row < used)
        let row = unsafe UnsafeBufferPointer(start: base + row * size, count: size)
        let span = unsafe Span(_unsafeElements: row)
        return try body(span)
    }

    /// Passes a row to `body`, which may change the row. The row must have been written before.
    package mutating func withMutableRow<Failure: Error, Result: ~Copyable>(
        _ row: Int, _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(row >= 0 && row < used)
        let row = unsafe UnsafeMutableBufferPointer(start: base + row * size, count: size)
        var span = unsafe MutableSpan(_unsafeElements: row)
        return try body(&span)
    }

    /// Passes an empty row to `body`, which writes bytes from the beginning of the row. The rest of the
    /// row is filled with zeros. Returns the number of bytes that `body` wrote.
    package mutating func write<Failure: Error>(
        row: Int, _ body: (inout OutputSpan<UInt8>) throws(Failure) -> Void
    ) throws(Failure) -> Int {
        precondition(row >= 0 && row < count)
        if row > used {
            unsafe (base + used * size).update(repeating: 0, count: (row - used) * size)
        }
        used = max(used, row + 1)
        let room = unsafe UnsafeMutableBufferPointer(start: base + row * size, count: size)
        var span = unsafe OutputSpan(buffer: room, initializedCount: 0)
        var written = 0
        defer { unsafe (base + row * size + written).update(repeating: 0, count: size - written) }
        try body(&span)
        written = span.count
        return written
    }
}
