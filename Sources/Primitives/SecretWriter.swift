/// Puts a record together from parts: integers big-endian, in the order written.
@usableFromInline
package struct SecretWriter: ~Copyable {
    private var bytes: SecretBytes
    private var offset = 0

    /// - Parameter capacity: bytes of the finished record, zero where nothing is written.
    package init(capacity: Int) {
        bytes = SecretBytes(count: capacity)
    }

    @usableFromInline
    package mutating func put(_ byte: UInt8) {
        let place = offset
        bytes.withMutableSpan { $0[place] = byte }
        offset += 1
    }

    @inlinable
    package mutating func put<Number: FixedWidthInteger>(_ number: Number) {
        for shift in stride(from: Number.bitWidth - 8, through: 0, by: -8) {
            put(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    package mutating func put(_ span: Span<UInt8>) {
        let end = offset + span.count
        bytes.withMutablePart(offset..<end) { part in
            for index in span.indices { part[index] = span[index] }
        }
        offset = end
    }

    package mutating func put(_ secret: borrowing SecretBytes) {
        secret.withSpan { put($0) }
    }

    package consuming func finish() -> SecretBytes { bytes }
}

/// Takes a record apart in the order in which it was put together.
@usableFromInline
package struct SecretReader: ~Copyable {
    private let bytes: SecretBytes
    private var offset = 0

    package init(_ bytes: consuming SecretBytes) { self.bytes = bytes }

    package var remaining: Int { bytes.count - offset }

    /// - Throws: `broken` at the end of the record, as all that follow.
    @usableFromInline
    package mutating func byte() throws(CryptoError) -> UInt8 {
        guard remaining > 0 else { throw .broken }
        let place = offset
        offset += 1
        return bytes.withSpan { $0[place] }
    }

    @inlinable
    package mutating func integer<Number: FixedWidthInteger>() throws(CryptoError) -> Number {
        var number: Number = 0
        for _ in 0..<(Number.bitWidth / 8) {
            number = number << 8 | Number(truncatingIfNeeded: try byte())
        }
        return number
    }

    package mutating func secret(_ count: Int) throws(CryptoError) -> SecretBytes {
        guard count >= 0, count <= remaining else { throw .broken }
        let part = bytes.withSpan { SecretBytes(copying: $0.extracting(offset..<(offset + count))) }
        offset += count
        return part
    }
}
