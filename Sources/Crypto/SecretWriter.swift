/// Puts a record together from parts: integers big-endian, in the order written.
@usableFromInline
package struct SecretWriter: ~Copyable {
    @usableFromInline
    private(set) var bytes: SecretBytes
    private var offset = 0

    /// - Parameter capacity: bytes of the finished record, zero where nothing is written.
    package init(capacity: Int) {
        bytes = SecretBytes(count: capacity)
    }

    @inlinable
    package mutating func put<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number) {
        let place = skip(MemoryLayout<Number>.size)
        unsafe UnsafeMutableRawPointer(bytes.base + place)
            .storeBytes(of: number.bigEndian, as: Number.self)
    }

    package mutating func put(_ span: Span<UInt8>) {
        bytes.copy(span, to: skip(span.count))
    }

    package mutating func put(_ secret: borrowing SecretBytes) {
        secret.withSpan { put($0) }
    }

    /// Leaves so many bytes zero; where they begin.
    @discardableResult
    @usableFromInline
    package mutating func skip(_ count: Int) -> Int {
        precondition(count >= 0 && count <= bytes.count - offset)
        defer { offset += count }
        return offset
    }

    package consuming func finish() -> SecretBytes { bytes }
}

/// Takes a record apart in the order in which it was put together.
@usableFromInline
package struct SecretReader: ~Copyable {
    @usableFromInline
    let bytes: SecretBytes
    @usableFromInline
    private(set) var offset = 0

    package init(_ bytes: consuming SecretBytes) { self.bytes = bytes }

    package var remaining: Int { bytes.count - offset }

    /// - Throws: `broken` at the end of the record, as all that follow.
    @usableFromInline
    package mutating func byte() throws(CryptoError) -> UInt8 { try integer() }

    @inlinable
    package mutating func integer<Number: FixedWidthInteger & BitwiseCopyable>()
        throws(CryptoError) -> Number
    {
        let place = offset
        try skip(MemoryLayout<Number>.size)
        return bytes.withSpan { bytes in
            unsafe bytes.withUnsafeBytes {
                unsafe Number(bigEndian: $0.loadUnaligned(fromByteOffset: place, as: Number.self))
            }
        }
    }

    /// Passes over so many bytes.
    @usableFromInline
    package mutating func skip(_ count: Int) throws(CryptoError) {
        guard count >= 0, count <= remaining else { throw .broken }
        offset += count
    }

    package mutating func secret(_ count: Int) throws(CryptoError) -> SecretBytes {
        let place = offset
        try skip(count)
        return bytes.withSpan { SecretBytes(copying: $0.extracting(place..<(place + count))) }
    }
}
