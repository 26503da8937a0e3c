package import GSM7
internal import System

/// A message cut into parts that fit a frame each, and say with a mark which of how many they are.
///
/// Nothing is dropped at a cut. There are as few parts as can be; so many given, cuts are made behind
/// blanks where that can be, and else between the characters that a reader sees.
package struct MessageSplitter {
    package static let maximumParts = 99

    /// What is never cut: a character as a reader sees it, or a code point.
    private struct Piece {
        /// In bytes.
        let end: Int
        let isBlank: Bool
    }

    private var pieces: [Piece] = []
    private let checksum: Int
    /// True where each part takes all that goes into it in any way of laying it out, which costs time.
    private var triesEveryLength = false

    /// Hands out the parts of a message, in order, each a message of its own in which newlines are line
    /// feeds; the message itself where it fits a frame.
    ///
    /// - Throws: `text`; `tooManyParts`; what `body` throws.
    package static func forEachPart(
        of message: Span<UInt8>, newline: Newline,
        _ body: (Span<UInt8>) throws(FrameFault) -> Void
    ) throws(FrameFault) {
        try Message.withMessage(from: message, newline: newline) { (message) throws(FrameFault) in
            let text = message.text
            var splitter = MessageSplitter(text)
            let (_, length) = Form.selected(for: message)
            var ends = try splitter.partEnds(of: text, lengthInSymbols: length)
            guard ends.count > 1 else { return try body(text) }
            if ends[ends.count - 1] - ends[ends.count - 2] <= 2 * ends.count {
                // What is in the last part may go into the others, if each takes a little more.
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
                // Every ASCII character stands alone: a text in NFC has no CR LF.
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

    /// Bytes of the longest grapheme cluster that is never cut. A longer one, on which marks are heaped
    /// without end, is taken apart into code points.
    private static let longestPiece = PackedForm.byteCount / 2

    /// Adds a grapheme cluster (UAX #29), found from one code point to the next so that no String need
    /// hold the text.
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
    /// Where the parts of a message end, in pieces.
    ///
    /// How much room a mark takes depends on the count of parts: a count is assumed, then the count that
    /// came out, until the two are equal. Where that goes round in circles, parts must fit with each of
    /// the counts that came out.
    ///
    /// - Parameter length: symbols that the message takes, about.
    private func partEnds(
        of message: Span<UInt8>, lengthInSymbols length: Int
    ) throws(FrameFault) -> [Int] {
        // A mark takes nine or more.
        var counts = [min(max(2, 1 + length / (Frame.text.count - 9)), Self.maximumParts)]
        var tried: Set<Int> = []
        while true {
            guard let ends = partEnds(of: message, assuming: counts, wordCuts: Self.maximumParts)
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

    /// As many parts with as few of the first cut within words as can be: such a part is longer by part
    /// of a word, and leaves less for those after it.
    private func movingCutsToBlanks(_ ends: [Int], of message: Span<UInt8>, assuming counts: [Int])
        -> [Int]
    {
        var best = ends
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = low == 0 && high == ends.count ? 0 : (low + high) / 2
            let other = self.partEnds(of: message, assuming: counts, wordCuts: middle)
            if let other, other.count == ends.count {
                (best, high) = (other, middle)
            } else {
                low = middle + 1
            }
        }
        return best
    }

    /// Each part as long as it can be: the first `inWords` of them wherever they end, those after them
    /// up to the last blank that fits. Nil where they are too many.
    private func partEnds(
        of message: Span<UInt8>, assuming counts: [Int], wordCuts: Int
    ) -> [Int]? {
        var ends: [Int] = []
        var start = 0
        while start < pieces.count {
            guard ends.count < Self.maximumParts else { return nil }
            let marks = counts.map { PartMark(ends.count + 1, of: $0, checksum: checksum) }
            var end = longestPartEnd(from: start, of: message, marked: marks)
            if ends.count >= wordCuts, end < pieces.count {
                end = lastBlankCut(in: start..<end, of: message, marked: marks) ?? end
            }
            ends.append(end)
            start = end
        }
        return ends
    }

    /// Where the longest part ends that begins at a piece.
    private func longestPartEnd(from start: Int, of message: Span<UInt8>, marked marks: [PartMark])
        -> Int
    {
        let first = bytes(start..<(start + 1)).lowerBound
        let most = pieceCount(upTo: first + Form.longestMessage)
        let text = message.extracting(bytes(start..<most))
        var length = text.count
        for mark in marks {
            mark.withPart(text) { (part) in
                let fitting = Form.allCases.map { $0.fittingPrefixLength(in: part) }.max() ?? 0
                length = min(length, fitting - mark.bytes.count)
            }
        }
        var end = pieceCount(upTo: first + length)
        // That it fits is known already where no piece was cut.
        let isKnown = marks.count == 1 && end > start && pieces[end - 1].end == first + length
        while !isKnown, end > start + 1, !fits(start..<end, of: message, marked: marks) { end -= 1 }
        while triesEveryLength, end < pieces.count,
            fits(start..<(end + 1), of: message, marked: marks)
        {
            end += 1
        }
        return max(end, start + 1)
    }

    /// The count of pieces up to an offset in bytes.
    private func pieceCount(upTo offset: Int) -> Int {
        var (low, high) = (0, pieces.count)
        while low < high {
            let middle = (low + high) / 2
            if pieces[middle].end <= offset { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Behind the last blank at which a part may end.
    private func lastBlankCut(
        in part: Range<Int>, of message: Span<UInt8>, marked marks: [PartMark]
    ) -> Int? {
        part.reversed().lazy.filter { pieces[$0].isBlank }.map { $0 + 1 }.first {
            fits(part.lowerBound..<$0, of: message, marked: marks)
        }
    }

    /// True for a part that fits with each of some marks.
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
    /// True if a code point belongs to the same grapheme cluster as this text, which is one cluster.
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
