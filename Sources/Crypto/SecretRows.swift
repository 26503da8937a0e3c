internal import System

/// Rows of secret bytes, all of one size, for a batch of messages.
///
/// Memory that no row has used is never touched, so that a batch of one costs one row.
@safe
@usableFromInline
package struct SecretRows: ~Copyable {
    /// Bytes in a row.
    @usableFromInline
    package let size: Int
    @usableFromInline
    package let count: Int
    @usableFromInline
    package let base: UnsafeMutablePointer<UInt8>
    /// Rows from the first on that may hold something.
    @usableFromInline
    package var used = 0

    package init(count: Int, size: Int) {
        self.size = size
        self.count = count
        unsafe base = .allocate(capacity: count * size)
    }

    deinit {
        unsafe System.cleanse(base, used * size)
        unsafe base.deallocate()
    }

    /// Overwrites all rows that were used.
    package mutating func cleanse() {
        unsafe System.cleanse(base, used * size)
        used = 0
    }

    /// Shows a row that was written.
    @inlinable
    package borrowing func withRow<Failure: Error, Result: ~Copyable>(
        _ row: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(row >= 0 && row < used)
        return try body(unsafe Span(_unsafeStart: base + row * size, count: size))
    }

    /// Lets `body` change a row that was written.
    @inlinable
    package mutating func withMutableRow<Failure: Error, Result: ~Copyable>(
        _ row: Int, _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(row >= 0 && row < used)
        var span = unsafe MutableSpan(_unsafeStart: base + row * size, count: size)
        return try body(&span)
    }

    /// Lets `body` write a row anew, from its beginning; how many bytes it wrote. The others of the
    /// row are zero.
    @inlinable
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
        do throws(Failure) {
            try body(&span)
        } catch {
            _ = unsafe span.finalize(for: room)
            throw error
        }
        written = unsafe span.finalize(for: room)
        return written
    }
}
