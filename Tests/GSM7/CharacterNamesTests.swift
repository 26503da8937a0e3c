import GSM7
import Support
import Testing

@Suite(.measured) struct CharacterNamesTests {
    @Test(
        arguments: [
            ("\u{201C}", "U+201C left double quotation mark"),
            ("\u{9}", "U+0009 character tabulation"),
            ("\u{0}", "U+0000 null"),
            ("\u{1F}", "U+001F information separator one"),
            ("\u{7F}", "U+007F delete"),
            ("\u{85}", "U+0085 next line"),
            ("\u{9F}", "U+009F application program command"),
            ("\u{80}", "U+0080"),
            ("😀", "U+1F600 grinning face"),
            ("中", "U+4E2D cjk unified ideograph-4e2d"),
            ("\u{E000}", "U+E000"),
        ] as [(Unicode.Scalar, String)])
    func charactersInWords(_ scalar: Unicode.Scalar, _ words: String) {
        #expect(scalar.codePointAndName == words)
    }

    @Test func unsupportedCharactersAreNamedWithTheReason() {
        #expect(
            TextFault.notGSM("“", column: 14).reason
                == "column 14: U+201C left double quotation mark is not a GSM character")
        #expect(TextFault.malformed(0xE9, column: 3).reason == "column 3: byte 0xE9 is not UTF-8")
    }
}
