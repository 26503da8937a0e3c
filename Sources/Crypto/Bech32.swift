/// Bech32 encoding (BIP 173), but without its limit of 90 characters. The program age uses this encoding
/// for its keys (C2SP, age v1).
package enum Bech32 {
    private static let symbols = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)
    /// Number of symbols in the checksum.
    private static let checkLength = 6

    /// Returns `prefix ‖ 1 ‖ data ‖ checksum`, either all in lower case or all in upper case.
    ///
    /// - Parameter prefix: lowercase ASCII characters. The checksum is always computed from the lowercase
    ///   prefix, even if the result is in upper case.
    package static func encoded(
        _ data: Span<UInt8>, prefix: String, capitals: Bool = false
    ) -> SecretBytes {
        let prefix = Array(prefix.utf8)
        let length = (data.count * 8 + 4) / 5
        var writer = SecretWriter(capacity: prefix.count + 1 + length + checkLength)
        var checksum = Checksum(prefix)
        func cased(_ byte: UInt8) -> UInt8 {
            let isSmall = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            return capitals && isSmall ? byte - 32 : byte
        }
        for byte in prefix { writer.put(cased(byte)) }
        writer.put(UInt8(ascii: "1"))
        for index in 0..<length {
            let value = fiveBits(of: data, at: 5 * index)
            checksum.update(value)
            writer.put(cased(symbols[Int(value)]))
        }
        for value in checksum.finish() { writer.put(cased(symbols[Int(value)])) }
        return writer.finish()
    }

    /// Returns five bits of `data`, beginning at the bit offset `bit`. The first of the five bits is the most
    /// significant. Bits after the end of `data` are zero.
    package static func fiveBits(of data: Span<UInt8>, at bit: Int) -> UInt8 {
        let first = UInt16(data[bit / 8]) << 8
        let pair = bit / 8 + 1 < data.count ? first | UInt16(data[bit / 8 + 1]) : first
        return UInt8(truncatingIfNeeded: pair >> UInt16(11 - bit % 8)) & 31
    }

    /// A running checksum. The checksum is a BCH code over the field with 32 elements.
    private struct Checksum {
        private static let generator: [UInt32] = [
            0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3,
        ]

        private var state: UInt32 = 1

        init(_ prefix: [UInt8]) {
            for byte in prefix { update(byte >> 5) }
            update(0)
            for byte in prefix { update(byte & 31) }
        }

        mutating func update(_ value: UInt8) {
            let top = state >> 25
            state = (state & 0x01ff_ffff) << 5 ^ UInt32(value)
            for (bit, part) in Self.generator.enumerated() where top >> UInt32(bit) & 1 == 1 {
                state ^= part
            }
        }

        /// Returns the six symbols of the checksum.
        func finish() -> [UInt8] {
            var padded = self
            for _ in 0..<checkLength { padded.update(0) }
            let sum = padded.state ^ 1
            return (0..<checkLength).map {
                UInt8(truncatingIfNeeded: sum >> UInt32(25 - 5 * $0)) & 31
            }
        }
    }
}
