import Frames
import GSM7
import Support
import Testing

@Suite struct SplittingTests {
    private func parts(_ message: String) throws -> [String] {
        var parts: [String] = []
        let count = try Splitting.forEachPart(
            of: Array(message.utf8).span, newline: .lineFeed
        ) { (part) in
            parts.append(String(decoding: part.indices.map { part[$0] }, as: UTF8.self))
        }
        #expect(count == parts.count)
        return parts
    }

    /// Words of four letters of which the shortest form is the plain one.
    private static let words: [String] = {
        var generator = Generator(seed: 8)
        let letters = Array("#Δ_ΦΓΛΩΠΨΣΘΞÆß§¿¡èìòØ".unicodeScalars)
        return (0..<3000).map { _ in generator.text(4, from: letters) }
    }()

    private func words(_ range: Range<Int>) -> String {
        Self.words[range].joined(separator: " ")
    }

    /// A word that no form makes shorter.
    private func longWord(_ count: Int) -> String {
        String(Self.words.joined().prefix(count))
    }

    @Test func cutsBetweenWords() throws {
        let parts = try parts(words(0..<60))
        let expected = ["1/3 " + words(0..<28), "2/3 " + words(28..<56), "3/3 " + words(56..<60)]
        #expect(parts == expected)
    }

    @Test func aPartIsAsLongAsItsFormAllows() throws {
        let message = Array(repeating: "the river has risen", count: 60).joined(separator: " ")
        let parts = try parts(message)
        // 144 characters each would make nine.
        #expect(parts.count < 6)
        for (part, next) in zip(parts, parts.dropFirst()) {
            let word = withoutNumber(next).prefix { $0 != " " }
            #expect(throws: FrameFault.self) { try laidOut(part + " " + word) }
        }
    }

    @Test func dropsBlanksAtACutAndKeepsOthers() throws {
        let message = "  " + words(0..<28) + "  \n " + words(28..<31) + "  "
        let expected = [
            "1/2   " + words(0..<27), "2/2 " + words(27..<28) + "  \n " + words(28..<31) + "  ",
        ]
        #expect(try parts(message) == expected)
    }

    @Test func cutsAWordThatIsLongerThanAPart() throws {
        let lengths = try parts("a " + longWord(300)).map(\.count)
        #expect(lengths == [5, 144, 144, 4 + 20])
        #expect(try parts(longWord(300)).map(\.count) == [144, 144, 4 + 20])
    }

    @Test func numbersOfTwoDigitsTakeTheirRoom() throws {
        let parts = try parts(words(0..<400))
        #expect(parts.count == 15)
        #expect(parts.first?.hasPrefix("1/15 " + words(0..<1)) == true)
        #expect(parts.last?.hasPrefix("15/15 ") == true)
        #expect(parts.allSatisfy { $0.count <= 144 })
    }

    @Test func refusesMoreThanNinetyNineParts() throws {
        #expect(try parts(words(0..<(27 * 99))).count <= 99)
        #expect(throws: FrameFault.tooManyParts) { try parts(words(0..<(30 * 99))) }
    }

    @Test func blanksAloneHaveNoParts() throws {
        #expect(try parts(String(repeating: " ", count: 300)).isEmpty)
    }

    @Test func cutsNoCharacterThatReadersSeeAsOne() throws {
        let family = "👨‍👩‍👧"
        for part in try parts(String(repeating: family, count: 20)) {
            #expect(withoutNumber(part).allSatisfy { $0 == Character(family) })
        }
    }

    @Test func everyPartIsAFrame() throws {
        var generator = Generator(seed: 6)
        let gsm = Array((Alphabet.text + "€[]{}\\|~^\n\n      ¤").unicodeScalars)
        for round in 0..<30 {
            let characters = round % 2 == 1 ? gsm + Generator.mixed : gsm
            let message = generator.text(generator.number(below: 800), from: characters)
            var glued = ""
            let parts = try parts(message)
            for (index, part) in parts.enumerated() {
                _ = try laidOut(part)
                let number = PartNumber(of: Array(part.utf8).span)
                #expect(parts.count == 1 || number?.number == index + 1)
                #expect(parts.count == 1 || number?.count == parts.count)
                glued += parts.count == 1 ? part : withoutNumber(part)
            }
            #expect(withoutBlanks(glued) == withoutBlanks(message))
        }
    }

    @Test(arguments: [
        ("1/2 a", 1, 2, 4), ("99/99 ", 99, 99, 6), ("2/10 x", 2, 10, 5),
    ])
    func numbersAreRead(_ text: String, _ number: Int, _ count: Int, _ length: Int) throws {
        let bytes = Array(text.utf8)
        let found = PartNumber(of: bytes.span)
        #expect(found.map { [$0.number, $0.count, $0.length] } == [number, count, length])
    }

    @Test(arguments: [
        "", "1/2", "1/1 a", "0/2 a", "3/2 a", "01/2 a", "1/02 a", "1/100 a", "a 1/2 ",
    ])
    func otherBeginningsAreNoNumbers(_ text: String) {
        let bytes = Array(text.utf8)
        let isNumber = PartNumber(of: bytes.span) != nil
        #expect(!isNumber)
    }

    /// Words are told from parts of words, so that joining gives the message back.
    @Test func blanksThatWereDroppedAreKnown() throws {
        for message in [words(0..<100), longWord(600), "x " + longWord(300) + " y"] {
            let parts = try parts(message)
            var joined = ""
            for (part, next) in zip(parts, parts.dropFirst() + [""]) {
                let rest = Array(withoutNumber(next).utf8)
                let isCut = Splitting.isCutBetweenWords(
                    Array(part.utf8).span, rest.span, newline: .lineFeed)
                joined += withoutNumber(part) + (isCut && !next.isEmpty ? " " : "")
            }
            #expect(joined == message)
        }
    }

    private func withoutNumber(_ part: String) -> String {
        String(part.unicodeScalars.drop { $0 != " " }.dropFirst())
    }

    private func withoutBlanks(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != " " && $0 != "\n" }))
    }
}
