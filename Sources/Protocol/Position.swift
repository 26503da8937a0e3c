package import Crypto
internal import System

/// The name of one direction of a conversation (smsenc-protocol(7), Positions). The name consists of eight
/// characters of the alphabet that sync keys use.
package struct DirectionName: Hashable, Sendable {
    package static let length = 8

    /// The 40 bits that the eight characters of the name encode.
    package let bits: UInt64

    /// Returns nil if `bits` has more than 40 bits.
    package init?(bits: UInt64) {
        guard bits >> 40 == 0 else { return nil }
        self.bits = bits
    }

    /// Creates a name from the first 40 bits of a hash.
    init(firstBitsOf hash: UInt128) { bits = UInt64(truncatingIfNeeded: hash >> 88) }

    package init(from record: inout SecretReader) throws(InvalidRecord) {
        guard let name = DirectionName(bits: try record.integer()) else { throw InvalidRecord() }
        self = name
    }

    package func write(to record: inout SecretWriter) { record.put(bits) }

    /// Parses a name. Returns nil if the text differs, even only in case, from the form that `text` returns.
    package init?(_ text: some Collection<UInt8>) {
        guard text.count == Self.length else { return nil }
        var bits: UInt64 = 0
        for character in text {
            guard let value = Base32.alphabet.firstIndex(of: character) else { return nil }
            bits = bits << 5 | UInt64(value)
        }
        self.bits = bits
    }

    /// The name as text.
    var text: String {
        let characters = (0..<Self.length).reversed().map { (place) -> UInt8 in
            Base32.alphabet[Int((bits >> UInt64(5 * place)) & 31)]
        }
        return String(decoding: characters, as: UTF8.self)
    }
}

/// The position of a message, such as `K3F9Q7ZM.17.5` (smsenc-protocol(7), Positions).
package struct Position: Hashable, Sendable {
    package let direction: DirectionName
    package let chain: UInt32
    package let key: UInt32

    package init(_ direction: DirectionName, chain: UInt32, key: UInt32) {
        (self.direction, self.chain, self.key) = (direction, chain, key)
    }

    package init(_ direction: DirectionName, _ position: KeyPosition) {
        self.init(direction, chain: position.chain, key: position.key)
    }

    /// The position of the message key, without the name of the direction.
    package var keyPosition: KeyPosition { KeyPosition(chain: chain, key: key) }

    /// Parses a position. Returns nil if the text differs, even only in case, from the form that `text`
    /// returns.
    package init?(_ text: Span<UInt8>) {
        let text = Array(copying: text)
        let fields = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard fields.count == 3, let direction = DirectionName(fields[0]),
            let chain = UInt32(String(decoding: fields[1], as: UTF8.self)),
            let key = UInt32(String(decoding: fields[2], as: UTF8.self))
        else { return nil }
        self.init(direction, chain: chain, key: key)
        // The numbers may have leading zeros or a sign.
        guard text == Array(self.text.utf8) else { return nil }
    }

    /// The position as text.
    package var text: String { "\(direction.text).\(chain).\(key)" }
}
