internal import System

/// Bytes that nobody else may see: one owner, on the heap, overwritten when it goes.
///
/// The compiler copies values of other types to the stack and leaves them there; what
/// this handle points to stays in one place. It prints as nothing.
@safe
@usableFromInline
package struct SecretBytes: ~Copyable, @unchecked Sendable {
    package let count: Int
    private let base: UnsafeMutablePointer<UInt8>

    /// Makes `count` zero bytes.
    package init(count: Int) {
        self.count = count
        unsafe base = .allocate(capacity: max(1, count))
        unsafe base.initialize(repeating: 0, count: count)
    }

    /// Copies bytes that are secret elsewhere.
    package init(copying span: Span<UInt8>) {
        self.init(count: span.count)
        copy(span, to: 0)
    }

    @inlinable deinit { end() }

    @usableFromInline
    func end() {
        unsafe System.cleanse(base, count)
        unsafe base.deallocate()
    }

    /// Overwrites all with zeros.
    mutating func cleanse() { unsafe System.cleanse(base, count) }

    /// A second owner of the same bytes, for a search that may come to nothing.
    package borrowing func duplicate() -> SecretBytes {
        withSpan { SecretBytes(copying: $0) }
    }

    package borrowing func withSpan<Failure: Error, Result: ~Copyable>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let span = unsafe Span(_unsafeStart: base, count: count)
        return try body(span)
    }

    package mutating func withMutableSpan<Failure: Error, Result: ~Copyable>(
        _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var span = unsafe MutableSpan(_unsafeStart: base, count: count)
        return try body(&span)
    }

    /// Copies bytes to a place from `offset` on.
    package mutating func copy(_ span: Span<UInt8>, to offset: Int) {
        precondition(offset >= 0 && span.count <= count - offset)
        unsafe span.withUnsafeBufferPointer { source in
            guard let start = source.baseAddress else { return }
            // In Embedded Swift update(from:count:) calls a function for each byte.
            unsafe UnsafeMutableRawPointer(base + offset)
                .copyMemory(from: start, byteCount: source.count)
        }
    }

    /// The bytes for a call into libcrypto, which keeps no pointer.
    borrowing func withPointer<Result>(_ body: (UnsafeMutablePointer<UInt8>) -> Result) -> Result {
        unsafe body(base)
    }

    /// Compares in a time that depends on the lengths alone.
    package static func == (one: borrowing SecretBytes, other: borrowing SecretBytes) -> Bool {
        other.withSpan { one.holds($0) }
    }

    /// True if these are the bytes, compared in a time that depends on the lengths alone.
    package borrowing func holds(_ span: Span<UInt8>) -> Bool {
        guard span.count == count else { return false }
        var difference: UInt8 = 0
        for index in span.indices { difference |= unsafe base[index] ^ span[index] }
        return difference == 0
    }
}
