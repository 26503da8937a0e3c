internal import Crypto

/// The reason why a text contains no valid offer.
package enum OfferFault: Error, Equatable {
    /// The text does not contain `smsenc1`.
    case missing
    /// The text after `smsenc1` does not have 56 characters. The value is the number of its characters.
    case length(Int)
    /// A character is not in the alphabet.
    case character
    /// The check characters are wrong, or the padding bits are not zero.
    case check
}

/// An offer, which is a text that contains an X25519 public key (smsenc-protocol(7), Offers). An offer can be
/// sent through an untrusted channel.
package struct Offer: Equatable, Sendable {
    private static let prefix = Array("smsenc1".utf8)
    /// Number of characters that encode the key. The characters of the key contain its 256 bits, followed by
    /// four zero bits.
    private static let keyLength = 52
    /// Number of check characters. The check characters encode 20 bits of a SHA-256 hash.
    private static let checkLength = 4

    /// The 32-byte X25519 public key.
    package let publicKey: [UInt8]

    package init(publicKey: [UInt8]) { self.publicKey = publicKey }

    /// Finds the first valid offer in a text.
    ///
    /// - Throws: the same errors as `all`.
    package init(in text: String) throws(OfferFault) { self = try Self.all(in: text)[0] }

    /// Finds all valid offers in a text. Examines each occurrence of `smsenc1`. Ignores white space and
    /// hyphens after `smsenc1`, because phones insert them.
    ///
    /// - Throws: the fault of the last occurrence, if the text contains no valid offer.
    package static func all(in text: String) throws(OfferFault) -> [Offer] {
        let utf8 = Array(text.utf8)
        var offers: [Offer] = []
        var fault = OfferFault.missing
        for start in utf8.indices where Self.isPrefix(of: utf8.span, at: start) {
            let rest = String(decoding: utf8[(start + Self.prefix.count)...], as: UTF8.self)
            do throws(OfferFault) {
                offers.append(Offer(publicKey: try Self.read(rest.unicodeScalars)))
            } catch {
                fault = error
            }
        }
        guard !offers.isEmpty else { throw fault }
        return offers
    }

    /// Returns true if a text contains `smsenc1`, even if it is not followed by a valid offer.
    package static func isAnnounced(in utf8: Span<UInt8>) -> Bool {
        utf8.indices.contains { isPrefix(of: utf8, at: $0) }
    }

    /// The text to send, which consists of `smsenc1-` and 56 characters.
    package var text: String {
        let values = Self.values(of: publicKey, Self.keyLength) + Self.check(of: publicKey)
        return "smsenc1-" + String(decoding: values.map { Base32.alphabet[Int($0)] }, as: UTF8.self)
    }

    private static func isPrefix(of utf8: Span<UInt8>, at start: Int) -> Bool {
        prefix.count <= utf8.count - start
            && prefix.indices.allSatisfy { index in
                let byte = utf8[start + index]
                let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                return (isCapital ? byte + 32 : byte) == prefix[index]
            }
    }

    /// Parses the 56 characters after `smsenc1`. White space or the end of the text must follow these 56
    /// characters.
    private static func read(_ scalars: String.UnicodeScalarView) throws(OfferFault) -> [UInt8] {
        var values: [UInt8] = []
        for scalar in scalars {
            let isSpace = scalar.properties.isWhitespace
            if values.count == keyLength + checkLength {
                guard isSpace else { throw .length(values.count + 1) }
                break
            }
            if isSpace || scalar == "-" { continue }
            guard scalar.isASCII, let value = Base32.value(of: UInt8(scalar.value)) else {
                throw values.isEmpty ? .length(0) : .character
            }
            values.append(value)
        }
        guard values.count == keyLength + checkLength else { throw .length(values.count) }
        guard let key = key(of: values[..<keyLength]),
            check(of: key) == Array(values[keyLength...])
        else { throw .check }
        return key
    }

    /// Returns the first `count` 5-bit values of `bytes`, most significant bit first.
    private static func values(of bytes: [UInt8], _ count: Int) -> [UInt8] {
        (0..<count).map { Bech32.fiveBits(of: bytes.span, at: 5 * $0) }
    }

    /// Joins 5-bit values into a key. Returns nil if the padding bits are not zero.
    private static func key(of values: ArraySlice<UInt8>) -> [UInt8]? {
        var key = [UInt8](repeating: 0, count: X25519.size)
        for (place, value) in values.enumerated() {
            for bit in 0..<5 where value >> UInt8(4 - bit) & 1 == 1 {
                let index = 5 * place + bit
                guard index < 256 else { return nil }
                key[index / 8] |= 0x80 >> UInt8(index % 8)
            }
        }
        return key
    }

    /// Returns the 5-bit values of the check characters. Together, the check characters contain the first 20
    /// bits of the SHA-256 hash of a label and the key.
    private static func check(of key: [UInt8]) -> [UInt8] {
        values(of: Digest.sha256(Array("smsenc/1 offer".utf8) + key), checkLength)
    }
}
