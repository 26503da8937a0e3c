import GSM7
import Support
import Testing

@Suite(.measured) struct WhiteSpaceTests {
    @Test func whiteSpaceMatchesUnicode() {
        for value in UInt32(0)...0x10_FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            if scalar.isWhiteSpace != scalar.properties.isWhitespace {
                Issue.record("U+\(String(value, radix: 16))")
            }
        }
    }

    @Test func bothEndsAreTrimmed() {
        let text = Array("\t \u{85}\u{2003}\u{3000}a b\u{A0}c\u{1680}\r\n".utf8)
        let range = WhiteSpace.trimmed(text.span)
        #expect(String(decoding: text[range], as: UTF8.self) == "a b\u{A0}c")
        let blank = Array(" \u{2028}".utf8)
        #expect(WhiteSpace.trimmed(blank.span).isEmpty)
        // An incomplete character at the end is not white space.
        let cut = Array("a ".utf8) + [0xE3, 0x80]
        #expect(WhiteSpace.trimmed(cut.span) == 0..<4)
    }
}
