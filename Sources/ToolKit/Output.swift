package import System

/// Buffers what a tool writes, and writes it in large blocks.
///
/// Nothing is written until `flush` is called. Tools call it between records, so the output of a record that
/// turns out to be bad can be removed with `rewind`. On a terminal, characters that could control it are
/// escaped. The buffer may hold plaintext, so it is overwritten after a flush and after a rewind.
@safe
@usableFromInline
package struct Output: ~Copyable {
    /// Number of buffered bytes at which the buffer is flushed. It is the capacity of a pipe on Linux.
    package static let blockSize = 65_536

    private let file: File
    private let isTerminal: Bool
    /// True if the output is a regular file.
    package let isFile: Bool
    private var bytes: UnsafeMutableRawBufferPointer
    /// Number of bytes appended since the last flush.
    package private(set) var count = 0
    /// End of the bytes in the buffer that may have been written to, and have to be overwritten later.
    private var dirtyEnd = 0
    /// Number of bytes in all earlier flushes.
    private var flushed: Int64 = 0
    /// How many of all bytes ever appended have certainly been written, and not been lost in a pipe whose
    /// reader ended.
    package private(set) var certainlyWritten: Int64 = 0
    /// How many of all bytes ever appended may have been written.
    package private(set) var possiblyWritten: Int64 = 0
    /// How many of all bytes ever appended had been flushed at the last successful fsync(2).
    private var synchronised: Int64 = 0

    /// The error of the first flush that failed.
    private var failure: IOError?

    /// Number of bytes ever appended.
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
        unsafe System.cleanse(UnsafeMutableRawBufferPointer(rebasing: bytes[..<dirtyEnd]))
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

    /// Appends a number that is not negative, in decimal digits.
    package mutating func append(_ count: Int) {
        if count > 9 { append(count / 10) }
        append(UInt8(ascii: "0") + UInt8(count % 10))
    }

    /// Gives `body` space for `capacity` bytes, and keeps what it wrote, even if it throws.
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

    /// Removes everything that was appended after `count` was `mark`.
    package mutating func rewind(to mark: Int) {
        guard mark < count else { return }
        cleanse(from: mark)
        count = mark
    }

    private mutating func cleanse(from mark: Int) {
        unsafe System.cleanse(UnsafeMutableRawBufferPointer(rebasing: bytes[mark..<dirtyEnd]))
        dirtyEnd = mark
    }

    /// Writes the buffered bytes and empties the buffer, even if writing fails.
    ///
    /// After an error, `certainlyWritten` and `possiblyWritten` tell how much was written, and nothing more will
    /// be.
    /// - Throws: `write`, `readerLeft`. After a failed flush, every flush throws the same error.
    package mutating func flush() throws(IOError) {
        if let failure { throw failure }
        defer {
            cleanse(from: 0)
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
            defer { System.cleanse(&shown) }
            possiblyWritten = position
            try file.writeAll(shown.span)
            certainlyWritten = position
            return
        }
        while certainlyWritten < position {
            let start = Int(certainlyWritten - flushed)
            let size = file.sizeIfAppending
            // Until the write returns, assume that all bytes may be out, because a write that fails may still
            // have written some of them.
            possiblyWritten = position
            do throws(IOError) {
                certainlyWritten += Int64(try file.write(whole.extracting(start...)))
            } catch {
                if file.wroteNothing(after: error, size: size) {
                    possiblyWritten = certainlyWritten
                }
                // If the reader of a pipe is gone, it has not read the bytes that are still in the pipe.
                certainlyWritten = max(0, certainlyWritten - Int64(file.unreadBytes))
                throw error
            }
            possiblyWritten = certainlyWritten
        }
    }

    /// Calls fsync(2) if the output is a regular file and something was written since the last call.
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
        unsafe System.cleanse(bytes)
        unsafe bytes.deallocate()
        unsafe bytes = larger
    }
}
