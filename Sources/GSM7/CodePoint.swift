/// Code points of UTF-8.
package enum CodePoint {
    /// The code point that begins at `index` and the bytes it takes, or nil at the end and for what is not
    /// UTF-8: stray and missing bytes, overlong forms, surrogates, values above U+10FFFF (RFC 3629).
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

    /// The smallest value that needs this count of bytes.
    private static let shortest: InlineArray<5, UInt32> = [0, 0, 0x80, 0x800, 0x1_0000]

    /// True for control characters: general category Cc, that is C0, DEL and C1, and the separators of
    /// lines and paragraphs, which many programs take for newlines.
    package static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0x2028, 0x2029: true
        default: false
        }
    }

    /// True for what goes on the character before it: general categories Mn, Mc and Me.
    static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }
}

extension OutputSpan<UInt8> {
    /// Appends a character's UTF-8, for which there is room.
    @_lifetime(self: copy self)
    package mutating func append(_ character: Unicode.Scalar) {
        for byte in UTF8.encode(character) ?? UTF8.encodedReplacementCharacter { append(byte) }
    }
}
