package import Crypto
internal import System

/// The name of one direction of a conversation (smsenc-protocol(7), Positions). It consists of eight
/// characters of the alphabet that sync keys use.
package struct DirectionName: Hashable, Sendable {
    package static let length = 8

    /// The 40 bits that the characters encode.
    package let bits: UInt64

    /// Returns nil if `bits` has more than 40 bits.
    package init?(bits: UInt64) {
        guard bits >> 40 == 0 else { return nil }
        self.bits = bits
    }

    /// Creates a name from the first 40 bits of a hash.
    init(firstBitsOf hash: UInt128) { bits = UInt64(truncatingIfNeeded: hash >> 88) }

    package init(from record: inout SecretReader) throws(InvalidRecord) {
        let number: UInt64 = try record.integer()
        guard let name = DirectionName(bits: number) else { throw InvalidRecord() }
        self = name
    }

    package func write(to record: inout SecretWriter) { record.put(bits) }

    /// Parses a name. Accepts only the spelling that `append` writes, and returns nil for all other texts.
    package init?(_ text: Span<UInt8>) {
        guard text.count == Self.length else { return nil }
        var bits: UInt64 = 0
        for index in text.indices {
            guard let value = Base32.alphabet.firstIndex(of: text[index]) else { return nil }
            bits = bits << 5 | UInt64(value)
        }
        self.bits = bits
    }

    @_lifetime(text: copy text)
    package func append(to text: inout OutputSpan<UInt8>) {
        for index in (0..<Self.length).reversed() {
            text.append(Base32.alphabet[Int(bits >> UInt64(5 * index) & 31)])
        }
    }
}

/// The position of a message, such as `K3F9Q7ZM.17.5` (smsenc-protocol(7), Positions).
package struct Position: Hashable, Sendable {
    package let direction: DirectionName
    package let chain: UInt32
    package let key: UInt32

    /// Maximum number of bytes of a position as text.
    package static let maximumLength = DirectionName.length + 2 * 11

    package init(_ direction: DirectionName, chain: UInt32, key: UInt32) {
        (self.direction, self.chain, self.key) = (direction, chain, key)
    }

    package init(_ direction: DirectionName, _ position: KeyPosition) {
        self.init(direction, chain: position.chain, key: position.key)
    }

    /// The position without the name of the direction.
    package var keyPosition: KeyPosition { KeyPosition(chain: chain, key: key) }

    /// Parses a position. Accepts only the spelling that `append` writes, and returns nil for all other
    /// texts.
    package init?(_ text: Span<UInt8>) {
        let dots = text.indices.filter { text[$0] == UInt8(ascii: ".") }
        guard dots.count == 2 else { return nil }
        let (first, second) = (dots[0], dots[1])
        guard let direction = DirectionName(text.extracting(..<first)),
            let chain = Self.number(text.extracting((first + 1)..<second)),
            let key = Self.number(text.extracting((second + 1)...))
        else { return nil }
        self.init(direction, chain: chain, key: key)
    }

    /// Parses a decimal number without leading zeros.
    private static func number(_ text: Span<UInt8>) -> UInt32? {
        guard 1...10 ~= text.count, text.count == 1 || text[0] != UInt8(ascii: "0") else {
            return nil
        }
        var number: UInt64 = 0
        for index in text.indices {
            guard 0x30...0x39 ~= text[index] else { return nil }
            number = number * 10 + UInt64(text[index] - 0x30)
        }
        return UInt32(exactly: number)
    }

    /// Appends the position as text. `text` needs room for `maximumLength` bytes.
    @_lifetime(text: copy text)
    package func append(to text: inout OutputSpan<UInt8>) {
        direction.append(to: &text)
        for number in [chain, key] {
            text.append(UInt8(ascii: "."))
            text.append(copying: String(number).utf8.span)
        }
    }

    /// The position as text.
    package var text: String {
        withScratch(Self.maximumLength) { (text) in
            append(to: &text)
            return String(decoding: Array(copying: text.span), as: UTF8.self)
        }
    }
}
