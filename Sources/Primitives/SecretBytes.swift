internal import CPlatform

/// Bytes that nobody else may see: one owner, on the heap, overwritten when it goes.
///
/// The compiler copies values of other types to the stack and leaves them there; what is behind
/// this handle stays in one place. It prints as nothing.
@safe
@usableFromInline
package struct SecretBytes: ~Copyable, @unchecked Sendable {
    @usableFromInline
    package let count: Int
    // What is generic is inlinable, here and in other types of this library: a call through
    // unspecialised closures costs more than what most of them do.
    @usableFromInline
    package let base: UnsafeMutablePointer<UInt8>

    /// Makes so many zero bytes.
    package init(count: Int) {
        self.count = count
        unsafe base = .allocate(capacity: max(1, count))
        unsafe base.initialize(repeating: 0, count: count)
    }

    /// Copies bytes that are secret elsewhere.
    package init(copying span: Span<UInt8>) {
        count = span.count
        unsafe base = .allocate(capacity: max(1, span.count))
        unsafe span.withUnsafeBufferPointer { source in
            guard let start = source.baseAddress else { return }
            unsafe base.initialize(from: start, count: source.count)
        }
    }

    deinit {
        unsafe platform_cleanse(base, count)
        unsafe base.deallocate()
    }

    /// A second owner of the same bytes, for a search that may come to nothing.
    package borrowing func duplicate() -> SecretBytes {
        withSpan { SecretBytes(copying: $0) }
    }

    @inlinable
    package borrowing func withSpan<Failure: Error, Result: ~Copyable>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(unsafe Span(_unsafeStart: base, count: count))
    }

    @inlinable
    package mutating func withMutableSpan<Failure: Error, Result: ~Copyable>(
        _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var span = unsafe MutableSpan(_unsafeStart: base, count: count)
        return try body(&span)
    }

    /// Lets `body` change a part.
    @inlinable
    package mutating func withMutablePart<Failure: Error, Result: ~Copyable>(
        _ part: Range<Int>, _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(part.lowerBound >= 0 && part.upperBound <= count)
        var span = unsafe MutableSpan(_unsafeStart: base + part.lowerBound, count: part.count)
        return try body(&span)
    }

    /// Makes a part zero again.
    package mutating func cleanse(_ part: Range<Int>) {
        precondition(part.lowerBound >= 0 && part.upperBound <= count)
        unsafe platform_cleanse(base + part.lowerBound, part.count)
    }

    /// Lets `body` write bytes from the beginning of a part on; how many it wrote.
    @inlinable
    package mutating func write<Failure: Error>(
        into part: Range<Int>, _ body: (inout OutputSpan<UInt8>) throws(Failure) -> Void
    ) throws(Failure) -> Int {
        precondition(part.lowerBound >= 0 && part.upperBound <= count)
        let room = unsafe UnsafeMutableBufferPointer(
            start: base + part.lowerBound, count: part.count)
        var span = unsafe OutputSpan(buffer: room, initializedCount: 0)
        do {
            try body(&span)
        } catch {
            _ = unsafe span.finalize(for: room)
            throw error
        }
        return unsafe span.finalize(for: room)
    }

    /// The bytes for a call into libcrypto, which keeps no pointer.
    borrowing func withPointer<Result>(_ body: (UnsafeMutablePointer<UInt8>) -> Result) -> Result {
        unsafe body(base)
    }

    /// Compares in a time that depends on the lengths alone.
    package static func == (one: borrowing SecretBytes, other: borrowing SecretBytes) -> Bool {
        guard one.count == other.count else { return false }
        var difference: UInt8 = 0
        for index in 0..<one.count { difference |= unsafe one.base[index] ^ other.base[index] }
        return difference == 0
    }
}
