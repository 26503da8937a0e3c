/// Finds the white space that phones and gateways add before and after a text.
package enum WhiteSpace {
    /// Returns the range of a text without leading and trailing white space.
    package static func trimmed(_ text: Span<UInt8>) -> Range<Int> {
        var start = 0
        while let (scalar, length) = CodePoint.decode(text, at: start), scalar.isWhiteSpace {
            start += length
        }
        var end = text.count
        while end > start {
            var last = end - 1
            while last > start, text[last] & 0xC0 == 0x80 { last -= 1 }
            guard let (scalar, length) = CodePoint.decode(text, at: last), last + length == end,
                scalar.isWhiteSpace
            else { break }
            end = last
        }
        return start..<end
    }
}

extension Unicode.Scalar {
    /// True for the 25 characters with the property White_Space (Unicode 16, PropList.txt).
    ///
    /// The standard library also provides the property White_Space, but reading it would take longer than
    /// the rest of `trimmed`.
    package var isWhiteSpace: Bool {
        switch value {
        case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F,
            0x3000:
            true
        default: false
        }
    }
}
