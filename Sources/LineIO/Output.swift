package import System

/// What a tool writes, gathered and let out in large blocks.
///
/// Nothing leaves by itself: `flush` is called between records, so that a record that turns out bad
/// half-way is taken back with `rewind`. On a terminal, what could drive it is shown escaped. What is
/// gathered may be plaintext: it is cleansed when it has been written or taken back.
@safe
@usableFromInline
package struct Output: ~Copyable {
    /// Bytes gathered that make a flush worth it: the size of a pipe on Linux.
    package static let blockSize = 65_536

    private let file: File
    private let isTerminal: Bool
    /// True where the output is a file on a disk.
    package let isFile: Bool
    private var bytes: UnsafeMutableRawBufferPointer
    /// Bytes gathered since the last flush.
    package private(set) var count = 0
    /// Where bytes that may have been written to end.
    private var dirtyEnd = 0
    /// Bytes of all flushes before.
    private var flushed: Int64 = 0
    /// Of all bytes ever gathered, how many have certainly left.
    package private(set) var certainlyLeft: Int64 = 0
    /// Of all bytes ever gathered, how many may have left.
    package private(set) var possiblyLeft: Int64 = 0

    /// Why a flush failed.
    private var failure: IOError?

    /// How many bytes were ever gathered.
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

    /// Appends the digits of a count.
    package mutating func append(_ count: Int) {
        if count > 9 { append(count / 10) }
        append(UInt8(ascii: "0") + UInt8(count % 10))
    }

    /// Hands `body` room for `capacity` bytes and keeps what it wrote, also when it throws.
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

    /// Takes back what was gathered after `count` had this value.
    package mutating func rewind(to mark: Int) {
        guard mark < count else { return }
        cleanse(from: mark)
        count = mark
    }

    private mutating func cleanse(from mark: Int) {
        unsafe System.cleanse(UnsafeMutableRawBufferPointer(rebasing: bytes[mark..<dirtyEnd]))
        dirtyEnd = mark
    }

    /// Writes all that was gathered, and forgets it, also after an error: `certainlyLeft` and
    /// `possiblyLeft` say then how much is out, and nothing more goes out.
    /// - Throws: `write`, `readerLeft`; once it has failed, the same again.
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

    /// Writes out what has become a large block.
    /// - Throws: as `flush`.
    package mutating func flushBlock() throws(IOError) {
        if count >= Self.blockSize { try flush() }
    }

    private mutating func write() throws(IOError) {
        let whole = unsafe Span<UInt8>(
            _unsafeBytes: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        if isTerminal {
            var shown = TerminalText.escaped(whole)
            defer { System.cleanse(&shown) }
            possiblyLeft = position
            try file.writeAll(shown.span)
            certainlyLeft = position
            return
        }
        while certainlyLeft < position {
            let start = Int(certainlyLeft - flushed)
            let size = file.growingSize
            // All of it may be out, until it is known how much is not: a write that fails may have put out a part.
            possiblyLeft = position
            do throws(IOError) {
                certainlyLeft += Int64(try file.write(whole.extracting(start...)))
            } catch {
                if file.tookNothing(after: error, size: size) { possiblyLeft = certainlyLeft }
                // A reader that went away has left these in the pipe.
                certainlyLeft = max(0, certainlyLeft - Int64(file.unreadBytes))
                throw error
            }
            possiblyLeft = certainlyLeft
        }
    }

    /// Brings to the disk what was flushed, where the output is a file.
    /// - Throws: `write`.
    package func synchronise() throws(IOError) {
        if isFile { try file.synchronise() }
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
