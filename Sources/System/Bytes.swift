internal import CPlatform

extension [UInt8] {
    /// Creates an array with a copy of the bytes of a span.
    package init(copying span: Span<UInt8>) {
        self = unsafe span.withUnsafeBufferPointer { unsafe Array($0) }
    }

    /// Creates an array with the bytes of an integer in big-endian order.
    package init(bigEndian number: some FixedWidthInteger) {
        let whole = UInt128(truncatingIfNeeded: number)
        self = []
        reserveCapacity(number.bitWidth / 8)
        for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: whole >> UInt128(shift)))
        }
    }
}

extension OutputSpan<UInt8> {
    /// Appends a copy of a span. The output span must have room for all bytes.
    @_lifetime(self: copy self)
    package mutating func append(copying bytes: Span<UInt8>) {
        precondition(bytes.count <= freeCapacity)
        unsafe withUnsafeMutableBufferPointer { (room, count) in
            let free = UnsafeMutableRawBufferPointer(room.extracting(count...))
            unsafe bytes.withUnsafeBytes { unsafe free.copyMemory(from: $0) }
            count += bytes.count
        }
    }

    /// Appends the result of `change` for each byte of a span. The output span must have room for all bytes.
    ///
    /// If `change` has no branches, the compiler vectorises the loop of this function.
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

/// Returns the integer that the bytes encode in big-endian order. If there are more than eight bytes, only
/// the last eight bytes are used.
package func bigEndian(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
}

/// Returns bytes as lowercase hexadecimal digits.
package func hex(_ bytes: [UInt8]) -> String {
    func digit(_ value: UInt8) -> UInt8 {
        (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10) + value
    }
    var digits: [UInt8] = []
    digits.reserveCapacity(2 * bytes.count)
    for byte in bytes {
        digits.append(digit(byte >> 4))
        digits.append(digit(byte & 15))
    }
    return String(decoding: digits, as: UTF8.self)
}

/// Parses uppercase or lowercase hexadecimal digits. Returns nil if the text is malformed.
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

/// Returns the offset of the first occurrence of a byte, or nil if there is none (memchr(3)).
package func offset(of byte: UInt8, in bytes: UnsafeRawBufferPointer) -> Int? {
    guard let start = bytes.baseAddress, bytes.count > 0,
        let found = unsafe memchr(start, Int32(byte), bytes.count)
    else { return nil }
    return unsafe UnsafeRawPointer(found) - start
}
