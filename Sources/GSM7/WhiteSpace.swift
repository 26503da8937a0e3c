/// White space around a text, which phones and gateways add.
package enum WhiteSpace {
    /// The part of a text between white space at its beginning and its end.
    package static func trimmed(_ text: Span<UInt8>) -> Range<Int> {
        var start = 0
        while let (scalar, length) = CodePoint.decode(text, at: start),
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
}
