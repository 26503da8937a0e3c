package import GSM7
internal import System

/// What a part of a message begins with: `2/3:4071 ` (smsenc(7), Messages in parts).
///
/// It says which part of how many it is, and of which message: the check is that of the whole.
package struct PartMark: Equatable, Sendable {
    /// From 1 to `count`.
    package let number: Int
    /// From 2 to `MessageSplitter.maximumParts`.
    package let count: Int
    /// The message's checksum, below 10,000.
    package let checksum: Int

    /// Characters of the longest, which are as many bytes: `99/99:9999 `.
    private static let longest = 11

    init(_ number: Int, of count: Int, checksum: Int) {
        (self.number, self.count, self.checksum) = (number, count, checksum)
    }

    /// Reads the beginning of a text; nil where no mark is.
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
                // As it is written, and in no other way.
                guard 2...MessageSplitter.maximumParts ~= count, 1...count ~= number,
                    bytes == Array(copying: text.extracting(...index))
                else { return nil }
                return
            }
        }
        return nil
    }

    /// The mark as it is written, its space included.
    package var bytes: [UInt8] {
        Array("\(number)/\(count):\(String(checksum + Self.checksumCount).dropFirst()) ".utf8)
    }

    /// Shows what a mark and a text make together, and overwrites it afterwards.
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

    /// Appends the message whose parts have this mark, in NFC, as what stands behind their marks gives it:
    /// at most nine bytes for each of that. Appends nothing, and is false, where that has another check.
    ///
    /// - Parameters:
    ///   - text: UTF-8, its newlines line feeds.
    ///   - newline: how a newline is spelt in what is appended.
    @_lifetime(utf8: copy utf8)
    package func joinParts(
        _ text: Span<UInt8>, newline: Newline, to utf8: inout OutputSpan<UInt8>
    ) -> Bool {
        let isWritten = try? NormalText.normalise(text) { (text) in
            guard Self.checksum(of: text) == checksum else { return false }
            Message.convertNewlines(text, to: newline, into: &utf8)
            return true
        }
        return isWritten == true
    }

    /// A message's checksum: no more than that parts of different messages are told apart, since what
    /// protects them from others is the pad.
    ///
    /// - Parameter message: UTF-8 in NFC, its newlines line feeds.
    static func checksum(of message: Span<UInt8>) -> Int {
        var remainder = UInt32.max
        for index in message.indices {
            remainder ^= UInt32(message[index])
            for _ in 0..<8 {
                let isOdd = remainder & 1 == 1
                remainder >>= 1
                // CRC-32 as in gzip and PNG.
                if isOdd { remainder ^= 0xEDB8_8320 }
            }
        }
        return Int(~remainder % UInt32(checksumCount))
    }
}
