package import GSM7

/// A message cut into parts that fit a frame each, and say which of how many they are: `1/3 `.
///
/// Cuts are made between words, and blanks there (spaces and newlines) dropped; a word longer than a
/// part is cut, between the characters that a reader sees.
package struct Splitting {
    package static let mostParts = 99

    private let pieces: [Piece]
    private let packing: Bool
    private let trailingSpaces: Int

    /// Hands out the parts of a message, in order, each a message of its own with newlines as they
    /// were spelt. There are none where it is blanks alone.
    ///
    /// - Returns: the number of parts.
    /// - Throws: `text`; `tooManyParts`; what `body` throws.
    package static func forEachPart(
        of message: Span<UInt8>, packing: Bool, newline: Newline,
        _ body: (Span<UInt8>) throws(FrameFault) -> Void
    ) throws(FrameFault) -> Int {
        let result: Result<Int, FrameFault>
        do throws(TextFault) {
            result = try NormalText.read(message) { (text) throws(TextFault) in
                let splitting = Splitting(text, packing, newline)
                return Result { () throws(FrameFault) in try splitting.write(text, body) }
            }
        } catch {
            throw .text(error)
        }
        return try result.get()
    }

    private init(_ text: Span<UInt8>, _ packing: Bool, _ newline: Newline) {
        // GSM has no marks: each code point is a character by itself.
        pieces = Piece.pieces(of: text, joining: packing, newline: newline)
        self.packing = packing
        trailingSpaces = Load.trailingSpaces(text)
    }

    private func write(
        _ text: Span<UInt8>, _ body: (Span<UInt8>) throws(FrameFault) -> Void
    ) throws(FrameFault) -> Int {
        let parts = try numberedParts()
        if parts.count == 1 {
            try body(text.extracting(parts[0]))
        } else {
            for (index, range) in parts.enumerated() {
                let number = "\(index + 1)/\(parts.count) "
                let length = number.utf8.count + range.count
                try withScratch(length) { (part) throws(FrameFault) in
                    for byte in number.utf8 { part.append(byte) }
                    for place in range { part.append(text[place]) }
                    try body(part.span)
                }
            }
        }
        return parts.count
    }

    /// The parts without their numbers, as ranges of bytes.
    private func numberedParts() throws(FrameFault) -> [Range<Int>] {
        for digits in 1...2 {
            let parts = cut(digits)
            if parts.count == 1 || String(parts.count).utf8.count <= digits { return parts }
        }
        throw .tooManyParts
    }

    /// The parts where their number has so many digits.
    private func cut(_ digits: Int) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var start = 0
        while start < pieces.count, parts.count <= Self.mostParts {
            let number = "\(parts.count + 1)/".utf8.count + digits + 1
            let (end, next) = end(ofPartFrom: start, number)
            if end > start {
                parts.append(pieces[start].bytes.lowerBound..<pieces[end - 1].bytes.upperBound)
            }
            start = next
        }
        return parts
    }

    /// Where the part that begins at a piece ends, and where the next begins.
    private func end(ofPartFrom start: Int, _ number: Int) -> (end: Int, next: Int) {
        var load = Load(number: number)
        var lastCut: (end: Int, next: Int)?
        var index = start
        while index < pieces.count {
            if pieces[index].isBlank {
                let next = pieces[index...].firstIndex { !$0.isBlank } ?? pieces.count
                lastCut = (index, next)
                for blank in pieces[index..<next] { load.add(blank.load) }
                if next == pieces.count { load.addTrailingSpaces(trailingSpaces) }
                guard load.fits(packing) else { break }
                index = next
            } else {
                load.add(pieces[index].load)
                guard load.fits(packing) else { break }
                index += 1
            }
        }
        if index == pieces.count { return (index, index) }
        return lastCut ?? (index, index)
    }
}
