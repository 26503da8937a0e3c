internal import FrameLayout
internal import GSM7

/// The form `cos732`, in which the message is encoded as UTF-8, with six bytes in seven symbols.
///
/// The first 120 bytes form twenty groups of 6 bytes, each of which is encoded in 7 symbols. The last 3
/// bytes are encoded in 4 symbols. The bytes of a group are the digits of an integer in base 256, and its
/// symbols are the digits of the same integer in base 125, most significant digit first. Unused bytes are
/// NUL, which is not permitted in a message.
enum PackedForm {
    /// Number of bytes that fit in the text field.
    static let byteCount = 123

    /// Number of bytes and symbols in a group.
    private static let group = (bytes: 6, symbols: 7)
    private static let lastGroup = (bytes: 3, symbols: 4)
    private static let base = UInt64(Alphabet.symbolCount)

    /// Returns the number of symbols that the bytes of a message need. The encoded form always fills the
    /// whole field.
    static func length(of message: borrowing Message) -> Int? {
        (message.text.count * Frame.text.count + byteCount - 1) / byteCount
    }

    static func write(_ message: borrowing Message, to field: inout OutputSpan<UInt8>) -> Bool {
        guard message.text.count <= byteCount else { return false }
        for start in stride(from: 0, to: byteCount, by: group.bytes) {
            let group = start + group.bytes <= byteCount ? group : lastGroup
            var value: UInt64 = 0
            for index in start..<(start + group.bytes) {
                value = value << 8 | (index < message.text.count ? UInt64(message.text[index]) : 0)
            }
            writeDigits(of: value, group.symbols, to: &field)
        }
        return true
    }

    /// Appends `count` digits of a number in base 125.
    private static func writeDigits(
        of value: UInt64, _ count: Int, to symbols: inout OutputSpan<UInt8>
    ) {
        var weight: UInt64 = 1
        for _ in 1..<count { weight *= base }
        var rest = value
        while weight > 0 {
            symbols.append(UInt8(rest / weight))
            rest %= weight
            weight /= base
        }
    }

    /// Unpacks the bytes of the text field.
    ///
    /// - Throws: `groupOutOfRange`, with the column in the frame; `bytesAfterEnd`, `notUTF8`, `control`.
    @_lifetime(text: copy text)
    static func read(
        _ field: Span<UInt8>, into text: inout OutputSpan<UInt8>
    ) throws(FrameFault) {
        var start = 0
        while text.count < byteCount {
            let isLast = text.count + lastGroup.bytes == byteCount
            let group = isLast ? lastGroup : group
            var value: UInt64 = 0
            for index in start..<(start + group.symbols) {
                value = value * base + UInt64(field[index])
            }
            guard value >> UInt64(8 * group.bytes) == 0 else {
                throw .groupOutOfRange(column: Frame.text.lowerBound + start + 1)
            }
            for byte in (0..<group.bytes).reversed() {
                text.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * byte)))
            }
            start += group.symbols
        }
        text.removeLast(byteCount - (try messageLength(text.span)))
    }

    /// Validates the unpacked bytes, and returns the length of the message.
    private static func messageLength(_ bytes: Span<UInt8>) throws(FrameFault) -> Int {
        var count = 0
        while count < bytes.count, bytes[count] != 0 { count += 1 }
        for index in count..<bytes.count where bytes[index] != 0 { throw .bytesAfterEnd }
        var index = 0
        while index < count {
            guard let (scalar, length) = CodePoint.decode(bytes.extracting(..<count), at: index)
            else {
                throw .notUTF8
            }
            if CodePoint.isControl(scalar), scalar != "\n" { throw .control(scalar) }
            index += length
        }
        return count
    }
}
