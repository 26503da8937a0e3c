import Testing

@testable import GSM7

/// The common case reads what the general one reads, or leaves it alone.
@Suite struct BasicReadingTests {
    @Test func allSymbolsInAllPairs() throws {
        for one in 0..<UInt8(Alphabet.symbolCount) {
            for other in 0..<UInt8(Alphabet.symbolCount) {
                let text = String(Alphabet.scalar(of: one)) + String(Alphabet.scalar(of: other))
                #expect(read(Array(text.utf8)) == [one, other])
            }
        }
    }

    /// All pairs of bytes, and bytes of all kinds in strings of three: what the general case reads
    /// otherwise is left to it.
    @Test func nothingElse() throws {
        for one in UInt8.min...UInt8.max {
            for other in UInt8.min...UInt8.max { check([one, other]) }
        }
        let kinds: [UInt8] = [
            0x00, 0x0A, 0x20, 0x41, 0x5B, 0x7F, 0x80, 0x8D, 0xA3, 0xA9, 0xBF, 0xC0, 0xC1, 0xC2,
            0xC3, 0xCC, 0xCE, 0xCF, 0xD0, 0xE2, 0xEF, 0xF0, 0xFC, 0xFF,
        ]
        for one in kinds {
            check([one])
            for other in kinds {
                for third in kinds { check([one, other, third]) }
            }
        }
    }

    /// Plain characters are read many at a time: each other one, and each end, stands in all places.
    @Test func othersAmongPlainCharacters() {
        let others = ["@", "$", "_", "é", "Δ", "¤", "à", "[", "ж", "\u{301}", "\n"]
        for length in 0...50 {
            let plain = Array("Zz aA09?b,Yy".utf8)
            let text = (0..<length).map { plain[$0 % plain.count] }
            #expect(read(text, room: 60)?.count == length)
            check(text, room: length)
            #expect(length == 0 || read(text, room: length - 1) == nil)
            for place in 0...length {
                for other in others {
                    let bytes = text[..<place] + Array(other.utf8) + text[place...]
                    check(Array(bytes), room: 60)
                }
            }
        }
    }

    @Test func noMoreThanThereIsRoomFor() {
        #expect(read(Array("abc".utf8), room: 2) == nil)
        #expect(read([], room: 2) == [])
        let both = ["a", "é"].compactMap { Alphabet.symbol(of: $0) }
        #expect(read(Array("aé".utf8), room: 2) == both)
        #expect(read(Array("aéb".utf8), room: 2) == nil)
        #expect(read(Array("aé".utf8.dropLast()), room: 2) == nil)
    }

    private func check(_ bytes: [UInt8], room: Int = 8) {
        let symbols = read(bytes, room: room)
        let general = try? [UInt8](capacity: room) { (output: inout OutputSpan<UInt8>) in
            _ = try Code.read(bytes.span, into: &output, accepting: .basic)
        }
        // What is left to the general case is not so common: a combining character may make one.
        #expect(symbols == general || symbols == nil, "\(bytes)")
    }

    private func read(_ bytes: [UInt8], room: Int = 8) -> [UInt8]? {
        var isRead = false
        let symbols = [UInt8](capacity: room) { (output: inout OutputSpan<UInt8>) in
            isRead = BasicReading.read(bytes.span, into: &output)
        }
        return isRead ? symbols : nil
    }
}
