@testable import TextCompression
import Crypto
import Support
import Testing

@Suite(.measured) struct LanguageTests {
    @Test func languageNumbersAreTheirIndices() {
        #expect(Language.all.map(\.number) == Array(0..<Language.all.count))
        #expect(Set(Language.all.map(\.name)).count == Language.all.count)
        #expect(31...32 ~= Language.all.count)
    }

    /// The tables contain invisible characters and text that is not in NFC. If an editor changes any of
    /// them, the protocol changes. Languages that are added later are not part of this hash.
    @Test func languageTablesAreUnchanged() {
        let tables = Language.all.prefix(31).map { language in
            let home = [language.home.lowerBound, language.home.upperBound]
                .map { String($0, radix: 16) }.joined(separator: "-")
            return "=\(language.name) \(home)\n\(language.model.table)\n"
        }
        let digest = Digest.sha256(Array(tables.joined().utf8))
        #expect(
            digest.map { String(0x100 + Int($0), radix: 16).dropFirst() }.joined()
                == "0c285ec4ab994df4ccfa8a5b774800fe14e2a490eee50983f4fa54917283032d")
    }

    @Test func casePairsConvertBothWays() {
        let pairs = CasePairs.shared
        for (capital, small) in zip(
            "AZÀÞĀŽƁƯΆΣЀЯҐẀỸ".unicodeScalars, "azàþāžɓưάσѐяґẁỹ".unicodeScalars)
        {
            #expect(pairs.otherCase(of: Token(rawValue: capital.value)).rawValue == small.value)
            #expect(pairs.otherCase(of: Token(rawValue: small.value)).rawValue == capital.value)
        }
        for other in "1 ×÷ßİıſς中ǅ😀\u{10FFFF}".unicodeScalars {
            #expect(pairs.otherCase(of: Token(rawValue: other.value)).rawValue == other.value)
        }
    }

    @Test func thereAre64FrequentCharacters() {
        #expect(LiteralCoding.frequentCharacters.count == 64)
        for (index, token) in LiteralCoding.frequentCharacters.enumerated() {
            #expect(LiteralCoding.position(of: token, home: 0...0)?.index == UInt64(index))
        }
    }

    /// Converts characters to a class and an index, and converts these back.
    @Test func literalCodingRoundTrips() throws {
        for language in Language.all {
            for value in stride(from: UInt32(0x20), through: 0x10_FFFF, by: 97) {
                let token = Token(rawValue: value)
                let (characterClass, index) = try #require(
                    LiteralCoding.position(of: token, home: language.home))
                #expect(characterClass.character(index) == token)
                #expect(
                    LiteralCoding.characterClass(
                        at: characterClass.start + characterClass.weight - 1, home: language.home)?
                        .start
                        == characterClass.start)
            }
        }
        #expect(LiteralCoding.characterClass(at: LiteralCoding.modelSwitch, home: 0...0) == nil)
        #expect(LiteralCoding.position(of: .end, home: 0...0) == nil)
    }

    @Test func candidateLanguagesFollowFromTheScript() {
        func names(_ text: String) -> [String] {
            let characters = text.unicodeScalars.map(\.value)
            return Language.candidates(for: characters.span).map(\.name)
        }
        #expect(names("Привет") == ["ru", "uk"])
        #expect(names("नमस्ते १२") == ["hi"])
        #expect(names("नमस्ते\n") == ["hi"])
        #expect(names("नमस्ते 12") == ["hi", "data"])
        #expect(names("سلام") == ["ar", "fa", "ur"])
        #expect(names("今日は") == ["ja", "zh", "zh-Hant"])
        #expect(names("かな") == ["ja"])
        #expect(names("Ok, до") == [String](Language.all[0...14].map(\.name)))
        #expect(names("đẹp") == [String](Language.all[0...12].map(\.name)))
        #expect(names("a\nb") == [String](Language.all[0...12].map(\.name)) + ["data"])
        #expect(names("Gate 6") == [String](Language.all[0...12].map(\.name)) + ["data"])
        #expect(names("12:30 😀").count == Language.all.count)
        #expect(names("").count == Language.all.count)
    }

    @Test func codingCostsAreLogarithms() {
        #expect(CodingCost.log2(1) == 0)
        #expect(CodingCost.log2(1024) == 10 * CodingCost.oneBit)
        #expect(CodingCost.log2(3) == 1623)
        #expect(CodingCost.log2(125) == 7132)
        #expect(CodingCost.log2(.max) == 32 * CodingCost.oneBit - 1)
    }
}
