import Foundation
import GSM7
import Support
import Testing

@Suite(.measured) struct AlphabetTests {
    private let scalars = Array(Alphabet.text.unicodeScalars)

    @Test func everySymbolIsThePositionOfItsCharacter() {
        #expect(scalars.count == Alphabet.symbolCount)
        for (rank, scalar) in scalars.enumerated() {
            #expect(Alphabet.symbol(of: scalar) == UInt8(rank))
            #expect(Alphabet.scalar(of: UInt8(rank)) == scalar)
        }
        #expect(Alphabet.symbol(of: " ") == Alphabet.space)
    }

    @Test func otherCharactersHaveNoSymbol() {
        let basic = Set(scalars)
        let extended = Set(ExtensionTable.rows.map { $0.character })
        for value in UInt32(0)...0x2_FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            #expect((Alphabet.symbol(of: scalar) != nil) == basic.contains(scalar))
            let code = CharacterCode(scalar, newline: .lineFeed)
            #expect(code.isExtended == extended.contains(scalar))
            #expect((code == .newline) == (scalar == "\n"))
        }
    }

    @Test func byteAndCharacterCodesAgree() {
        for value in UInt32(0)...0x3FFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            for newline in [Newline.lineFeed, .picture] {
                let bytes = Array(String(scalar).utf8)
                let codes = try? [UInt8](atMost: 3) { (codes: inout OutputSpan<UInt8>) in
                    _ = try CharacterCode.decode(bytes.span, newline: newline, into: &codes)
                }
                let code = CharacterCode(scalar, newline: newline)
                #expect(codes == (code == .none ? nil : [code.rawValue]))
            }
        }
    }

    @Test func encodingAndDecodingRoundTrip() throws {
        let symbols = (0..<UInt8(Alphabet.symbolCount)).map { $0 }
        #expect(written(symbols) == Alphabet.text)
        #expect(try read(Alphabet.text) == symbols)
    }

    @Test func textThatIsNotInNFCIsAccepted() throws {
        let text = "cafe\u{301} \u{212B}\u{2126}\u{37E} A\u{30A}"
        #expect(written(try read(text)) == "café ÅΩ; Å")
    }

    @Test func smallCedillaIsAcceptedInCiphertextsOnly() throws {
        #expect(throws: TextFault.notGSM("ç", column: 3)) { try read("abç") }
        #expect(written(try read("abç", from: .ciphertext)) == "abÇ")
        #expect(written(try read("ce\u{301}c\u{327}", from: .ciphertext)) == "céÇ")
        #expect(throws: TextFault.notBasic("[", column: 2)) { try read("ç[", from: .ciphertext) }
    }

    @Test(arguments: [
        ("a b", "a\u{A0}b"), ("a b", "a\u{202F}b"), ("it's", "it\u{2019}s"), ("'a", "\u{2018}a"),
        ("\"a\"", "\u{201C}a\u{201D}"), ("\"a\"", "\u{201E}a\u{201F}"),
        ("'a'", "\u{201A}a\u{201B}"),
        ("-a-b-c-d", "\u{2010}a\u{2011}b\u{2013}c\u{2212}d"),
        ("a b c d", "a\u{2003}b\u{2007}c\u{3000}d"),
        ("ΔΣΠ", "\u{2206}\u{2211}\u{220F}"),
        ("¥¤", "\u{FFE5}\u{20AC}"), ("ab", "a\u{AD}b"), ("ab", "\u{FEFF}ab"),
        ("ab", "a\u{200B}\u{200F}b"), ("ab", "\u{202A}ab\u{202E}"), ("ab", "\u{2060}ab\u{2064}"),
        ("ab", "\u{2066}\u{A0}ab \u{2069} "), ("aéb", "ae\u{200D}\u{301}b"),
    ])
    func onlyCiphertextsAreRepaired(_ sent: String, _ came: String) throws {
        #expect(written(try read(came, from: .ciphertext)) == sent)
        #expect(throws: TextFault.self) { try read(came) }
    }

    @Test func errorsNameTheColumnBeforeRepairs() {
        for (text, column) in [
            ("\u{200B}aж", 3), ("\u{200B}\u{A0} aж", 5), ("a\u{200B}ж\u{200B}", 3),
            ("\u{2019}e\u{301}ж", 4),
        ] {
            #expect(throws: TextFault.notGSM("ж", column: column)) {
                try read(text, from: .ciphertext)
            }
        }
        #expect(throws: TextFault.malformed(0xFF, column: 3)) {
            try read(Array("\u{FEFF}a".utf8) + [0xFF], from: .ciphertext)
        }
        let long = "\u{200B}" + String(repeating: "é", count: 171)
        #expect(throws: TextFault.tooMany(characters: 171)) {
            try read(long, room: 160, from: .ciphertext)
        }
    }

    @Test func charactersBeyondTheLimitAreCounted() {
        let long = String(repeating: "é", count: 171)
        #expect(throws: TextFault.tooMany(characters: 171)) { try read(long, room: 160) }
        let decomposed = String(repeating: "e\u{301}", count: 171)
        #expect(throws: TextFault.tooMany(characters: 171)) { try read(decomposed, room: 160) }
        #expect(throws: TextFault.notGSM("ж", column: 172)) { try read(long + "ж", room: 160) }
    }

    @Test func nothingIsAppendedOnFailure() {
        var symbols: [UInt8] = []
        for text in ["abcж", "e\u{301}bcж", "abcdefghijkl"] {
            symbols.append(atMost: 10) { output in
                output.append(1)
                let bytes = Array(text.utf8)
                _ = try? Alphabet.decode(bytes.span, into: &output)
                #expect(output.count == 1)
            }
        }
    }

    @Test func randomBytesAreAcceptedOrRefused() {
        var generator = Generator(seed: 1)
        for _ in 0..<20_000 {
            let bytes = generator.bytes(generator.number(below: 40))
            let text = String(validating: bytes, as: UTF8.self)
            do {
                let symbols = try read(bytes)
                #expect(
                    Array(written(symbols).utf8)
                        == Array((text ?? "?").precomposedStringWithCanonicalMapping.utf8))
            } catch .malformed {
                #expect(text == nil)
            } catch {}
        }
    }

    @Test func randomTextDecodesLikeItsNFC() {
        var generator = Generator(seed: 2)
        let basic = Generator.mixed + scalars
        for _ in 0..<20_000 {
            let text = generator.text(generator.number(below: 12), from: basic)
            let normal = text.precomposedStringWithCanonicalMapping
            let isBasic = normal.unicodeScalars.allSatisfy { Alphabet.symbol(of: $0) != nil }
            let symbols = try? read(text)
            #expect(
                symbols.map(written).map { Array($0.utf8) } == (isBasic ? Array(normal.utf8) : nil))
        }
    }

    private func read(
        _ text: String, room: Int = 1000, from source: Alphabet.Source = .frame
    ) throws(TextFault) -> [UInt8] {
        try read(Array(text.utf8), room: room, from: source)
    }

    private func read(
        _ bytes: [UInt8], room: Int = 1000, from source: Alphabet.Source = .frame
    ) throws(TextFault) -> [UInt8] {
        var symbols: [UInt8] = []
        try symbols.append(atMost: room) { (output) throws(TextFault) in
            try Alphabet.decode(bytes.span, into: &output, from: source)
        }
        return symbols
    }

    private func written(_ symbols: [UInt8]) -> String {
        var bytes: [UInt8] = []
        bytes.append(atMost: symbols.count * Alphabet.longestUTF8) { output in
            Alphabet.write(symbols.span, to: &output)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
