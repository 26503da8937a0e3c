import GSM7

/// White space around a ciphertext, which phones and gateways add.
enum WhiteSpace {
    /// The part of a text between white space at its beginning and its end.
    static func trimmed(_ text: Span<UInt8>) -> Range<Int> {
        if let last = text.indices.last, isVisible(text[0]), isVisible(text[last]) {
            return text.indices
        }
        var start = 0
        while start < text.count, let (scalar, length) = CodePoint.read(text, at: start),
            scalar.properties.isWhitespace
        {
            start += length
        }
        var end = text.count
        while end > start {
            var last = end - 1
            while last > start, text[last] & 0xC0 == 0x80 { last -= 1 }
            guard let (scalar, length) = CodePoint.read(text, at: last), last + length == end,
                scalar.properties.isWhitespace
            else { break }
            end = last
        }
        return start..<end
    }

    /// True for a byte that is a visible ASCII character.
    private static func isVisible(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F }
}
