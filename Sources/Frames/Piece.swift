internal import GSM7

/// What a message is never cut within: a character as a reader sees it, or a code point.
struct Piece {
    /// Where it stands in the text.
    let bytes: Range<Int>
    let load: Load
    /// True for a space or newline.
    let isBlank: Bool

    /// The pieces of a text in NFC.
    ///
    /// - Parameter joining: true for characters as a reader sees them: grapheme clusters (UAX #29).
    ///   One on which marks without end are heaped is taken apart all the same.
    static func pieces(of text: Span<UInt8>, joining: Bool, newline: Newline) -> [Piece] {
        var pieces: [Piece] = []
        pieces.reserveCapacity(text.count)
        var breaks = GraphemeBreaks()
        var (start, index) = (0, 0)
        while let (scalar, length) = CodePoint.next(text, at: index) {
            let isBreak = breaks.isBefore(scalar)
            if index > 0, isBreak || !joining {
                add(start..<index, of: text, newline, to: &pieces)
                start = index
            }
            index += length
        }
        if index > start { add(start..<index, of: text, newline, to: &pieces) }
        return pieces
    }

    private static func add(
        _ bytes: Range<Int>, of text: Span<UInt8>, _ newline: Newline, to pieces: inout [Piece]
    ) {
        let isWhole = bytes.count <= Packing.room / 2
        var load = Load()
        var (start, index) = (bytes.lowerBound, bytes.lowerBound)
        while index < bytes.upperBound, let (scalar, length) = CodePoint.next(text, at: index) {
            index += length
            load.add(scalar, newline: newline)
            if isWhole, index < bytes.upperBound { continue }
            let code = Code(scalar, newline: newline)
            let isBlank =
                index - start == length && (code == .newline || code == .basic(Alphabet.space))
            pieces.append(Piece(bytes: start..<index, load: load, isBlank: isBlank))
            start = index
            load = Load()
        }
    }
}

/// Borders between grapheme clusters, found from one code point to the next, so that no String need
/// hold the text.
private struct GraphemeBreaks {
    private var recognizer = Unicode._CharacterRecognizer()

    /// True where one is before the next code point.
    mutating func isBefore(_ scalar: Unicode.Scalar) -> Bool { recognizer.hasBreak(before: scalar) }
}
