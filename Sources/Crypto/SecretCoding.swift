/// Puts a record together from parts: integers big-endian, in the order written.
package struct SecretWriter: ~Copyable {
    private var bytes: SecretBytes
    private var offset = 0

    /// - Parameter capacity: bytes of the finished record, zero where nothing is written.
    package init(capacity: Int) {
        bytes = SecretBytes(count: capacity)
    }

    /// Writes an integer of at most sixteen bytes.
    package mutating func put(_ number: some FixedWidthInteger) {
        if number.bitWidth > 64 {
            put(UInt64(truncatingIfNeeded: number >> 64), size: number.bitWidth / 8 - 8)
            return put(UInt64(truncatingIfNeeded: number), size: 8)
        }
        put(UInt64(truncatingIfNeeded: number), size: number.bitWidth / 8)
    }

    private mutating func put(_ number: UInt64, size: Int) {
        let start = skip(size)
        bytes.withMutableSpan { bytes in
            for index in 0..<size {
                bytes[start + index] = UInt8(truncatingIfNeeded: number >> (8 * (size - 1 - index)))
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

    /// Reads an integer of at most sixteen bytes.
    package mutating func integer<Number: FixedWidthInteger>() throws(CryptoError) -> Number {
        if Number.bitWidth > 64 {
            let high = Number(truncatingIfNeeded: try integer(size: Number.bitWidth / 8 - 8))
            return high << 64 | Number(truncatingIfNeeded: try integer(size: 8))
        }
        return Number(truncatingIfNeeded: try integer(size: Number.bitWidth / 8))
    }

    private mutating func integer(size: Int) throws(CryptoError) -> UInt64 {
        let start = offset
        try skip(size)
        return bytes.withSpan { bytes in
            (start..<(start + size)).reduce(0) { $0 << 8 | UInt64(bytes[$1]) }
        }
    }

    /// Passes over `count` bytes.
    /// - Throws: `broken` where there are fewer.
    package mutating func skip(_ count: Int) throws(CryptoError) {
        guard count >= 0, count <= remaining else { throw .broken }
        offset += count
    }

    package mutating func secret(_ count: Int) throws(CryptoError) -> SecretBytes {
        let start = offset
        try skip(count)
        return bytes.withSpan { SecretBytes(copying: $0.extracting(start..<(start + count))) }
    }
}
