package import System

/// Buffers the output of a tool and writes it in large blocks.
///
/// Nothing is written until `flush` is called. Tools call `flush` only between records, so `rewind` can still
/// remove the output of a record that turns out to be bad. If the output is a terminal, characters that could
/// control the terminal are escaped. The buffer may contain plaintext, so it is overwritten after a flush and
/// after a rewind.
@safe
@usableFromInline
package struct Output: ~Copyable {
    /// Number of bytes at which the buffer is flushed, which is also the capacity of a pipe on Linux.
    package static let blockSize = 65_536

    private let file: File
    private let isTerminal: Bool
    /// True if the output is a regular file.
    package let isFile: Bool
    private var bytes: UnsafeMutableRawBufferPointer
    /// Number of bytes that were appended after the last flush.
    package private(set) var count = 0
    /// End of the part of the buffer that may contain data, and that has to be overwritten later.
    private var dirtyEnd = 0
    /// Total number of bytes that all earlier calls of `flush` took from the buffer.
    private var flushed: Int64 = 0
    /// Number of appended bytes that have certainly been written. Bytes that remained in a pipe when its
    /// reading process exited are not counted.
    package private(set) var certainlyWritten: Int64 = 0
    /// Number of appended bytes that may have been written.
    package private(set) var possiblyWritten: Int64 = 0
    /// Number of appended bytes that had been flushed before the last successful fsync(2).
    private var synchronised: Int64 = 0

    /// Error of the first flush that failed.
    private var failure: IOError?

    /// Number of bytes appended so far, including the bytes that have not been flushed yet.
    package var position: Int64 { flushed + Int64(count) }

    package init(to file: consuming File) {
        isTerminal = file.isTerminal
        isFile = file.regularSize != nil
        self.file = file
        unsafe bytes = .allocate(byteCount: 2 * Self.blockSize, alignment: 16)
    }

    @inlinable deinit { end() }

    @usableFromInline
    func end() {
        unsafe System.wipe(UnsafeMutableRawBufferPointer(rebasing: bytes[..<dirtyEnd]))
        unsafe bytes.deallocate()
    }

    package mutating func append(_ span: Span<UInt8>) {
        guard !span.isEmpty else { return }
        reserve(span.count)
        let start = count
        unsafe span.withUnsafeBytes { source in
            unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start...]).copyMemory(from: source)
        }
        count += span.count
    }

    @inline(__always)
    package mutating func append(_ byte: UInt8) {
        reserve(1)
        unsafe bytes[count] = byte
        count += 1
    }

    package mutating func append(_ text: String) { append(text.utf8.span) }

    /// Appends a non-negative number in decimal digits.
    package mutating func append(_ count: Int) {
        if count > 9 { append(count / 10) }
        append(UInt8(ascii: "0") + UInt8(count % 10))
    }

    /// Passes a span with room for `capacity` bytes to `body`. The bytes that `body` appends are kept,
    /// even if `body` throws.
    package mutating func withSpace<Failure: Error, Result>(
        _ capacity: Int, _ body: (inout OutputSpan<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        reserve(capacity)
        let room = unsafe UnsafeMutableBufferPointer(
            rebasing: bytes.assumingMemoryBound(to: UInt8.self)[count..<(count + capacity)])
        var span = unsafe OutputSpan(buffer: room, initializedCount: 0)
        defer { count += span.count }
        return try body(&span)
    }

    /// Removes everything that was appended after the first `mark` bytes of the buffer.
    package mutating func rewind(to mark: Int) {
        guard mark < count else { return }
        wipe(from: mark)
        count = mark
    }

    private mutating func wipe(from mark: Int) {
        unsafe System.wipe(UnsafeMutableRawBufferPointer(rebasing: bytes[mark..<dirtyEnd]))
        dirtyEnd = mark
    }

    /// Writes the buffered bytes. Empties the buffer, even if writing fails.
    ///
    /// After a failed flush, `certainlyWritten` and `possiblyWritten` show how many bytes were written. Later
    /// calls of `flush` only throw the same error.
    ///
    /// - Throws: `write`, `readerLeft`.
    package mutating func flush() throws(IOError) {
        if let failure { throw failure }
        defer {
            wipe(from: 0)
            flushed += Int64(count)
            count = 0
        }
        guard count > 0 else { return }
        do throws(IOError) {
            try write()
        } catch {
            failure = error
            throw error
        }
    }

    /// Flushes if the buffer has reached `blockSize`.
    ///
    /// - Throws: the same errors as `flush`.
    package mutating func flushBlock() throws(IOError) {
        if count >= Self.blockSize { try flush() }
    }

    private mutating func write() throws(IOError) {
        let whole = unsafe Span<UInt8>(
            _unsafeBytes: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        if isTerminal {
            var shown = TerminalText.escaped(whole)
            defer { System.wipe(&shown) }
            possiblyWritten = position
            try file.writeAll(shown.span)
            certainlyWritten = position
            return
        }
        while certainlyWritten < position {
            let start = Int(certainlyWritten - flushed)
            let size = file.sizeIfAppending
            // A failed write may have written some of its bytes. Until the write returns, therefore assume
            // that all bytes may have been written.
            possiblyWritten = position
            do throws(IOError) {
                certainlyWritten += Int64(try file.write(whole.extracting(start...)))
            } catch {
                if file.wroteNothing(after: error, size: size) {
                    possiblyWritten = certainlyWritten
                }
                // The process that read from the pipe has exited. The bytes that are still in the pipe were
                // never read.
                certainlyWritten = max(0, certainlyWritten - Int64(file.unreadBytes))
                throw error
            }
            possiblyWritten = certainlyWritten
        }
    }

    /// Calls fsync(2) if the output is a regular file. Does nothing if no bytes were written after the
    /// last call.
    ///
    /// - Throws: `write`.
    package mutating func synchronise() throws(IOError) {
        guard isFile, synchronised < flushed else { return }
        try file.synchronise()
        synchronised = flushed
    }

    @inline(__always)
    private mutating func reserve(_ extra: Int) {
        let needed = count + extra
        if needed > dirtyEnd { dirtyEnd = needed }
        if unsafe needed > bytes.count { grow(to: needed) }
    }

    @inline(never)
    private mutating func grow(to needed: Int) {
        let larger = unsafe UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(needed, 2 * bytes.count), alignment: 16)
        unsafe larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        unsafe System.wipe(bytes)
        unsafe bytes.deallocate()
        unsafe bytes = larger
    }
}
