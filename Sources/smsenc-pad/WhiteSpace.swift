import GSM7

/// White space around a ciphertext, which phones and gateways add.
enum WhiteSpace {
    /// The part of a text between white space at its beginning and its end.
    static func trimmed(_ text: Span<UInt8>) -> Range<Int> {
        if beginsVisibly(text), endsVisibly(text) { return text.indices }
        var start = 0
        while start < text.count, let (scalar, length) = CodePoint.decode(text, at: start),
            scalar.properties.isWhitespace
        {
            start += length
        }
        var end = text.count
        while end > start {
            var last = end - 1
            while last > start, text[last] & 0xC0 == 0x80 { last -= 1 }
            guard let (scalar, length) = CodePoint.decode(text, at: last), last + length == end,
                scalar.properties.isWhitespace
            else { break }
            end = last
        }
        return start..<end
    }

    /// True for a text that begins with a visible character, as nearly all do; false tells nothing.
    private static func beginsVisibly(_ text: Span<UInt8>) -> Bool {
        !text.isEmpty && (isVisible(text[0]) || isVisibleLead(text[0]))
    }

    /// The same of its end.
    private static func endsVisibly(_ text: Span<UInt8>) -> Bool {
        guard let last = text.indices.last else { return false }
        let isPair = last > 0 && text[last] & 0xC0 == 0x80 && isVisibleLead(text[last - 1])
        return isVisible(text[last]) || isPair
    }

    /// True for a byte that is a visible ASCII character.
    private static func isVisible(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F }

    /// True for the first byte of Latin and Greek letters, U+00C0 to U+00FF and U+0380 to U+03BF.
    private static func isVisibleLead(_ byte: UInt8) -> Bool { byte == 0xC3 || byte == 0xCE }
}
