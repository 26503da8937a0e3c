package import GSM7
internal import System

/// A message cut into parts that fit a frame each, and say which of how many they are: `1/3 `.
///
/// Cuts are made between words, and blanks there (spaces and newlines) dropped; a word longer than a
/// part is cut, between the characters that a reader sees. Each part is as long as it can be.
package struct Splitting {
    package static let mostParts = 99

    /// What is never cut: a character as a reader sees it, or a code point.
    private struct Piece {
        let bytes: Range<Int>
        let isBlank: Bool
    }

    /// Where a part may end, and where the next then begins: indices of pieces.
    private struct Cut {
        let end: Int
        let next: Int
    }

    private var pieces: [Piece] = []
    /// The cuts between words, and the one at the end of the message, in order.
    private var cuts: [Cut] = []

    /// Hands out the parts of a message, in order, each a message of its own in which newlines are line
    /// feeds. There are none where it is blanks alone.
    ///
    /// - Returns: the number of parts.
    /// - Throws: `text`; `tooManyParts`; what `body` throws.
    package static func forEachPart(
        of message: Span<UInt8>, newline: Newline,
        _ body: (Span<UInt8>) throws(FrameFault) -> Void
    ) throws(FrameFault) -> Int {
        try Message.decode(message, newline: newline) {
            (message) throws(FrameFault) in
            let text = message.text.span
            let parts = try Splitting(text).numberedParts(of: text)
            for (index, part) in parts.enumerated() {
                let number = parts.count == 1 ? "" : "\(index + 1)/\(parts.count) "
                try withPart(part, of: text, numbered: number, body)
            }
            return parts.count
        }
    }

    private init(_ message: Span<UInt8>) {
        pieces.reserveCapacity(message.count)
        var recognizer = Unicode._CharacterRecognizer()
        var (start, index) = (0, 0)
        while let (scalar, length) = CodePoint.next(message, at: index) {
            if recognizer.hasBreak(before: scalar), index > start {
                add(start..<index, of: message)
                start = index
            }
            index += length
        }
        if index > start { add(start..<index, of: message) }
        findCuts()
    }

    /// Adds a grapheme cluster (UAX #29), found from one code point to the next so that no String need
    /// hold the text. One on which marks without end are heaped is taken apart.
    private mutating func add(_ bytes: Range<Int>, of message: Span<UInt8>) {
        let isWhole = bytes.count <= PackedForm.room / 2
        var start = bytes.lowerBound
        while start < bytes.upperBound, let (_, length) = CodePoint.next(message, at: start) {
            let end = isWhole ? bytes.upperBound : start + length
            let first = message[start]
            let isBlank = first == UInt8(ascii: " ") || first == UInt8(ascii: "\n")
            pieces.append(Piece(bytes: start..<end, isBlank: isBlank && end - start == 1))
            start = end
        }
    }

    /// Bytes of the first character of a text, as a reader sees it.
    static func firstCharacter(of text: Span<UInt8>) -> Int {
        Splitting(text).pieces.first?.bytes.count ?? 0
    }

    private mutating func findCuts() {
        var index = 0
        while index < pieces.count {
            var next = index
            while next < pieces.count, pieces[next].isBlank { next += 1 }
            if next > index { cuts.append(Cut(end: index, next: next)) }
            index = max(next, index + 1)
        }
        cuts.append(Cut(end: pieces.count, next: pieces.count))
    }

    /// The parts without their numbers, as ranges of bytes.
    ///
    /// How much room a number takes in a part depends on its digits, and they on the count of parts: a
    /// count is assumed, then the count that came out, until the two are equal. Where that goes round
    /// in circles, parts must fit with each of the counts that came out.
    private func numberedParts(of message: Span<UInt8>) throws(FrameFault) -> [Range<Int>] {
        var counts = [2]
        var tried: Set<Int> = []
        while true {
            let parts = parts(of: message, assuming: counts)
            if parts.count < 2 || counts.contains(parts.count) { return parts }
            guard parts.count <= Self.mostParts else { throw .tooManyParts }
            let isNew = tried.insert(parts.count).inserted
            counts = isNew ? [parts.count] : counts + [parts.count]
        }
    }

    private func parts(of message: Span<UInt8>, assuming counts: [Int]) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var start = 0
        while start < pieces.count, parts.count <= Self.mostParts {
            let numbers = counts.map { "\(parts.count + 1)/\($0) " }
            let cut = cut(from: start, of: message, numbered: numbers)
            if cut.end > start { parts.append(bytes(start..<cut.end)) }
            start = cut.next
        }
        return parts
    }

    /// The last cut that makes a part of what begins at a piece, in a word if need be.
    private func cut(from start: Int, of message: Span<UInt8>, numbered numbers: [String]) -> Cut {
        let reach = reach(from: start, of: message)
        let first = cuts.firstIndex { $0.next > start } ?? cuts.count - 1
        let near = cuts[first...].firstIndex { $0.end >= reach } ?? cuts.count - 1
        let last = Self.last(of: first..<cuts.count, near: near) {
            fits(start..<cuts[$0].end, of: message, numbered: numbers)
        }
        if let last { return cuts[last] }
        let ends = (start + 1)..<(cuts[first].end + 1)
        let end = Self.last(of: ends, near: reach) {
            fits(start..<$0, of: message, numbered: numbers)
        }
        return Cut(end: end ?? start + 1, next: end ?? start + 1)
    }

    /// About the piece at which a part ends that begins at another.
    private func reach(from start: Int, of message: Span<UInt8>) -> Int {
        let most = min(pieces.count, start + Frame.longestMessage)
        let rest = message.extracting(bytes(start..<most))
        let longest = Forms.all.map { $0.reach(in: rest) }.max() ?? 0
        let end = pieces[start].bytes.lowerBound + longest
        return pieces[start...].firstIndex { $0.bytes.upperBound > end } ?? pieces.count
    }

    /// The last number of a range for which something holds, looked for from one near it.
    private static func last(
        of range: Range<Int>, near guess: Int, where holds: (Int) -> Bool
    ) -> Int? {
        var index = min(max(guess, range.lowerBound), range.upperBound - 1)
        if holds(index) {
            while index + 1 < range.upperBound, holds(index + 1) { index += 1 }
            return index
        }
        while index > range.lowerBound {
            index -= 1
            if holds(index) { return index }
        }
        return nil
    }

    /// True for a part that fits with each of some numbers.
    private func fits(
        _ part: Range<Int>, of message: Span<UInt8>, numbered numbers: [String]
    ) -> Bool {
        guard !part.isEmpty else { return true }
        let part = bytes(part)
        for number in numbers {
            let isWritten = try? Self.withPart(part, of: message, numbered: number) {
                (part) throws(FrameFault) in
                try Message.decode(part, newline: .lineFeed) { (message) in
                    withScratch(Frame.length) { Frame.layOut(message, into: &$0) }
                }
            }
            if isWritten != true { return false }
        }
        return true
    }

    private func bytes(_ part: Range<Int>) -> Range<Int> {
        pieces[part.lowerBound].bytes.lowerBound..<pieces[part.upperBound - 1].bytes.upperBound
    }

    /// Shows a part with its number.
    private static func withPart<Failure: Error, Result>(
        _ bytes: Range<Int>, of message: Span<UInt8>, numbered number: String,
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withScratch(number.utf8.count + bytes.count) { (part) throws(Failure) in
            part.append(copying: number.utf8.span)
            part.append(copying: message.extracting(bytes))
            return try body(part.span)
        }
    }
}
