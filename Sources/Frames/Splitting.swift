package import GSM7

/// A message cut into parts that fit a frame each, and say which of how many they are: `1/3 `.
///
/// Cuts are made between words, and blanks there (spaces and newlines) dropped; a word longer than a
/// part is cut, between the characters that a reader sees.
package struct Splitting {
    package static let mostParts = 99

    /// One character as a reader sees it.
    private struct Piece {
        let bytes: Range<Int>
        let load: Load
        let isBlank: Bool
    }

    private let utf8: [UInt8]
    private let pieces: [Piece]
    private let packing: Bool

    /// The parts of a message, in order, each a message of its own with newlines as they were spelt.
    /// There are none where it is blanks alone.
    ///
    /// - Throws: `text`; `tooManyParts`.
    package static func parts(
        of message: Span<UInt8>, packing: Bool, newline: Newline
    ) throws(FrameFault) -> [[UInt8]] {
        try Splitting(message, packing, newline).numbered()
    }

    private init(
        _ message: Span<UInt8>, _ packing: Bool, _ newline: Newline
    ) throws(FrameFault) {
        do throws(TextFault) {
            utf8 = try NormalText(message).utf8
        } catch {
            throw .text(error)
        }
        self.packing = packing
        var pieces: [Piece] = []
        pieces.reserveCapacity(utf8.count)
        let text = String(decoding: utf8, as: UTF8.self)
        if packing {
            for character in text { Self.add(character, newline, to: &pieces) }
        } else {
            // GSM has no marks: each code point is a character by itself.
            for scalar in text.unicodeScalars {
                Self.add(CollectionOfOne(scalar), newline, to: &pieces)
            }
        }
        self.pieces = pieces
    }

    /// Adds a character, or its code points one by one where marks without end are heaped on it.
    private static func add(
        _ character: Character, _ newline: Newline, to pieces: inout [Piece]
    ) {
        if character.utf8.count <= Packing.room / 2 {
            add(character.unicodeScalars, newline, to: &pieces)
        } else {
            for scalar in character.unicodeScalars {
                add(CollectionOfOne(scalar), newline, to: &pieces)
            }
        }
    }

    private static func add(
        _ scalars: some Collection<Unicode.Scalar>, _ newline: Newline, to pieces: inout [Piece]
    ) {
        var load = Load()
        var length = 0
        for scalar in scalars {
            load.add(scalar, newline: newline)
            length += UTF8.width(scalar)
        }
        let start = pieces.last?.bytes.upperBound ?? 0
        let only = scalars.first.map { Code($0, newline: newline) }
        let isBlank =
            scalars.count == 1 && (only == .newline || only == .basic(Alphabet.space))
        pieces.append(Piece(bytes: start..<(start + length), load: load, isBlank: isBlank))
    }

    private func numbered() throws(FrameFault) -> [[UInt8]] {
        for digits in 1...2 {
            let parts = cut(digits)
            if parts.count == 1 { return parts.map { Array(utf8[$0]) } }
            if String(parts.count).utf8.count > digits { continue }
            return parts.enumerated().map { (index, range) in
                Array("\(index + 1)/\(parts.count) ".utf8) + utf8[range]
            }
        }
        throw .tooManyParts
    }

    /// The parts without their numbers, as ranges of bytes, where the number of parts has so many
    /// digits.
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

    private var trailingSpaces: Int {
        utf8.reversed().prefix { $0 == UInt8(ascii: " ") }.count
    }
}
