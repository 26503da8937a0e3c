internal import GSM7

/// A message as it is packed: UTF-8 in NFC, newlines as LF, no other control character.
enum PackedText {
    /// Hands out the bytes of a text in NFC one by one.
    ///
    /// - Throws: `control`.
    @inline(__always)
    static func read(
        _ text: Span<UInt8>, newline: Newline, _ body: (UInt8) -> Void
    ) throws(TextFault) {
        var (index, column) = (0, 1)
        while let (scalar, length) = CodePoint.next(text, at: index) {
            if Code(scalar, newline: newline) == .newline {
                body(UInt8(ascii: "\n"))
            } else if CodePoint.isControl(scalar) {
                throw .control(scalar, column: column)
            } else {
                for place in index..<(index + length) { body(text[place]) }
            }
            index += length
            column += 1
        }
    }
}
