internal import System

/// Normalises a text to NFC, and converts each CR LF to LF.
///
/// This type performs all normalisation in the tools. A text that consists only of GSM characters is
/// already in NFC and is not copied.
package enum NormalText {
    /// Maximum number of consecutive combining marks. A text in the Stream-Safe Text Format has at most 30
    /// consecutive marks (UAX #15, section 13).
    package static let maximumMarkRun = 512

    /// Maximum factor by which a text in UTF-8 grows when it is converted to NFC (UAX #15, section 9,
    /// maximum expansion).
    package static let growth = 3

    /// Converts a text to NFC and passes the result to `body`. If the function has copied the text, it
    /// overwrites the copy after `body` has returned.
    ///
    /// - Throws: `malformed`, `marks`, and the errors of `body`. If `body` throws an error, the
    ///   column in this error is converted from the normalised text to the original text.
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

    /// Converts a text to NFC, and returns the result in an array that is not overwritten afterwards.
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
