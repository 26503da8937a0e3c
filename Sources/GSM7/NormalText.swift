@_spi(_Unicode) import Swift

/// A text brought to NFC, with each CR LF as one LF, and where its characters stood in the input.
///
/// This is the slow path: a text of GSM characters alone is in NFC as it stands and is read from its
/// bytes. What else comes is normalised here and nowhere else.
package struct NormalText {
    /// Combining marks in a row, at most. The standard library sorts them in quadratic time, so a run
    /// of many thousands would hold up the stream; 30 do for all writing (UAX #15, 13).
    package static let longestMarks = 512

    package let utf8: [UInt8]
    /// The input, where it is not in NFC.
    private let original: String?

    /// - Throws: `malformed` or `marks`.
    package init(_ input: Span<UInt8>) throws(TextFault) {
        let isNormal = try Self.survey(input)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(input.count)
        for index in input.indices { bytes.append(input[index]) }
        if isNormal {
            utf8 = bytes
            original = nil
        } else {
            let text = String(decoding: bytes, as: UTF8.self)
            utf8 = Self.folded(text)
            original = text
        }
    }

    /// The fault of this text as one of the input: with its column there.
    package func inInput(_ fault: TextFault) -> TextFault {
        guard let column = fault.column, original != nil else { return fault }
        return fault.moved(to: inputColumn(of: column))
    }

    /// True when a text is certainly in NFC and has no CR.
    private static func survey(_ input: Span<UInt8>) throws(TextFault) -> Bool {
        var index = 0
        var column = 1
        var marks = 0
        var isNormal = true
        while index < input.count {
            guard let (scalar, length) = CodePoint.read(input, at: index) else {
                throw .malformed(input[index], column: column)
            }
            if isInert(scalar) {
                marks = 0
            } else {
                isNormal = false
                let isMark = scalar.properties.canonicalCombiningClass != .notReordered
                marks = isMark ? marks + 1 : 0
                if marks > longestMarks { throw .marks(column: column) }
            }
            index += length
            column += 1
        }
        return isNormal
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

    private static func folded(_ text: String) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        for scalar in normalised(text) {
            if scalar == "\n", result.last == UInt8(ascii: "\r") { result.removeLast() }
            result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
        return result
    }

    /// Code points in Normalization Form C (UAX #15), by the standard library's own tables: the form
    /// of everything that the tools judge, lay out and print. There being no Foundation, it is the
    /// library's unpublished entry.
    private static func normalised(_ text: String) -> some Sequence<Unicode.Scalar> {
        text._nfc
    }

    /// The input's column of a code point of this text. NFC never joins or moves anything across the
    /// border of a grapheme cluster; inside one, a code point stands where the input has the same,
    /// else where the cluster begins.
    private func inputColumn(of column: Int) -> Int {
        guard let original else { return column }
        var (before, beforeHere) = (0, 0)
        for cluster in original {
            let given = Array(cluster.unicodeScalars)
            let here = Array(
                String(decoding: Self.folded(String(cluster)), as: UTF8.self).unicodeScalars)
            if beforeHere + here.count >= column {
                let wanted = here[column - beforeHere - 1]
                return before + (given.firstIndex(of: wanted) ?? 0) + 1
            }
            before += given.count
            beforeHere += here.count
        }
        return before + 1
    }
}
