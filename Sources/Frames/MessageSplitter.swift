internal import FrameLayout
package import GSM7
internal import System

/// Splits a message into parts that each fit in one frame, and puts a `PartMark` at the beginning of each
/// part.
///
/// The parts contain every character of the message. The number of parts is as small as possible. The
/// message is cut before or after blanks if this does not increase the number of parts. Otherwise, it is
/// cut between grapheme clusters.
package struct MessageSplitter {
    package static let maximumParts = 99

    /// A piece of text that is never cut. A piece is a grapheme cluster. A very long cluster is divided
    /// into pieces of one code point.
    private struct Piece {
        /// Byte offset of the end of the piece in the message.
        let end: Int
        let isBlank: Bool
    }

    private var pieces: [Piece] = []
    private let checksum: Int
    /// True to try every length of a part, in order to find the longest part that fits. This is slow.
    private var triesEveryLength = false

    /// Calls `body` with each part in order. If the message fits in one frame, calls `body` with the whole
    /// message. In the parts, newlines are line feeds.
    ///
    /// - Throws: `text`, `tooManyParts`, and the errors of `body`.
    package static func forEachPart(
        of message: Span<UInt8>, newline: Newline,
        _ body: (Span<UInt8>) throws(FrameFault) -> Void
    ) throws(FrameFault) {
        try Message.withMessage(from: message, newline: newline) { (message) throws(FrameFault) in
            let text = message.text
            var splitter = MessageSplitter(text)
            let (_, length) = Frame.selectedForm(for: message)
            var ends = try splitter.partEnds(of: text, lengthInSymbols: length)
            guard ends.count > 1 else { return try body(text) }
            if ends[ends.count - 1] - ends[ends.count - 2] <= 2 * ends.count {
                // The last part is very short. If the other parts can each be a little longer, the last
                // part is not needed.
                splitter.triesEveryLength = true
                let others = try splitter.partEnds(of: text, lengthInSymbols: length)
                if others.count < ends.count { ends = others }
            }
            var start = 0
            for (index, end) in ends.enumerated() {
                let part = text.extracting(splitter.bytes(start..<end))
                let mark = PartMark(index + 1, of: ends.count, checksum: splitter.checksum)
                try mark.withPart(part, body)
                start = end
            }
        }
    }

    private init(_ message: Span<UInt8>) {
        checksum = PartMark.checksum(of: message)
        pieces.reserveCapacity(message.count)
        var (start, index, isASCII, cluster) = (0, 0, false, "")
        while let (scalar, length) = CodePoint.decode(message, at: index) {
            if index > start {
                // Two ASCII characters belong to the same cluster only in CR LF, and normalisation has
                // replaced each CR LF.
                let isBreak = isASCII && scalar.isASCII || index - start > Self.longestPiece
                if isBreak || !cluster.isExtended(by: scalar) {
                    add(start..<index, of: message)
                    (start, cluster) = (index, "")
                }
            }
            cluster.unicodeScalars.append(scalar)
            isASCII = scalar.isASCII
            index += length
        }
        if index > start { add(start..<index, of: message) }
    }

    /// Maximum length of a grapheme cluster that is not cut, in bytes. A grapheme cluster of at most
    /// `longestPiece` bytes always fits in a part. A longer cluster, for example a letter with hundreds of
    /// combining marks, is split into code points.
    private static let longestPiece = 64

    /// Appends the pieces of one grapheme cluster (UAX #29).
    private mutating func add(_ bytes: Range<Int>, of message: Span<UInt8>) {
        let isWhole = bytes.count <= Self.longestPiece
        var start = bytes.lowerBound
        while start < bytes.upperBound, let (scalar, length) = CodePoint.decode(message, at: start)
        {
            let end = isWhole ? bytes.upperBound : start + length
            pieces.append(Piece(end: end, isBlank: scalar.isBlank && end - start == length))
            start = end
        }
    }

    private func bytes(_ part: Range<Int>) -> Range<Int> {
        let start = part.lowerBound == 0 ? 0 : pieces[part.lowerBound - 1].end
        return start..<pieces[part.upperBound - 1].end
    }
}

extension MessageSplitter {
    /// Splits a message, and returns the ends of the parts as indices into `pieces`.
    ///
    /// The length of a part mark depends on the number of parts, which is not known before the message is
    /// split. The function therefore splits the message for an assumed number of parts. If the result has
    /// a different number of parts, the function assumes the number in the result and splits the message
    /// again. If a split gives the same number of parts as an earlier split, the function assumes several
    /// numbers of parts at once. Each part must then fit in a frame with the part mark for each assumed
    /// number.
    ///
    /// - Parameter length: approximate number of symbols that the message needs.
    private func partEnds(
        of message: Span<UInt8>, lengthInSymbols length: Int
    ) throws(FrameFault) -> [Int] {
        // A mark contains at least nine characters.
        var counts = [min(max(2, 1 + length / (Frame.text.count - 9)), Self.maximumParts)]
        var tried: Set<Int> = []
        while true {
            guard
                let ends = partEnds(
                    of: message, assuming: counts, wordCuts: Set(0..<Self.maximumParts))
            else {
                throw .tooManyParts
            }
            if ends.count < 2 || counts.contains(ends.count) {
                return movingCutsToBlanks(ends, of: message, assuming: counts)
            }
            let isNew = tried.insert(ends.count).inserted
            counts = isNew ? [ends.count] : counts + [ends.count]
        }
    }

    /// Moves as many cuts as possible from the inside of words to blanks, without increasing the number of
    /// parts.
    ///
    /// A part can be longer if it may be cut inside a word. The function permits cuts inside words only in
    /// the first n parts of the message, and cuts all other parts at blanks. In the first step, a binary
    /// search finds the smallest n that does not increase the number of parts. In the second step, the
    /// function tries to cut the first n parts at blanks, too, but at most `maximumRevisions` of them. In
    /// the second step, every part is as long as possible.
    private func movingCutsToBlanks(_ ends: [Int], of message: Span<UInt8>, assuming counts: [Int])
        -> [Int]
    {
        guard ends.count > 1 else { return ends }
        var best = ends
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = low == 0 && high == ends.count ? 0 : (low + high) / 2
            let other = self.partEnds(of: message, assuming: counts, wordCuts: Set(0..<middle))
            if let other, other.count == ends.count {
                (best, high) = (other, middle)
            } else {
                low = middle + 1
            }
        }
        var exact = self
        exact.triesEveryLength = true
        var wordCuts = Set(0..<high)
        for part in 0..<min(high, ends.count - 1, Self.maximumRevisions) {
            wordCuts.remove(part)
            let other = exact.partEnds(of: message, assuming: counts, wordCuts: wordCuts)
            if let other, other.count == ends.count { best = other } else { wordCuts.insert(part) }
        }
        return best
    }

    /// Maximum number of parts that the slow second step of `movingCutsToBlanks` tries.
    private static let maximumRevisions = 12

    /// Makes each part as long as possible, and returns the indices at which the parts end. Returns nil if
    /// the message needs more than `maximumParts` parts.
    ///
    /// - Parameter wordCuts: indices of the parts that may be cut inside a word. All other parts that
    ///   contain a blank are cut at a blank.
    private func partEnds(
        of message: Span<UInt8>, assuming counts: [Int], wordCuts: Set<Int>
    ) -> [Int]? {
        var ends: [Int] = []
        var start = 0
        while start < pieces.count {
            guard ends.count < Self.maximumParts else { return nil }
            let marks = counts.map { PartMark(ends.count + 1, of: $0, checksum: checksum) }
            var end = longestPartEnd(from: start, of: message, marked: marks)
            if !wordCuts.contains(ends.count), end < pieces.count {
                end = blankCut(of: start..<end, of: message, marked: marks) ?? end
            }
            ends.append(end)
            start = end
        }
        return ends
    }

    /// Returns the end of the longest part that begins at the piece `start` and fits in a frame with each
    /// of the part marks.
    private func longestPartEnd(from start: Int, of message: Span<UInt8>, marked marks: [PartMark])
        -> Int
    {
        let first = bytes(start..<(start + 1)).lowerBound
        let most = pieceCount(upTo: first + CompressedForm.longestMessage)
        let text = message.extracting(bytes(start..<most))
        var length = text.count
        for mark in marks {
            mark.withPart(text) { (part) in
                let fitting = max(
                    PlainForm.fittingPrefixLength(in: part),
                    CompressedForm.fittingPrefixLength(in: part))
                length = min(length, fitting - mark.bytes.count)
            }
        }
        var end = pieceCount(upTo: first + length)
        // If there is only one mark, and the prefix ends at the end of a piece, `fittingPrefixLength` has
        // already checked this length.
        let isKnown = marks.count == 1 && end > start && pieces[end - 1].end == first + length
        while !isKnown, end > start + 1, !fits(start..<end, of: message, marked: marks) { end -= 1 }
        while triesEveryLength, end < pieces.count,
            fits(start..<(end + 1), of: message, marked: marks)
        {
            end += 1
        }
        return max(end, start + 1)
    }

    /// Returns the number of pieces that end at or before a byte offset.
    private func pieceCount(upTo offset: Int) -> Int {
        var (low, high) = (0, pieces.count)
        while low < high {
            let middle = (low + high) / 2
            if pieces[middle].end <= offset { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the last place directly before or after a blank at which a part can end. Returns nil if
    /// the part cannot end at a blank. A cut before a space is tried as well as a cut after the space,
    /// because the plain form cannot encode a space at the end of a part.
    ///
    /// If `triesEveryLength` is true, longer parts are tried, too. A longer part can need fewer symbols.
    /// For example, the compression may need fewer symbols for a complete word and a space than for the
    /// first letters of the word.
    private func blankCut(
        of part: Range<Int>, of message: Span<UInt8>, marked marks: [PartMark]
    ) -> Int? {
        var last: Int?
        if triesEveryLength {
            for end in part.upperBound + 1..<max(pieces.count, part.upperBound + 1)
            where isBlankCut(end) {
                if fits(part.lowerBound..<end, of: message, marked: marks) {
                    last = end
                } else if pieces[end - 1].isBlank {
                    break
                }
            }
        }
        return last
            ?? part.reversed().lazy.map { $0 + 1 }.first { (end) in
                isBlankCut(end) && fits(part.lowerBound..<end, of: message, marked: marks)
            }
    }

    /// Returns true if a cut is before or after a blank.
    private func isBlankCut(_ end: Int) -> Bool {
        pieces[end - 1].isBlank || end < pieces.count && pieces[end].isBlank
    }

    /// Returns true if a part fits in a frame, whichever of the given marks precedes the part.
    private func fits(
        _ part: Range<Int>, of message: Span<UInt8>, marked marks: [PartMark]
    ) -> Bool {
        let text = message.extracting(bytes(part))
        return marks.allSatisfy { mark in
            mark.withPart(text) { (part) in
                let isWritten = try? Message.withMessage(from: part, newline: .lineFeed) {
                    (message) in
                    withScratch(Frame.length) { Frame.encode(message, into: &$0) }
                }
                return isWritten == true
            }
        }
    }
}

extension String {
    /// Returns true if appending a code point does not begin another grapheme cluster.
    fileprivate func isExtended(by scalar: Unicode.Scalar) -> Bool {
        var text = self
        text.unicodeScalars.append(scalar)
        return text.index(after: text.startIndex) == text.endIndex
    }
}

extension Unicode.Scalar {
    /// True for white space at which a line may be broken.
    fileprivate var isBlank: Bool {
        switch self {
        case "\u{A0}", "\u{2007}", "\u{202F}": false
        default: isWhiteSpace
        }
    }
}
