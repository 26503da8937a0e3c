internal import System
@_spi(_Unicode) import Swift

/// A character of a text with all that NFC may join to it or sort after it, or a CR LF: the piece of
/// text that is normalised by itself.
///
/// The standard library normalises a String, and String normalisation leaves copies in freed memory. A
/// String of up to 15 bytes has no heap storage, so a text is normalised in pieces, most of which are
/// that short. What may remain in memory is single characters: those with more marks than that, and
/// what the library's iterator held of a piece.
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
        return Self.normal(String(Self.takenApart(scalars)))
    }

    /// By the standard library's own tables: there being no Foundation, it is the library's unpublished
    /// entry. That it is a Sequence is unpublished too, and not seen by Embedded Swift.
    private static func normal(_ text: String) -> [Unicode.Scalar] {
        var (scalars, rest): ([Unicode.Scalar], _) = ([], text._nfc.makeIterator())
        while let scalar = rest.next() { scalars.append(scalar) }
        return scalars
    }

    /// With the three Tibetan vowel signs taken apart that the library does not sort among the marks
    /// before them: they count as starters, and become marks (UAX #15, non-starter decompositions).
    private static func takenApart(
        _ scalars: String.UnicodeScalarView
    ) -> String.UnicodeScalarView {
        guard scalars.contains(where: { 0x0F73...0x0F81 ~= $0.value }) else { return scalars }
        var apart = String.UnicodeScalarView()
        for scalar in scalars {
            switch scalar {
            case "\u{0F73}": apart.append(contentsOf: ["\u{0F71}", "\u{0F72}"])
            case "\u{0F75}": apart.append(contentsOf: ["\u{0F71}", "\u{0F74}"])
            case "\u{0F81}": apart.append(contentsOf: ["\u{0F71}", "\u{0F80}"])
            default: apart.append(scalar)
            }
        }
        return apart
    }

    /// How many code points of the segment come before the one that became `scalar` in NFC: the same
    /// one, or one that comes apart into it; 0 where several became it together.
    func offset(of scalar: Unicode.Scalar, _ text: Span<UInt8>) -> Int {
        let given = Array(scalars(text))
        return given.firstIndex(of: scalar)
            ?? given.firstIndex { Self.normal(String($0)).contains(scalar) } ?? 0
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
