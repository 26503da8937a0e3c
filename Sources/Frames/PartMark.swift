package import GSM7
internal import System

/// The text at the beginning of each part of a split message, such as `2/3:4071 ` (smsenc-protocol(7),
/// Messages in parts).
///
/// The mark contains the number of the part, the number of parts, and a checksum of the whole message. All
/// parts of a message contain the same checksum.
package struct PartMark: Equatable, Sendable {
    /// Number of the part, from 1 to `count`.
    package let number: Int
    /// Number of parts, from 2 to `MessageSplitter.maximumParts`.
    package let count: Int
    /// Checksum of the message, below 10,000.
    package let checksum: Int

    /// Length in bytes of the longest mark, `99/99:9999 `.
    private static let longest = 11

    init(_ number: Int, of count: Int, checksum: Int) {
        (self.number, self.count, self.checksum) = (number, count, checksum)
    }

    /// Parses a mark at the beginning of a text. Returns nil if the text does not begin with a mark.
    package init?(of text: Span<UInt8>) {
        var numbers: InlineArray<3, Int> = [0, 0, 0]
        var place = 0
        for index in 0..<min(text.count, Self.longest) {
            switch text[index] {
            case let digit where 0x30...0x39 ~= digit:
                numbers[place] = 10 * numbers[place] + Int(digit - 0x30)
                if numbers[place] >= Self.checksumCount { return nil }
            case UInt8(ascii: "/") where place == 0, UInt8(ascii: ":") where place == 1: place += 1
            default:
                self.init(numbers[0], of: numbers[1], checksum: numbers[2])
                // Reject a mark that is not written exactly as in `bytes`.
                guard 2...MessageSplitter.maximumParts ~= count, 1...count ~= number,
                    bytes == Array(copying: text.extracting(...index))
                else { return nil }
                return
            }
        }
        return nil
    }

    /// The mark in ASCII, including the space at its end.
    package var bytes: [UInt8] {
        Array("\(number)/\(count):\(String(checksum + Self.checksumCount).dropFirst()) ".utf8)
    }

    /// Calls `body` with a part, which consists of the mark and `text`. After `body` has returned, overwrites
    /// the memory of the part.
    func withPart<Failure: Error, Result>(
        _ text: Span<UInt8>, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withScratch(Self.longest + text.count) { (part) throws(Failure) in
            part.append(copying: bytes.span)
            part.append(copying: text)
            return try body(part.span)
        }
    }
}

extension PartMark {
    private static let checksumCount = 10_000

    /// Computes the checksum of a message, and compares it with the checksum in this mark. If the
    /// checksums are equal, appends the message in NFC. If the checksums differ, returns false and appends
    /// nothing.
    ///
    /// The checksum is computed before `text` is converted to NFC. The sender may have another version of
    /// Unicode, which can convert the text differently.
    ///
    /// - Parameters:
    ///   - text: the text of all parts in order, without their marks. `Frame.decodeAsSent` has decoded the
    ///     parts.
    ///   - newline: how newlines are written in `utf8`.
    ///   - utf8: must have room for nine times the length of `text`.
    @_lifetime(utf8: copy utf8)
    package func joinParts(
        _ text: Span<UInt8>, newline: Newline, to utf8: inout OutputSpan<UInt8>
    ) -> Bool {
        guard Self.checksum(of: text) == checksum else { return false }
        return (try? Message.normalise(text, newline: newline, to: &utf8)) != nil
    }

    /// Returns the checksum of a message.
    ///
    /// The checksum is only used to distinguish parts of different messages. The checksum does not protect
    /// against forged parts, but the encryption does.
    ///
    /// - Parameter message: UTF-8 in NFC, with line feeds as newlines.
    static func checksum(of message: Span<UInt8>) -> Int {
        var remainder = UInt32.max
        for index in message.indices {
            remainder ^= UInt32(message[index])
            for _ in 0..<8 {
                let isOdd = remainder & 1 == 1
                remainder >>= 1
                // This polynomial is used by the CRC-32 of gzip and PNG.
                if isOdd { remainder ^= 0xEDB8_8320 }
            }
        }
        return Int(~remainder % UInt32(checksumCount))
    }
}
