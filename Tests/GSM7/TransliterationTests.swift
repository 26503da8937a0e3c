import Foundation
import GSM7
import Support
import Testing

@Suite(.measured) struct TransliterationTests {
    private func rendered(
        _ text: String, basicOnly: Bool = false, newline: Newline = .lineFeed
    ) throws(TextFault) -> String {
        try NormalText.normalise(Array(text.utf8).span) { (text) throws(TextFault) in
            var bytes: [UInt8] = []
            try bytes.append(atMost: Transliteration.growth * text.count) {
                (space) throws(TextFault) in
                try Transliteration.render(
                    text, newline: newline, basicOnly: basicOnly, to: &space)
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    @Test(arguments: [
        ("“quoted” ‘so’ „hier“ «là»", "\"quoted\" 'so' \"hier\" \"là\""),
        ("a–b—c−d‐e", "a-b-c-d-e"), ("a⁄b﹨c", "a/b\\c"),
        ("wait… what‽", "wait... what?!"),
        ("no\u{A0}break\u{202F}thin\u{2009}space\u{3000}.", "no break thin space ."),
        ("môre šilo garçon naïve", "more silo garcon naive"),
        ("Ǖ ǟ ṻ ȫ ǻ Ḉ ǽ ǿ", "Ü ä ü ö å Ç æ ø"),
        ("ﬁne oﬃce œuvre Œ Ĳ ŉ", "fine office oeuvre OE IJ 'n"),
        ("ＦＵＬＬ ｗｉｄｔｈ １２３！［］", "FULL width 123![]"),
        ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ ΓΔΘΛΞΠΣΦΨΩ", "ABEZHIKMNOPTYX ΓΔΘΛΞΠΣΦΨΩ"),
        ("Ά Ώ Ϊ", "A Ω I"),
        ("1½ of ½ and 3¾", "1 1/2 of 1/2 and 3 3/4"),
        ("™ © ® № 20°C 5×3 ±1", "TM (C) (R) No 20degC 5x3 +/-1"),
        ("`tick´", "'tick'"),
        ("so\u{AD}ft\u{200B} zero\u{200D}\u{FEFF}", "soft zero"),
        ("€[]{}\\|~^", "€[]{}\\|~^"),
        ("two\r\nlines", "two\nlines"),
    ])
    func renders(_ text: String, _ expected: String) throws {
        #expect(try rendered(text) == expected)
    }

    @Test func marksAreRemovedAfterALetterOrDigit() throws {
        #expect(try rendered("x\u{302}y\u{323}1\u{301}") == "xy1")
        #expect(try rendered("e\u{316}\u{301}") == "é")
        #expect(try rendered("u\u{306}\u{308}") == "ü")
        #expect(try rendered("c\u{327}\u{301}c\u{327}") == "cc")
        #expect(try rendered("1\u{FE0F}\u{20E3}") == "1")
        #expect(throws: TextFault.notGSM("\u{301}", column: 1)) { try rendered("\u{301}") }
        #expect(throws: TextFault.notGSM("\u{301}", column: 2)) { try rendered("¿\u{301}") }
    }

    @Test func charactersWithoutATransliterationAreKept() {
        for (text, scalar) in [("aж", "ж"), ("a中", "中"), ("a😀", "😀"), ("aα", "α"), ("a∞", "∞")]
            as [(String, Unicode.Scalar)]
        {
            #expect(throws: TextFault.notGSM(scalar, column: 2)) { try rendered(text) }
        }
        #expect(throws: TextFault.control("\u{C}", column: 2)) { try rendered("a\u{C}") }
        #expect(throws: TextFault.control("\t", column: 4)) { try rendered("e\u{302}b\t") }
    }

    @Test func transliterationsUseOnlyTheBasicAlphabetOnRequest() throws {
        #expect(try rendered("[a] {b} ~5 € ［", basicOnly: true) == "(a) (b) -5 EUR (")
        #expect(throws: TextFault.notBasic("^", column: 1)) { try rendered("^", basicOnly: true) }
        #expect(throws: TextFault.notGSM("ˆ", column: 1)) { try rendered("ˆ", basicOnly: true) }
    }

    @Test func theNewlineSymbolIsUsedOnlyIfAllowed() throws {
        #expect(try rendered("a␊ê", newline: .picture) == "a␊e")
        #expect(throws: TextFault.notGSM("␊", column: 2)) { try rendered("a␊ê") }
    }

    @Test func everyTransliterationIsGSMAndNotLongerThanStated() {
        var count = 0
        for value in UInt32(0)...0xFFFF {
            guard let scalar = Unicode.Scalar(value),
                let text = Transliteration.rendering(of: scalar)
            else { continue }
            count += 1
            #expect(
                text.unicodeScalars.allSatisfy { CharacterCode($0, newline: .lineFeed) != .none },
                "\(scalar.codePointAndName)")
            #expect(text.utf8.count <= Transliteration.growth * UTF8.width(scalar))
            #expect(
                CharacterCode(scalar, newline: .lineFeed) == .none,
                "\(scalar.codePointAndName) needs none")
            if let basic = Transliteration.rendering(of: scalar, basicOnly: true) {
                #expect(basic.unicodeScalars.allSatisfy { Alphabet.symbol(of: $0) != nil })
                #expect(basic.utf8.count <= Transliteration.growth * UTF8.width(scalar))
            }
        }
        #expect(count > 900)
    }

    @Test func everyLatinLetterHasATransliteration() throws {
        for range in [0xC0...0x24F, 0x1E00...0x1EFF, 0xFB00...0xFB06, 0xFF21...0xFF5A]
            as [ClosedRange<UInt32>]
        {
            for scalar in range.compactMap(Unicode.Scalar.init) {
                #expect(throws: Never.self, "\(scalar.codePointAndName)") {
                    try rendered(String(scalar))
                }
                // Composed and decomposed text must give the same column.
                let decomposed = String(scalar).decomposedStringWithCanonicalMapping
                #expect(try rendered(decomposed) == rendered(String(scalar)))
            }
        }
    }

    @Test func everySpaceCharacterBecomesASpace() throws {
        for value in UInt32(0)...0xFFFF {
            guard let scalar = Unicode.Scalar(value),
                scalar.properties.generalCategory == .spaceSeparator
            else { continue }
            #expect(try rendered("a\(scalar)b") == "a b")
        }
    }

    @Test func transliteratedTextIsGSM() throws {
        var generator = Generator(seed: 7)
        for round in 0..<20_000 {
            let text = generator.text(generator.number(below: 20))
            let basicOnly = round % 2 == 0
            guard let result = try? rendered(text, basicOnly: basicOnly, newline: .picture) else {
                continue
            }
            let measure = try SMSLength(
                Array(result.utf8).span, newline: .picture, basicOnly: basicOnly)
            #expect(measure.characters == result.unicodeScalars.count)
        }
    }

    @Test func faultsGiveTheColumnOfTheUnchangedInput() {
        #expect(throws: TextFault.notGSM("ж", column: 5)) { try rendered("e\u{301}“œж") }
        #expect(throws: TextFault.notGSM("ж", column: 4)) { try rendered("\r\n“ж") }
        #expect(throws: TextFault.notGSM("\u{439}", column: 2)) { try rendered("ê\u{438}\u{306}") }
    }
}
