import Foundation
import GSM7
import Support
import Testing

@Suite(.measured) struct NormalTextTests {
    private func normal(_ text: String) throws(TextFault) -> String {
        String(decoding: try NormalText.utf8(of: Array(text.utf8).span), as: UTF8.self)
    }

    /// The quick check is correct if each character that passes it is in NFC by itself, is never
    /// reordered, and never composes with a previous character.
    @Test func charactersThatPassTheQuickCheckAreNotChanged() {
        for value in UInt32(0)...0x2_FFFF {
            guard let scalar = Unicode.Scalar(value), NormalSegment.isInert(scalar) else {
                continue
            }
            let text = String(scalar)
            #expect(scalar.properties.canonicalCombiningClass == .notReordered)
            #expect(Array(text.precomposedStringWithCanonicalMapping.unicodeScalars) == [scalar])
        }
        for value in UInt32(0)...0x2_FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let parts = String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars
            for second in parts.dropFirst() { #expect(!NormalSegment.isInert(second)) }
        }
    }

    /// Segments are independent if no segment begins with a character that NFC combines with the text
    /// before it, or with a character that decomposes into such a character.
    @Test func segmentsAreIndependent() {
        for value in UInt32(0)...0x10_FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = String(scalar)
            let parts = Array(text.decomposedStringWithCanonicalMapping.unicodeScalars)
            var isRight = parts.dropFirst().allSatisfy { NormalSegment.isJoined($0, to: "a") }
            if !NormalSegment.isJoined(scalar, to: "a") {
                isRight = isRight && !NormalSegment.isJoined(parts[0], to: "a")
            }
            if !isRight { Issue.record("U+\(String(value, radix: 16))") }
        }
    }

    @Test func normalisationMatchesFoundation() throws {
        var generator = Generator(seed: 9)
        for _ in 0..<20_000 {
            let text = generator.text(40)
            let expected = text.precomposedStringWithCanonicalMapping
                .replacing("\r\n", with: "\n")
            #expect(Array(try normal(text).utf8) == Array(expected.utf8))
        }
    }

    /// Tests all code points that Foundation decomposes, both composed and decomposed, followed by marks
    /// in any order.
    @Test func allDecompositionsAreNormalised() throws {
        var generator = Generator(seed: 10)
        let marks = Array("\u{301}\u{323}\u{308}\u{338}\u{345}\u{93C}\u{327}".unicodeScalars)
        var count = 0
        for value in UInt32(0)...0x2_FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let whole = String(scalar)
            let parts = whole.decomposedStringWithCanonicalMapping
            guard Array(parts.unicodeScalars) != [scalar] else { continue }
            count += 1
            for text in [whole, parts] {
                let marked = text + generator.text(3, from: marks)
                let expected = marked.precomposedStringWithCanonicalMapping
                let isRight = Array(try normal(marked).utf8) == Array(expected.utf8)
                if !isRight { Issue.record("U+\(String(value, radix: 16))") }
            }
        }
        // Unicode 15 has 2,060 decompositions and 11,172 Hangul syllables.
        #expect(count >= 2_060 + 11_172)
    }

    /// A text and its normal form are canonically equivalent, even if our tables are newer than the tables
    /// of Foundation.
    @Test func normalisationKeepsCanonicalEquivalence() throws {
        for value in UInt32(0)...0x2_FFFF where value != 0x0D {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = String(scalar) + "\u{323}"
            if try normal(text) != text { Issue.record("U+\(String(value, radix: 16))") }
        }
    }

    @Test func decomposedTextIsComposed() throws {
        #expect(Array(try normal("e\u{301}\u{AC00}\u{11A8}").utf8) == Array("é\u{AC01}".utf8))
        #expect(Array(try normal("a\r\nb\rc").utf8) == Array("a\nb\rc".utf8))
    }

    /// Each of these starters decomposes into marks, which are sorted before a mark of a higher class.
    @Test(arguments: [
        ("\u{F73}", "\u{F71}\u{F72}"), ("\u{F75}", "\u{F71}\u{F74}"),
        ("\u{F81}", "\u{F71}\u{F80}"),
    ])
    func startersThatDecomposeIntoMarksAreSorted(sign: String, parts: String) throws {
        let expected = Array(("x" + parts + "\u{7ED}").utf8)
        #expect(Array(try normal("x\u{7ED}" + sign).utf8) == expected)
    }

    /// Columns refer to the input. A column is that of the same character, of the character that was
    /// decomposed, or of the first of the characters that were composed.
    @Test(arguments: [
        ("e\u{301}\u{1F600}", 3), ("\r\ne\u{304}", 3), ("ab\u{344}", 3),
        ("e\u{323}\u{301}", 1), ("e\u{301}ab\u{3C}\u{338}", 5),
    ])
    func columnsReferToTheInput(text: String, column: Int) throws {
        let fault = #expect(throws: TextFault.self) {
            try [UInt8](atMost: 160) { (codes: inout OutputSpan<UInt8>) in
                try NormalText.normalise(Array(text.utf8).span) { (text) throws(TextFault) in
                    _ = try CharacterCode.decode(text, newline: .lineFeed, into: &codes)
                }
            }
        }
        #expect(fault?.column == column)
    }

    @Test func invalidUTF8IsRefused() {
        for (bytes, column) in [
            ([0x61, 0xFF], 2), ([0xC0, 0x80], 1), ([0xE0, 0x80, 0x80], 1), ([0xED, 0xA0, 0x80], 1),
            ([0xF4, 0x90, 0x80, 0x80], 1), ([0xC3, 0xA9, 0xC3], 2), ([0xF0, 0x9F, 0x98], 1),
        ] as [([UInt8], Int)] {
            #expect(
                throws: TextFault.malformed(
                    bytes[column == 1 ? 0 : bytes.count - 1], column: column)
            ) {
                try NormalText.utf8(of: bytes.span)
            }
        }
    }

    @Test func longSequencesOfMarksAreRefused() throws {
        let marks = String(repeating: "\u{301}\u{316}", count: 40_000)
        #expect(throws: TextFault.marks(column: 514)) { try normal("a" + marks) }
        #expect(
            try normal("a" + marks.unicodeScalars.prefix(512).map(String.init).joined()).isEmpty
                == false)
    }

    @Test func decodingOfUTF8MatchesTheStandardLibrary() {
        var generator = Generator(seed: 8)
        for _ in 0..<50_000 {
            var bytes = Array(generator.text(5).utf8)
            let damages = generator.number(below: 3)
            for _ in 0..<damages where !bytes.isEmpty {
                bytes[generator.number(below: bytes.count)] = generator.bytes(1)[0]
            }
            let isValid = String(validating: bytes, as: UTF8.self) != nil
            #expect(((try? NormalText.utf8(of: bytes.span)) != nil) == isValid)
        }
    }
}
