import GSM7
import Support
import Testing

@Suite(.measured) struct MeasureTests {
    private func measure(
        _ text: String, newline: Newline = .lineFeed, basicOnly: Bool = false
    ) throws(TextFault) -> SMSLength {
        try SMSLength(Array(text.utf8).span, newline: newline, basicOnly: basicOnly)
    }

    private func repeated(_ text: String, _ count: Int) -> String {
        String(repeating: text, count: count)
    }

    @Test func septetsAndCharactersAreCounted() throws {
        let measure = try measure("Total: €5 [ok]\n")
        #expect(measure.septets == 18)
        #expect(measure.characters == 15)
        #expect(measure.messages == 1)
    }

    @Test(arguments: [(0, 1), (160, 1), (161, 2), (306, 2), (307, 3), (459, 3), (460, 4)])
    func messagePartsAreCounted(_ characters: Int, _ messages: Int) throws {
        #expect(try measure(repeated("a", characters)).messages == messages)
        #expect(try measure(repeated("é", characters)).messages == messages)
    }

    @Test func noPairIsSplitBetweenParts() throws {
        #expect(try measure(repeated("€", 80)).messages == 1)
        // A part of 153 septets has room for 76 pairs.
        #expect(try measure(repeated("€", 152)).messages == 2)
        #expect(try measure(repeated("€", 153)).septets == 306)
        #expect(try measure(repeated("€", 153)).messages == 3)
        #expect(try measure(repeated("a", 152) + "€" + repeated("a", 152)).messages == 3)
        #expect(try measure(repeated("a", 151) + "€" + repeated("a", 153)).messages == 2)
    }

    @Test func newlinesAreOneSeptet() throws {
        #expect(try measure("a\nb").septets == 3)
        #expect(try measure("a␊b", newline: .picture).septets == 3)
        #expect(throws: TextFault.notGSM("␊", column: 2)) { try measure("a␊b") }
        #expect(throws: TextFault.control("\n", column: 2)) {
            try measure("a\nb", newline: .picture)
        }
    }

    @Test func unsupportedCharactersAreNamed() {
        #expect(throws: TextFault.notGSM("“", column: 2)) { try measure("a“") }
        #expect(throws: TextFault.notBasic("€", column: 2)) { try measure("a€", basicOnly: true) }
        #expect(throws: TextFault.control("\u{C}", column: 41)) {
            try measure(repeated("é", 40) + "\u{C}")
        }
        #expect(throws: TextFault.control("\u{7F}", column: 71)) {
            try measure(repeated("a", 70) + "\u{7F}")
        }
        #expect(throws: TextFault.malformed(0xC3, column: 2)) {
            try SMSLength(([0x61, 0xC3] as [UInt8]).span, newline: .lineFeed)
        }
    }

    /// The decoder of whole blocks and the decoder of single characters give the same result at every
    /// position.
    @Test func everyCharacterGivesTheSameResultAnywhere() {
        for value in UInt32(0)...0x3FF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let code = CharacterCode(scalar, newline: .lineFeed)
            for place in [0, 1, 31, 32, 63, 70] {
                let text = repeated("a", place) + String(scalar) + repeated("b", 75 - place)
                let septets = try? measure(text).septets
                #expect(septets == (code == .none ? nil : code.isExtended ? 77 : 76))
            }
        }
    }
}
