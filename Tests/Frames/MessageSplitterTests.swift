import Foundation
import Frames
import GSM7
import Support
import Testing

@Suite(.measured) struct MessageSplitterTests {
    private func parts(_ message: String) throws -> [String] {
        var parts: [String] = []
        try MessageSplitter.forEachPart(of: Array(message.utf8).span, newline: .lineFeed) {
            (part) in
            parts.append(String(decoding: part.indices.map { part[$0] }, as: UTF8.self))
        }
        return parts
    }

    /// Words of four letters for which the plain form needs the fewest symbols.
    private static let words: [String] = {
        var generator = Generator(seed: 8)
        let letters = Array("#Δ_ΦΓΛΩΠΨΣΘΞÆß§¿¡èìòØ".unicodeScalars)
        return (0..<3000).map { _ in generator.text(4, from: letters) }
    }()

    private func words(_ range: Range<Int>) -> String {
        Self.words[range].joined(separator: " ")
    }

    /// Returns a word that the plain form encodes in the fewest symbols.
    private func longWord(_ count: Int) -> String {
        String(Self.words.joined().prefix(count))
    }

    /// Returns true for each cut between two parts that is before or after a blank.
    private func cutsAtBlanks(_ parts: [String]) -> [Bool] {
        zip(parts, parts.dropFirst()).map { $0.hasSuffix(" ") || withoutMark($1).hasPrefix(" ") }
    }

    @Test(arguments: ["", " "]) func aTextWithoutSymbolsHasAtMostOnePart(_ text: String) throws {
        #expect(try parts(text).count <= 1)
    }

    @Test func cutsAreMadeAtBlanks() throws {
        let message = words(0..<60)
        let parts = try parts(message)
        #expect(parts.count == 3)
        #expect(cutsAtBlanks(parts) == [true, true])
        #expect(parts.enumerated().allSatisfy { $1.hasPrefix("\($0 + 1)/3:\(checksum(message)) ") })
        #expect(joined(parts) == message)
    }

    /// This message has three parts unless every length of the first part is tried.
    @Test func aShortLastPartIsJoinedToTheOthers() throws {
        let message = """
            5€ http://a.b/c_d?e=fthe  四点半  закрытаकल lamps!закрыта 12 कल as —— \
            naïve Мостنهرنهر  5€ дорога  कल шестьमिलेंगे “quoted”  x=y+z طريق 🙂  \
            km² the 12 Мостшесть river 5€ हम कल  出発 http://a.b/c_d?e=f \
            the“quoted”bread? —Мост x=y+z naïve  طريقहम  12  lamps!  SAYS出発طريقfar \
            मिलेंगे
            """
        #expect(try parts(message).count == 2 && joined(parts(message)) == message)
    }

    /// A no-break space is not a blank, although it is white space.
    @Test(arguments: ["\u{A0}", "\u{2007}", "\u{202F}"])
    func cutsAreNotMadeAtNoBreakSpaces(_ space: String) throws {
        let message = (0..<90).map { "road\($0 % 7)\(space)mile" }.joined(separator: " ")
        let parts = try parts(message)
        #expect(parts.count > 5 && cutsAtBlanks(parts).allSatisfy { $0 })
        #expect(joined(parts) == message)
    }

    @Test func partsAreAsLongAsTheirFormAllows() throws {
        let message = Array(repeating: "the river has risen", count: 60).joined(separator: " ")
        let parts = try parts(message)
        // With 144 characters in each part, there would be nine parts.
        #expect(parts.count < 6)
        for (part, next) in zip(parts, parts.dropFirst()) {
            let word = withoutMark(next).prefix { $0 != " " }
            #expect(throws: FrameFault.self) { try encoded(part + word + " ") }
        }
    }

    @Test func noBlankIsDroppedAtACut() throws {
        for blanks in ["  \n ", "\n\n", String(repeating: " ", count: 150)] {
            let message = "  " + words(0..<25) + blanks + words(28..<31) + "  "
            let parts = try parts(message)
            #expect(parts.count > 1 && joined(parts) == message)
        }
        let blanks = String(repeating: " ", count: 2000)
        #expect(try joined(parts(blanks)) == blanks)
    }

    @Test func wordsLongerThanAPartAreCut() throws {
        #expect(try parts(longWord(300)).map(\.count) == [144, 144, 9 + 30])
        // Cutting after the blank would add another part.
        let message = "a " + longWord(3 * 135 - 2)
        #expect(try parts(message).map(\.count) == [144, 144, 144])
        #expect(try joined(parts(message)) == message)
    }

    /// The number of parts is as small as possible. If there are several ways to cut the message, as few
    /// parts as possible are cut within a word.
    @Test func wordsAreCutOnlyIfThatMakesFewerParts() throws {
        // The words consist of ten letters and a blank. If a part is cut before a blank, it has three unused
        // characters.
        let words = (0..<60).map { longWord(600).dropFirst(10 * $0).prefix(10) }
        let text = words.joined(separator: " ")
        for (length, isAtBlank) in [(398, true), (405, false)] {
            let message = String(text.prefix(length - 1)) + "#"
            let parts = try parts(message)
            #expect(parts.count == 3)
            #expect(cutsAtBlanks(parts) == [isAtBlank, isAtBlank])
            #expect(joined(parts) == message)
        }
    }

    /// These texts were once cut inside more words, although they can be cut at blanks into as many parts.
    @Test(arguments: [("pt", 5, 1), ("es", 8, 0)])
    func naturalTextsAreCutAtBlanks(_ name: String, _ count: Int, _ wordCuts: Int) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Texts/\(name).txt")
        let message = try String(contentsOf: file, encoding: .utf8)
        let parts = try parts(message)
        #expect(parts.count == count)
        #expect(cutsAtBlanks(parts).count { !$0 } <= wordCuts)
        #expect(joined(parts) == message)
    }

    @Test func partsAreShorterIfMarksHaveTwoDigits() throws {
        let message = longWord(144 * 11)
        let parts = try parts(message)
        #expect(parts.count == 12)
        #expect(parts[0] == "1/12:\(checksum(message)) " + message.prefix(134))
        #expect(parts[11].hasPrefix("12/12:\(checksum(message)) "))
        #expect(parts.map(\.count).max() == 144)
    }

    @Test func moreThan99PartsAreRefused() throws {
        #expect(try parts(words(0..<(26 * 99))).count <= 99)
        #expect(throws: FrameFault.tooManyParts) { try parts(words(0..<(28 * 99))) }
    }

    @Test func emojiSequencesAreNotCut() throws {
        let family = "👨‍👩‍👧"
        for part in try parts(String(repeating: family, count: 20)) {
            #expect(withoutMark(part).allSatisfy { $0 == Character(family) })
        }
    }

    /// Parts end at the ends of grapheme clusters, as determined by the standard library (UAX #29).
    @Test func cutsAreMadeBetweenGraphemeClusters() throws {
        var generator = Generator(seed: 7)
        let joining = Array(
            "👩🏽👨‍🇪🇺क्षित\u{200D}\u{FE0F}\u{1100}\u{1161}\u{11A8}\u{301}\u{600}é한ab".unicodeScalars)
        for _ in 0..<10 {
            let message = generator.text(200, from: joining).precomposedStringWithCanonicalMapping
            var ends: Set<Int> = []
            var end = 0
            for character in message {
                end += character.utf8.count
                ends.insert(end)
            }
            end = 0
            let parts = try parts(message)
            for part in parts {
                end += (parts.count == 1 ? part : withoutMark(part)).utf8.count
                #expect(ends.contains(end))
            }
        }
    }

    /// A cluster is cut only if it does not fit in any part. The time must grow linearly with the length
    /// of the cluster.
    @Test func overlongGraphemeClustersAreCut() throws {
        let message = "a" + String(repeating: "\u{200D}\u{FE0F}", count: 200) + "b"
        #expect(try joined(parts(message)) == message)
        let long = "a" + String(repeating: "\u{200D}\u{FE0F}", count: 50_000)
        #expect(throws: FrameFault.tooManyParts) { try parts(long) }
    }

    /// A cluster of at most 64 bytes is never cut, so it must fit in a part, whatever its characters are.
    @Test func clustersOf64BytesFitInAPart() throws {
        var generator = Generator(seed: 12)
        let marks: [ClosedRange<UInt32>] = [
            0x300...0x36F, 0x591...0x5BD, 0x1AB0...0x1ABD, 0x1CD4...0x1CE0, 0xE0100...0xE01EF,
            0x1E8D0...0x1E8D6,
        ]
        for round in 0..<300 {
            var cluster = round % 2 == 0 ? "\u{13A0}" : "\u{10FFFD}"
            while cluster.utf8.count <= 60 {
                let range = round % 3 == 0 ? generator.pick(marks) : marks[round % marks.count]
                let value = range.lowerBound + UInt32(generator.number(below: range.count))
                cluster.unicodeScalars.append(try #require(Unicode.Scalar(value)))
            }
            let message = cluster.precomposedStringWithCanonicalMapping
            _ = try encoded("99/99:9999 " + message)
        }
    }

    @Test func everyPartCanBeEncoded() throws {
        var generator = Generator(seed: 6)
        let gsm = Array((Alphabet.text + "€[]{}\\|~^\n\n      ¤").unicodeScalars)
        for round in 0..<30 {
            let characters = round % 2 == 1 ? gsm + Generator.mixed : gsm
            let message = generator.text(generator.number(below: 800), from: characters)
            let normal = message.precomposedStringWithCanonicalMapping
            let parts = try parts(message)
            for (index, part) in parts.enumerated() {
                _ = try encoded(part)
                let mark = PartMark(of: Array(part.utf8).span)
                #expect(parts.count == 1 || mark?.number == index + 1)
                #expect(parts.count == 1 || mark?.count == parts.count)
                #expect(parts.count == 1 || mark.map { spelt($0.checksum) } == checksum(normal))
            }
            #expect(Array(joined(parts).utf8) == Array(normal.utf8))
        }
    }

    /// The first two are the examples in smsenc-protocol(7). The last text is not in NFC. Its checksum is that
    /// of the text as it was sent.
    @Test(arguments: [("123456789", "0262"), ("n\u{E9}", "6649"), ("ne\u{301}", "7203")])
    func checksumsMatchTheProtocol(_ text: String, _ check: String) {
        let mark = Array("1/2:\(check) ".utf8)
        let wrong = Array("1/2:1234 ".utf8)
        #expect(taken(text, mark) == Array(text.precomposedStringWithCanonicalMapping.utf8))
        #expect(taken(text, wrong) == [])
    }

    private func taken(_ text: String, _ mark: [UInt8]) -> [UInt8] {
        var taken: [UInt8] = []
        let utf8 = Array(text.utf8)
        taken.append(atMost: 9 * utf8.count) { (space) in
            let isTheirs = PartMark(of: mark.span)?
                .joinParts(utf8.span, newline: .lineFeed, to: &space)
            #expect(isTheirs == (space.count > 0))
        }
        return taken
    }

    @Test(arguments: [
        ("1/2:0000 a", 1, 2, 0), ("99/99:9999 ", 99, 99, 9999), ("2/10:0071 x", 2, 10, 71),
    ])
    func marksAreParsed(_ text: String, _ number: Int, _ count: Int, _ check: Int) {
        let bytes = Array(text.utf8)
        let mark = PartMark(of: bytes.span)
        #expect(mark.map { [$0.number, $0.count, $0.checksum] } == [number, count, check])
        #expect(mark.map { bytes.starts(with: $0.bytes) } == true)
    }

    @Test(arguments: [
        "", "1/2", "1/2 a", "1/2 cup of rice", "1/2: a", "1/2:123 a", "1/2:12345 a", "1/2:1234",
        "1/2:1234a",
        "1/2:1234\n", "1/1:1234 a", "0/2:1234 a", "3/2:1234 a", "01/2:1234 a", "1/02:1234 a",
        "1/100:1234 a", "a 1/2:1234 ", " 1/2:1234 a", "1/2:+123 a", "1:2/1234 ", "/2:1234 ",
        "1/:1234 ",
        "1/2:1234\u{A0}a", "١/2:1234 a", "1//2:1234 a", "1/2/1234 a", "99999999999",
    ])
    func textsWithoutAMarkAreNotParsed(_ text: String) {
        let bytes = Array(text.utf8)
        let isMark = PartMark(of: bytes.span) != nil
        #expect(!isMark)
    }

    /// Computes CRC-32 with a table, as in the manual of zlib, to check the implementation without a
    /// table.
    private func checksum(_ text: String) -> String {
        var table: [UInt32] = []
        for byte in UInt32(0)..<256 {
            var value = byte
            for _ in 0..<8 { value = value & 1 == 1 ? (value >> 1) ^ 0xEDB8_8320 : value >> 1 }
            table.append(value)
        }
        var value = UInt32.max
        for byte in text.utf8 {
            let place = Int((value ^ UInt32(byte)) & 0xFF)
            value = (value >> 8) ^ table[place]
        }
        return spelt(Int(~value) % 10_000)
    }

    private func spelt(_ check: Int) -> String { String(String(check + 10_000).dropFirst()) }

    private func withoutMark(_ part: String) -> String {
        String(part.unicodeScalars.drop { $0 != " " }.dropFirst())
    }

    private func joined(_ parts: [String]) -> String {
        parts.count == 1 ? parts[0] : parts.map(withoutMark).joined()
    }
}
