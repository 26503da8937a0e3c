internal import System

/// A character of a text with all that NFC may join to it or sort after it, or a CR LF: the piece of
/// text that is normalised by itself.
///
/// A text is normalised in such pieces so that only they, and never a whole text, remain in freed memory.
package struct NormalSegment {
    private let start: Int
    let end: Int

    /// The segment that begins at an offset of a text, which is UTF-8.
    init(_ text: Span<UInt8>, from start: Int) {
        self.start = start
        if start + 1 < text.count, text[start] < 0x80, text[start + 1] < 0x80,
            text[start] != UInt8(ascii: "\r")
        {
            end = start + 1
            return
        }
        var end = start
        var previous: Unicode.Scalar?
        while let (scalar, length) = CodePoint.decode(text, at: end) {
            if let previous, !Self.isJoined(scalar, to: previous) { break }
            previous = scalar
            end += length
        }
        self.end = max(end, start + 1)
    }

    /// True for a character by itself that NFC leaves alone.
    func isInert(_ text: Span<UInt8>) -> Bool {
        guard let (scalar, length) = CodePoint.decode(text, at: start) else { return false }
        return length == end - start && Self.isInert(scalar)
    }

    /// Appends the segment in NFC.
    @_lifetime(output: copy output)
    func write(_ text: Span<UInt8>, to output: inout OutputSpan<UInt8>) {
        if isInert(text) {
            output.append(copying: text.extracting(start..<end))
        } else {
            for scalar in normalScalars(text) { output.append(scalar) }
        }
    }

    /// The code points as they came.
    func scalars(_ text: Span<UInt8>) -> String.UnicodeScalarView {
        var scalars = String.UnicodeScalarView()
        var index = start
        while index < end, let (scalar, length) = CodePoint.decode(text, at: index) {
            scalars.append(scalar)
            index += length
        }
        return scalars
    }

    /// The code points in Normalization Form C (UAX #15): the form of everything that the tools judge, lay
    /// out and print.
    func normalScalars(_ text: Span<UInt8>) -> [Unicode.Scalar] {
        let scalars = scalars(text)
        if scalars.count == 2, scalars.first == "\r", scalars.last == "\n" { return ["\n"] }
        return Composition.shared.normalise(scalars)
    }

    /// How many code points of the segment come before the one that became `scalar` in NFC: the same
    /// one, or one that comes apart into it; 0 where several became it together.
    func offset(of scalar: Unicode.Scalar, _ text: Span<UInt8>) -> Int {
        let given = Array(scalars(text))
        return given.firstIndex(of: scalar)
            ?? given.firstIndex { Composition.shared.normalise([$0]).contains(scalar) } ?? 0
    }

    /// True where NFC may join or sort a code point with what comes before it, which is all but a
    /// starter whose NFC_Quick_Check is Yes (DerivedNormalizationProps.txt). Of the starters that
    /// join, all but some vowels of Hangul and Kirat Rai are marks by their general category.
    package static func isJoined(
        _ scalar: Unicode.Scalar, to previous: Unicode.Scalar
    ) -> Bool {
        switch scalar.value {
        case 0x0A: previous == "\r"
        // A newline is a segment by itself, so that a CR before it is seen.
        case _ where isInert(scalar) || previous == "\n": false
        case 0x1160...0x11FF, 0x16D63...0x16D6A: true
        default:
            CodePoint.isMark(scalar)
                || scalar.properties.canonicalCombiningClass != .notReordered
        }
    }

    /// True for characters that NFC never changes, moves, or joins to the one before: NFC_Quick_Check
    /// is Yes and the combining class 0 (DerivedNormalizationProps.txt). Not all of them, but the
    /// usual scripts; CR is left out because a CR LF changes.
    package static func isInert(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0D: false
        case 0...0x02FF: true  // Latin
        case 0x0388...0x0482, 0x048A...0x058F: true  // Greek, Cyrillic, Armenian
        case 0x1E00...0x1EFF: true  // Latin Extended Additional
        case 0x2002...0x20CF, 0x2100...0x2125, 0x212C...0x2328, 0x232B...0x2ADB: true  // signs
        case 0x3000...0x3029, 0x3041...0x3098, 0x30A0...0x30FF, 0x4E00...0x9FFF: true  // CJK
        case 0xAC00...0xD7A3, 0xFE00...0xFE0F, 0xFF00...0xFFEF: true  // Hangul, full-width forms
        case 0x1F000...0x1FAFF: true  // emoji
        default: false
        }
    }
}
