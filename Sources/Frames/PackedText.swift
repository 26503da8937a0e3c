internal import GSM7

/// A message as it is packed: UTF-8 in NFC, newlines as LF, no other control character.
struct PackedText {
    private(set) var utf8: [UInt8] = []

    /// - Throws: `text`.
    init(_ message: Span<UInt8>, newline: Newline) throws(FrameFault) {
        do throws(TextFault) {
            try self.init(NormalText(message), newline: newline)
        } catch {
            throw .text(error)
        }
    }

    private init(_ text: NormalText, newline: Newline) throws(TextFault) {
        utf8.reserveCapacity(text.utf8.count)
        var (index, column) = (0, 1)
        while let (scalar, length) = CodePoint.next(text.utf8.span, at: index) {
            if Code(scalar, newline: newline) == .newline {
                utf8.append(UInt8(ascii: "\n"))
            } else if CodePoint.isControl(scalar) {
                throw text.inInput(.control(scalar, column: column))
            } else {
                utf8.append(contentsOf: text.utf8[index..<(index + length)])
            }
            index += length
            column += 1
        }
    }
}
