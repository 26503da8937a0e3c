internal import System

/// Puts a record together from parts: integers big-endian, in the order written.
package struct SecretWriter: ~Copyable {
    private var bytes: SecretBytes
    private var offset = 0

    /// - Parameter capacity: bytes of the finished record, zero where nothing is written.
    package init(capacity: Int) {
        bytes = SecretBytes(count: capacity)
    }

    /// Writes an integer.
    package mutating func put<Number: FixedWidthInteger>(_ number: Number) {
        let start = skip(Number.bitWidth / 8)
        let end = offset
        // Of one type: each step of a generic one would be a call, and contacts have dozens.
        var rest = UInt128(truncatingIfNeeded: number)
        bytes.withMutableSpan { bytes in
            for index in (start..<end).reversed() {
                bytes[index] = UInt8(truncatingIfNeeded: rest)
                rest >>= 8
            }
        }
    }

    package mutating func put(_ span: Span<UInt8>) {
        bytes.copy(span, to: skip(span.count))
    }

    package mutating func put(_ secret: borrowing SecretBytes) {
        secret.withSpan { put($0) }
    }

    /// Leaves `count` bytes zero; where they begin.
    @discardableResult
    package mutating func skip(_ count: Int) -> Int {
        precondition(count >= 0 && count <= bytes.count - offset)
        defer { offset += count }
        return offset
    }

    package consuming func finish() -> SecretBytes { bytes }
}

/// Takes a record apart in the order in which it was put together.
package struct SecretReader: ~Copyable {
    private let bytes: SecretBytes
    private var offset = 0

    package init(_ bytes: consuming SecretBytes) { self.bytes = bytes }

    package var remaining: Int { bytes.count - offset }

    /// - Throws: `broken` at the end of the record, as all that follow.
    package mutating func byte() throws(CryptoError) -> UInt8 { try integer() }

    /// Reads an integer.
    package mutating func integer<Number: FixedWidthInteger>() throws(CryptoError) -> Number {
        let start = offset
        try skip(Number.bitWidth / 8)
        var number: UInt128 = 0
        bytes.withSpan { bytes in
            for index in start..<offset { number = number << 8 | UInt128(bytes[index]) }
        }
        return Number(truncatingIfNeeded: number)
    }

    /// Passes over `count` bytes.
    /// - Throws: `broken` where there are fewer.
    package mutating func skip(_ count: Int) throws(CryptoError) {
        guard count >= 0, count <= remaining else { throw .broken }
        offset += count
    }

    /// Bytes that are not secret.
    package mutating func bytes(_ count: Int) throws(CryptoError) -> [UInt8] {
        try secret(count).withSpan { Array(copying: $0) }
    }

    /// UTF-8 that is not secret; what is none is replaced.
    package mutating func text(_ count: Int) throws(CryptoError) -> String {
        String(decoding: try bytes(count), as: UTF8.self)
    }

    package mutating func secret(_ count: Int) throws(CryptoError) -> SecretBytes {
        let start = offset
        try skip(count)
        return bytes.withSpan { SecretBytes(copying: $0.extracting(start..<(start + count))) }
    }
}
