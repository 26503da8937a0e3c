internal import System

/// A piece of text that can be normalised independently. A segment is either CR LF, or a character together
/// with all following characters that NFC may compose with it or reorder.
///
/// Because a text is normalised segment by segment, freed memory never contains the whole text.
package struct NormalSegment {
    private let start: Int
    let end: Int

    /// Finds the segment that begins at an offset of a text in valid UTF-8.
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

    /// Returns true if the segment is a single character that NFC does not change.
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

    /// Returns the code points of the segment before normalisation.
    func scalars(_ text: Span<UInt8>) -> String.UnicodeScalarView {
        var scalars = String.UnicodeScalarView()
        var index = start
        while index < end, let (scalar, length) = CodePoint.decode(text, at: index) {
            scalars.append(scalar)
            index += length
        }
        return scalars
    }

    /// Returns the code points of the segment in Normalization Form C (UAX #15). The tools process and
    /// print all text in this form.
    func normalScalars(_ text: Span<UInt8>) -> [Unicode.Scalar] {
        let scalars = scalars(text)
        if scalars.count == 2, scalars.first == "\r", scalars.last == "\n" { return ["\n"] }
        return Composition.shared.normalise(scalars)
    }

    /// Finds the code point in this segment from which NFC produced `scalar`, and returns its index.
    ///
    /// NFC produces `scalar` either from `scalar` itself, or from a code point whose normal form contains
    /// `scalar`. If NFC has composed `scalar` from several code points, the function returns 0.
    func offset(of scalar: Unicode.Scalar, _ text: Span<UInt8>) -> Int {
        let given = Array(scalars(text))
        return given.firstIndex(of: scalar)
            ?? given.firstIndex { Composition.shared.normalise([$0]).contains(scalar) } ?? 0
    }

    /// Returns true if NFC may compose a code point with the text before it, or reorder it.
    ///
    /// A starter can compose with the text before it if it has the property NFC_Quick_Check=Maybe
    /// (DerivedNormalizationProps.txt). Nearly all starters with this property are marks (general category
    /// M). The exceptions are some letters of Hangul and Kirat Rai.
    package static func isJoined(
        _ scalar: Unicode.Scalar, to previous: Unicode.Scalar
    ) -> Bool {
        switch scalar.value {
        case 0x0A: previous == "\r"
        // A newline is always a separate segment. A CR before it can then be found.
        case _ where isInert(scalar) || previous == "\n": false
        case 0x1160...0x11FF, 0x16D63...0x16D6A: true
        default:
            CodePoint.isMark(scalar)
                || scalar.properties.canonicalCombiningClass != .notReordered
        }
    }

    /// Returns true for characters that NFC never changes, moves, or composes with the previous character.
    /// Characters that NFC never changes have NFC_Quick_Check=Yes and combining class 0
    /// (DerivedNormalizationProps.txt).
    ///
    /// The function knows only the most common scripts, and returns false for characters of all other
    /// scripts. The function also returns false for CR, because normalisation changes CR LF.
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
