internal import System

/// Secret bytes on the heap that have exactly one owner. The bytes are overwritten when the owner is
/// destroyed.
///
/// If a value stored the bytes inline, the compiler could copy them to the stack and leave the copy there.
/// This type contains only a pointer, so the bytes themselves are never copied. The textual description of a
/// value does not show the bytes.
@safe
@usableFromInline
package struct SecretBytes: ~Copyable, @unchecked Sendable {
    package let count: Int
    private let base: UnsafeMutablePointer<UInt8>

    /// Allocates `count` zero bytes.
    package init(count: Int) {
        self.count = count
        unsafe base = .allocate(capacity: max(1, count))
        unsafe base.initialize(repeating: 0, count: count)
    }

    /// Allocates a copy of a span.
    package init(copying span: Span<UInt8>) {
        self.init(count: span.count)
        copy(span, to: 0)
    }

    @inlinable deinit { end() }

    @usableFromInline
    func end() {
        unsafe System.wipe(base, count)
        unsafe base.deallocate()
    }

    /// Returns a copy. The original and the copy each overwrite only their own bytes when they are destroyed.
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

    /// Overwrites the bytes that begin at `offset` with a copy of a span.
    package mutating func copy(_ span: Span<UInt8>, to offset: Int) {
        precondition(offset >= 0 && span.count <= count - offset)
        unsafe span.withUnsafeBufferPointer { source in
            guard let start = source.baseAddress else { return }
            // In Embedded Swift, update(from:count:) calls a function for each byte.
            unsafe UnsafeMutableRawPointer(base + offset)
                .copyMemory(from: start, byteCount: source.count)
        }
    }

    /// Calls `body` with a pointer to the secret bytes, which `body` passes to libcrypto. `body` must not store
    /// the pointer.
    borrowing func withPointer<Result>(_ body: (UnsafeMutablePointer<UInt8>) -> Result) -> Result {
        unsafe body(base)
    }

    /// Returns true if two secrets are equal. The duration of the comparison depends only on the lengths of
    /// the secrets.
    package static func == (one: borrowing SecretBytes, other: borrowing SecretBytes) -> Bool {
        other.withSpan { one.holds($0) }
    }

    /// Returns true if the bytes are equal to the bytes of a span. The duration of the comparison depends
    /// only on the two lengths.
    package borrowing func holds(_ span: Span<UInt8>) -> Bool {
        guard span.count == count else { return false }
        var difference: UInt8 = 0
        for index in span.indices { difference |= unsafe base[index] ^ span[index] }
        return difference == 0
    }
}
