internal import CPlatform

extension [UInt8] {
    /// The bytes of a span.
    package init(copying span: Span<UInt8>) {
        self = unsafe span.withUnsafeBufferPointer { unsafe Array($0) }
    }

    /// An integer's bytes, the highest first.
    package init(bigEndian number: some FixedWidthInteger) {
        let whole = UInt128(truncatingIfNeeded: number)
        self = []
        for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: whole >> UInt128(shift)))
        }
    }
}

extension OutputSpan<UInt8> {
    /// Appends bytes, for which there is room.
    @_lifetime(self: copy self)
    package mutating func append(copying bytes: Span<UInt8>) { append(bytes) { $0 } }

    /// Appends what becomes of each of some bytes, for which there is room. Without branches in `change`
    /// the compiler vectorises it.
    @_lifetime(self: copy self)
    @inlinable @inline(__always)
    package mutating func append(_ bytes: Span<UInt8>, _ change: (UInt8) -> UInt8) {
        precondition(bytes.count <= freeCapacity)
        unsafe withUnsafeMutableBufferPointer { (room, count) in
            for index in bytes.indices { unsafe room[count &+ index] = change(bytes[index]) }
            count += bytes.count
        }
    }
}

/// The integer whose bytes, the highest first, these are; of more than eight, the last.
package func bigEndian(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
}

/// Bytes as hexadecimal digits, lower case.
package func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

/// The bytes that hexadecimal digits, of either case, stand for; nil where they are none.
package func bytes(hex text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count % 2 == 0,
        digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
    else {
        return nil
    }
    return stride(from: 0, to: digits.count, by: 2).compactMap {
        UInt8(String(decoding: digits[$0..<($0 + 2)], as: UTF8.self), radix: 16)
    }
}

/// How far from the beginning of some bytes one of them is first; nil where it is not among them.
package func offset(of byte: UInt8, in bytes: UnsafeRawBufferPointer) -> Int? {
    guard let start = bytes.baseAddress, bytes.count > 0,
        let found = unsafe memchr(start, Int32(byte), bytes.count)
    else { return nil }
    return unsafe UnsafeRawPointer(found) - start
}
