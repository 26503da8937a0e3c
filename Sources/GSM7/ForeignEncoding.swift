/// What a text that is no good UTF-8 may be instead.
package enum ForeignEncoding: Equatable, Sendable {
    /// As word processors and spreadsheets of Windows write "Unicode text".
    case utf16
    /// One byte for each character; nothing in it is UTF-8 beyond ASCII.
    case windows1252

    /// Looks at a text; nil where it may be UTF-8, or nothing that is known.
    package init?(of text: Span<UInt8>) {
        if Self.isUTF16(text) {
            self = .utf16
        } else if Self.isWindows1252(text) {
            self = .windows1252
        } else {
            return nil
        }
    }

    /// True where a byte order mark is at the beginning, or a quarter of the bytes are NUL: in most
    /// languages every other one is, or those of spaces and digits.
    private static func isUTF16(_ text: Span<UInt8>) -> Bool {
        if text.count > 1, text[0] ^ text[1] == 0x01, text[0] >= 0xFE, text[1] >= 0xFE {
            return true
        }
        var nulls = 0
        for index in text.indices where text[index] == 0 { nulls += 1 }
        return nulls > 0 && 4 * nulls >= text.count
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

    /// The character of a byte in Windows-1252, or nil for the five that have none.
    package static func windows1252(_ byte: UInt8) -> Unicode.Scalar? {
        guard 0x80...0x9F ~= byte else { return Unicode.Scalar(byte) }
        let scalar = c1[Int(byte - 0x80)]
        return scalar == "·" ? nil : scalar
    }

    /// Bytes 0x80 to 0x9F; `·` for none (Unicode's mapping file CP1252.TXT).
    private static let c1 = Array("€·‚ƒ„…†‡ˆ‰Š‹Œ·Ž··‘’“”•–—˜™š›œ·žŸ".unicodeScalars)
}

extension TextFault {
    /// What to do about a text in another encoding, for the end of a diagnostic; nil where it is in
    /// none.
    ///
    /// - Parameter mending: what is said of the option that takes Windows-1252 for what it is.
    package func remedyForEncoding(of text: Span<UInt8>, mending: String) -> String? {
        switch (self, ForeignEncoding(of: text)) {
        case (.malformed, .utf16), (.control, .utf16):
            "this is UTF-16: convert it, as iconv -f utf-16 -t utf-8 does"
        case (.malformed, .windows1252): "this looks like Windows-1252: \(mending)"
        case (.malformed, nil): "convert the text to UTF-8, as iconv(1) does"
        case (.control(let scalar, _), _) where 0x80...0x9F ~= scalar.value:
            "this is Windows-1252 taken for Latin-1: \(mending)"
        default: nil
        }
    }
}
