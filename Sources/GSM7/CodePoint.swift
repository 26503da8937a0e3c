/// Functions that decode UTF-8 and classify code points.
package enum CodePoint {
    /// Returns the code point that begins at `index`, and its length in bytes.
    ///
    /// Returns nil at the end of the text, and for malformed UTF-8 (RFC 3629). UTF-8 is malformed if it
    /// contains unexpected bytes, overlong forms, surrogates, or values above U+10FFFF, or if bytes are
    /// missing.
    package static func decode(
        _ utf8: Span<UInt8>, at index: Int
    ) -> (scalar: Unicode.Scalar, length: Int)? {
        guard index < utf8.count else { return nil }
        let lead = utf8[index]
        let length: Int
        var value: UInt32
        switch lead {
        case 0x00...0x7F: return (Unicode.Scalar(lead), 1)
        case 0xC2...0xDF: (length, value) = (2, UInt32(lead & 0x1F))
        case 0xE0...0xEF: (length, value) = (3, UInt32(lead & 0x0F))
        case 0xF0...0xF4: (length, value) = (4, UInt32(lead & 0x07))
        default: return nil
        }
        guard length <= utf8.count - index else { return nil }
        for offset in 1..<length {
            let trail = utf8[index + offset]
            guard trail & 0xC0 == 0x80 else { return nil }
            value = value << 6 | UInt32(trail & 0x3F)
        }
        guard value >= shortest[length], let scalar = Unicode.Scalar(value) else { return nil }
        return (scalar, length)
    }

    /// For each length of a UTF-8 sequence, the smallest code point that needs this length. The array
    /// index is the length in bytes.
    private static let shortest: InlineArray<5, UInt32> = [0, 0, 0x80, 0x800, 0x1_0000]

    /// Returns true for control characters (general category Cc). Also returns true for the line separator
    /// and the paragraph separator, because many programs treat them as newlines.
    package static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0x2028, 0x2029: true
        default: false
        }
    }

    /// Returns true for combining marks (general categories Mn, Mc and Me).
    package static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }
}

extension OutputSpan<UInt8> {
    /// Appends a character as UTF-8. The span must have room for the encoded character.
    @_lifetime(self: copy self)
    package mutating func append(_ character: Unicode.Scalar) {
        for byte in UTF8.encode(character) ?? UTF8.encodedReplacementCharacter { append(byte) }
    }
}
