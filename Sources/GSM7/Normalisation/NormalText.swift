internal import System

/// Normalises a text to NFC, and converts each CR LF to LF.
///
/// This is the slow path. A text that consists of GSM characters only is already in NFC and is not copied.
/// All normalisation in the tools is performed by this type.
package enum NormalText {
    /// Maximum number of consecutive combining marks. Stream-safe text has at most 30 (UAX #15, section
    /// 13).
    package static let maximumMarkRun = 512

    /// Maximum number of bytes in NFC for each byte of UTF-8 (UAX #15, 9: maximum expansion).
    package static let growth = 3

    /// Passes a text in NFC to `body`. If the text had to be copied, the copy is overwritten afterwards.
    ///
    /// - Throws: `malformed`, `marks`, and what `body` throws, with the column converted to the column of
    ///   the input.
    package static func normalise<Result: ~Copyable>(
        _ input: Span<UInt8>, _ body: (Span<UInt8>) throws(TextFault) -> Result
    ) throws(TextFault) -> Result {
        if try isCertainlyNormal(input) { return try body(input) }
        return try withScratch(growth * input.count) { (text) throws(TextFault) in
            var index = 0
            while index < input.count {
                let segment = NormalSegment(input, from: index)
                segment.write(input, to: &text)
                index = segment.end
            }
            do throws(TextFault) {
                return try body(text.span)
            } catch {
                throw error.column.map { error.moved(to: inputColumn(of: $0, input)) } ?? error
            }
        }
    }

    /// Returns a text in NFC, in an array that is not overwritten afterwards.
    ///
    /// - Throws: `malformed` or `marks`.
    package static func utf8(of input: Span<UInt8>) throws(TextFault) -> [UInt8] {
        try normalise(input) { (text) in Array(copying: text) }
    }

    /// Returns true if a text is certainly in NFC and contains no CR.
    private static func isCertainlyNormal(_ input: Span<UInt8>) throws(TextFault) -> Bool {
        var index = 0
        var column = 1
        var marks = 0
        var isNormal = true
        while index < input.count {
            let byte = input[index]
            if byte < 0x80, byte != UInt8(ascii: "\r") {
                index += 1
                column += 1
                marks = 0
                continue
            }
            guard let (scalar, length) = CodePoint.decode(input, at: index) else {
                throw .malformed(byte, column: column)
            }
            if NormalSegment.isInert(scalar) {
                marks = 0
            } else {
                isNormal = false
                let isMark = scalar.properties.canonicalCombiningClass != .notReordered
                marks = isMark ? marks + 1 : 0
                if marks > maximumMarkRun { throw .marks(column: column) }
            }
            index += length
            column += 1
        }
        return isNormal
    }

    /// Converts a column of the normalised text to a column of the input.
    private static func inputColumn(of column: Int, _ input: Span<UInt8>) -> Int {
        var (before, beforeHere, index) = (0, 0, 0)
        while index < input.count {
            let segment = NormalSegment(input, from: index)
            let here = segment.normalScalars(input)
            if beforeHere + here.count >= column {
                return before + segment.offset(of: here[column - beforeHere - 1], input) + 1
            }
            before += segment.scalars(input).count
            beforeHere += here.count
            index = segment.end
        }
        return before + 1
    }
}
