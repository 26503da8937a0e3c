package import GSM7
internal import System

/// What a part of a split message says of itself at its beginning: `1/3 `.
package struct PartNumber: Equatable, Sendable {
    /// From 1 to `count`.
    package let number: Int
    /// From 2 to `Splitting.mostParts`.
    package let count: Int
    /// Bytes of the number, its space included.
    package let length: Int

    /// Reads the beginning of a message; nil where it is no part's.
    package init?(of message: Span<UInt8>) {
        var index = 0
        guard let number = Self.digits(message, &index, before: UInt8(ascii: "/")),
            let count = Self.digits(message, &index, before: UInt8(ascii: " ")),
            number <= count, 2...Splitting.mostParts ~= count
        else { return nil }
        (self.number, self.count, length) = (number, count, index)
    }

    /// A number of one or two digits, not beginning with 0, and what must follow it.
    private static func digits(
        _ text: Span<UInt8>, _ index: inout Int, before end: UInt8
    ) -> Int? {
        var value = 0
        let start = index
        while index < text.count, index - start < 3 {
            let byte = text[index]
            index += 1
            if byte == end { return value > 0 ? value : nil }
            guard 0x30...0x39 ~= byte, value > 0 || byte != 0x30 else { return nil }
            value = 10 * value + Int(byte - 0x30)
        }
        return nil
    }
}

extension Splitting {
    /// True where blanks were dropped between two parts that follow one another, so that one is put back
    /// when they are joined.
    ///
    /// A word is cut only where it begins a part and fills it: where the part has no blank, and the
    /// first character of the next would not have fitted any more.
    ///
    /// - Parameters:
    ///   - part: a part with its number.
    ///   - next: the one after it, without.
    package static func isCutBetweenWords(
        _ part: Span<UInt8>, _ next: Span<UInt8>, newline: Newline
    ) -> Bool {
        var index = PartNumber(of: part)?.length ?? 0
        while let (scalar, length) = CodePoint.next(part, at: index) {
            if scalar == " " || scalar == newline.scalar { return true }
            index += length
        }
        let longer = part.count + firstCharacter(of: next)
        return withScratch(longer) { (text) in
            text.append(copying: part)
            text.append(copying: next.extracting(..<(longer - part.count)))
            return (try? Frame.measure(text.span, newline: newline).length <= Frame.text.count)
                ?? true
        }
    }
}
