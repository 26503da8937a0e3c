internal import GSM7

/// UTF-8 packed into symbols: twenty groups of 6 bytes in 7 symbols each, and the last 3 bytes in 4.
///
/// A group is an integer, bytes in base 256 and symbols in base 125, most significant first in both.
/// Bytes that a message does not need are NUL, which no message holds.
package enum Packing {
    /// Bytes in a frame's text.
    package static let room = 123

    private struct Group {
        let bytes: Int
        let symbols: Int

        static func at(_ index: Int) -> Group {
            index < 20 ? Group(bytes: 6, symbols: 7) : Group(bytes: 3, symbols: 4)
        }
    }
    private static let groupCount = 21
    private static let base = UInt64(Alphabet.symbolCount)

    /// Appends the 144 symbols of at most `room` bytes.
    static func pack(_ bytes: Span<UInt8>, into symbols: inout OutputSpan<UInt8>) {
        var start = 0
        for index in 0..<groupCount {
            let group = Group.at(index)
            var value: UInt64 = 0
            for place in start..<(start + group.bytes) {
                value = value << 8 | (place < bytes.count ? UInt64(bytes[place]) : 0)
            }
            var weight: UInt64 = 1
            for _ in 1..<group.symbols { weight *= base }
            while weight > 0 {
                symbols.append(UInt8(value / weight))
                value %= weight
                weight /= base
            }
            start += group.bytes
        }
    }

    /// The bytes of 144 symbols, and how many of them are the message.
    ///
    /// - Throws: `groupOutOfRange`, its column that in the frame; `bytesAfterEnd`; `notUTF8`;
    ///   `control`.
    static func unpack(
        _ symbols: Span<UInt8>
    ) throws(FrameFault) -> (bytes: InlineArray<123, UInt8>, count: Int) {
        var bytes = InlineArray<123, UInt8>(repeating: 0)
        var (from, to) = (0, 0)
        for index in 0..<groupCount {
            let group = Group.at(index)
            var value: UInt64 = 0
            for place in from..<(from + group.symbols) {
                value = value * base + UInt64(symbols[place])
            }
            guard value >> UInt64(8 * group.bytes) == 0 else {
                throw .groupOutOfRange(column: Frame.text.lowerBound + from + 1)
            }
            for place in (to..<(to + group.bytes)).reversed() {
                bytes[place] = UInt8(truncatingIfNeeded: value)
                value >>= 8
            }
            from += group.symbols
            to += group.bytes
        }
        return (bytes, try messageLength(bytes.span))
    }

    /// Finds the end of a message and looks at all of it.
    private static func messageLength(_ bytes: Span<UInt8>) throws(FrameFault) -> Int {
        var count = 0
        while count < bytes.count, bytes[count] != 0 { count += 1 }
        for index in count..<bytes.count where bytes[index] != 0 { throw .bytesAfterEnd }
        var index = 0
        while index < count {
            guard let (scalar, length) = CodePoint.read(bytes.extracting(..<count), at: index)
            else {
                throw .notUTF8
            }
            if CodePoint.isControl(scalar), scalar != "\n" { throw .control(scalar) }
            index += length
        }
        return count
    }
}
