import Frames
import GSM7
import Testing

@Suite struct SplittingTests {
    private func parts(_ message: String, packing: Bool = false) throws -> [String] {
        var parts: [String] = []
        let count = try Splitting.forEachPart(
            of: Array(message.utf8).span, packing: packing, newline: .lineFeed
        ) { (part) in
            parts.append(String(decoding: part.indices.map { part[$0] }, as: UTF8.self))
        }
        #expect(count == parts.count)
        return parts
    }

    private func words(_ count: Int, _ word: String = "word") -> String {
        Array(repeating: word, count: count).joined(separator: " ")
    }

    @Test func cutsBetweenWords() throws {
        let parts = try parts(words(60))
        #expect(parts == ["1/3 " + words(28), "2/3 " + words(28), "3/3 " + words(4)])
    }

    @Test func dropsBlanksAtACutAndKeepsOthers() throws {
        let message = "  " + words(28) + "  \n " + words(3) + "  "
        #expect(try parts(message) == ["1/2   " + words(27), "2/2 word  \n " + words(3) + "  "])
    }

    @Test func cutsAWordThatIsLongerThanAPart() throws {
        let long = String(repeating: "x", count: 300)
        let lengths = try parts("a " + long).map(\.count)
        #expect(lengths == [5, 144, 144, 4 + 20])
        #expect(try parts(long).map(\.count) == [144, 144, 4 + 20])
    }

    @Test func numbersOfTwoDigitsTakeTheirRoom() throws {
        let parts = try parts(words(400))
        #expect(parts.count == 15)
        #expect(parts.first?.hasPrefix("1/15 word") == true)
        #expect(parts.last?.hasPrefix("15/15 word") == true)
        #expect(parts.allSatisfy { $0.count <= 144 })
    }

    @Test func refusesMoreThanNinetyNineParts() throws {
        #expect(try parts(words(27 * 99)).count <= 99)
        #expect(throws: FrameFault.tooManyParts) { try parts(words(30 * 99)) }
    }

    @Test func blanksAloneHaveNoParts() throws {
        #expect(try parts(String(repeating: " ", count: 300)).isEmpty)
    }

    @Test func cutsNoCharacterThatReadersSeeAsOne() throws {
        let family = "👨‍👩‍👧"
        for part in try parts(String(repeating: family, count: 20), packing: true) {
            #expect(withoutNumber(part).allSatisfy { $0 == Character(family) })
        }
    }

    @Test func everyPartIsAFrame() throws {
        var generator = Generator(seed: 6)
        let gsm = Array((Alphabet.text + "€[]{}\\|~^\n\n      ¤").unicodeScalars)
        for round in 0..<2_000 {
            let packing = round % 2 == 1
            let characters = packing ? gsm + Generator.mixed : gsm
            let message = generator.text(generator.number(below: 1200), from: characters)
            var glued = ""
            let parts = try parts(message, packing: packing)
            for part in parts {
                _ = try laidOut(part, packing: packing)
                glued += parts.count == 1 ? part : withoutNumber(part)
            }
            #expect(withoutBlanks(glued) == withoutBlanks(message))
        }
    }

    private func withoutNumber(_ part: String) -> String {
        String(part.unicodeScalars.drop { $0 != " " }.dropFirst())
    }

    private func withoutBlanks(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != " " && $0 != "\n" }))
    }
}
