internal import GSM7

/// UTF-8 packed into symbols: twenty groups of 6 bytes in 7 symbols each, and the last 3 bytes in 4.
///
/// A group is an integer, bytes in base 256 and symbols in base 125, most significant first in both.
/// Bytes that a message does not need are NUL, which no message holds.
package enum Packing {
    /// Bytes in a frame's text.
    package static let room = 123

    /// Bytes and symbols of a group.
    private static let group = (bytes: 6, symbols: 7)
    private static let lastGroup = (bytes: 3, symbols: 4)
    private static let base = UInt64(Alphabet.symbolCount)

    /// Bytes on their way into symbols.
    struct Packer {
        private var value: UInt64 = 0
        /// Bytes taken in.
        private var count = 0
        /// Bytes of the present group that are still to come.
        private var missing = group.bytes

        /// Takes in one of at most `room` bytes, and appends the symbols of the group that it fills.
        mutating func add(_ byte: UInt8, to symbols: inout OutputSpan<UInt8>) {
            value = value << 8 | UInt64(byte)
            count += 1
            missing -= 1
            if missing == 0 {
                Packing.write(
                    value, count == room ? lastGroup.symbols : group.symbols, to: &symbols)
                value = 0
                missing = min(group.bytes, room - count)
            }
        }

        /// Fills what the message does not need.
        mutating func finish(to symbols: inout OutputSpan<UInt8>) {
            while count < room { add(0, to: &symbols) }
        }
    }

    private static func write(
        _ value: UInt64, _ count: Int, to symbols: inout OutputSpan<UInt8>
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

    /// Appends the message that 144 symbols hold. `message` has no other bytes, and has `room`.
    ///
    /// - Throws: `groupOutOfRange`, its column that in the frame; `bytesAfterEnd`; `notUTF8`;
    ///   `control`.
    static func unpack(
        _ symbols: Span<UInt8>, into message: inout OutputSpan<UInt8>
    ) throws(FrameFault) {
        var start = 0
        while message.count < room {
            let group = message.count + lastGroup.bytes == room ? lastGroup : group
            var value: UInt64 = 0
            for place in start..<(start + group.symbols) {
                value = value * base + UInt64(symbols[place])
            }
            guard value >> UInt64(8 * group.bytes) == 0 else {
                throw .groupOutOfRange(column: Frame.text.lowerBound + start + 1)
            }
            for place in (0..<group.bytes).reversed() {
                message.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * place)))
            }
            start += group.symbols
        }
        message.removeLast(room - (try messageLength(message.span)))
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
