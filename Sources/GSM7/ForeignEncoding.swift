/// The probable encoding of a text that is not valid UTF-8.
package enum ForeignEncoding: Equatable, Sendable {
    /// The text is in UTF-16. Windows programs call UTF-16 "Unicode text".
    case utf16
    /// The text is in Windows-1252, in which each character is one byte. No part of the text is a
    /// multi-byte character in UTF-8.
    case windows1252
    /// The input is binary data instead of text.
    case binary

    /// Guesses the encoding of a text. Returns nil if the text may be UTF-8, or if no encoding is
    /// probable.
    package init?(of text: Span<UInt8>) {
        if let encoding = Self.withNULs(text) {
            self = encoding
        } else if Self.isWindows1252(text) {
            self = .windows1252
        } else {
            return nil
        }
    }

    /// Returns `utf16` if the text begins with a byte order mark, or if at least a quarter of its bytes
    /// are NUL. In Latin letters in UTF-16, every second byte is NUL. In other scripts in UTF-16, each
    /// space and each digit contains one NUL byte. Returns `binary` if two NUL bytes are next to each
    /// other.
    private static func withNULs(_ text: Span<UInt8>) -> ForeignEncoding? {
        if text.count > 1, text[0] ^ text[1] == 0x01, text[0] >= 0xFE, text[1] >= 0xFE {
            return .utf16
        }
        var nulls = 0
        for index in text.indices where text[index] == 0 {
            nulls += 1
            if index > 0, text[index - 1] == 0 { return .binary }
        }
        return nulls > 0 && 4 * nulls >= text.count ? .utf16 : nil
    }

    private static func isWindows1252(_ text: Span<UInt8>) -> Bool {
        var isForeign = false
        for index in text.indices where text[index] >= 0x80 {
            if CodePoint.decode(text, at: index) != nil { return false }
            guard windows1252(text[index]) != nil else { return false }
            isForeign = true
        }
        return isForeign
    }

    /// Returns the character of a byte in Windows-1252, or nil for the five bytes that are not assigned.
    package static func windows1252(_ byte: UInt8) -> Unicode.Scalar? {
        guard 0x80...0x9F ~= byte else { return Unicode.Scalar(byte) }
        let scalar = c1[Int(byte - 0x80)]
        return scalar == "·" ? nil : scalar
    }

    /// Characters of the bytes 0x80 to 0x9F (Unicode's mapping file CP1252.TXT). `·` stands for a byte to
    /// which no character is assigned.
    private static let c1 = Array("€·‚ƒ„…†‡ˆ‰Š‹Œ·Ž··‘’“”•–—˜™š›œ·žŸ".unicodeScalars)
}

extension TextFault {
    /// Returns advice that a diagnostic can end with. Returns nil if the text is probably not in a foreign
    /// encoding.
    ///
    /// - Parameter optionHint: the explanation of the tool's option for Windows-1252 input.
    package func adviceForEncoding(of text: Span<UInt8>, optionHint: String) -> String? {
        switch (self, ForeignEncoding(of: text)) {
        case (.malformed, .utf16), (.control, .utf16):
            "the text is UTF-16, so convert it with iconv -f utf-16 -t utf-8"
        case (.malformed, .binary), (.control, .binary): "this is not text; specify a text file"
        case (.malformed, .windows1252): "the text looks like Windows-1252, so \(optionHint)"
        case (.malformed, nil): "convert the text to UTF-8, for example with iconv(1)"
        case (.control(let scalar, _), _) where 0x80...0x9F ~= scalar.value:
            "the text is in Windows-1252, but was read as Latin-1, so \(optionHint)"
        default: nil
        }
    }
}
