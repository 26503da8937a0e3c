import Support
import Testing

@testable import GSM7

/// Checks that `MixedRun` either gives the same result as `CharacterCode.decode`, or refuses the text.
@Suite(.measured) struct MixedRunTests {
    private static let basic = Array(Alphabet.text.unicodeScalars)

    /// Returns the results of both decoders with room for `room` bytes, or nil if a decoder refuses. The
    /// output already contains one byte.
    private func check(_ utf8: [UInt8], room: Int = 160) -> (mixed: [UInt8]?, present: [UInt8]?) {
        var (isMixed, isPresent) = (false, false)
        let mixed = [UInt8](atMost: room + 1) { (symbols: inout OutputSpan<UInt8>) in
            symbols.append(77)
            isMixed = MixedRun.decode(utf8.span, into: &symbols)
        }
        let present = [UInt8](atMost: room + 1) { (symbols: inout OutputSpan<UInt8>) in
            symbols.append(77)
            let decoded = try? CharacterCode.decode(
                utf8.span, newline: .picture, from: .frame, into: &symbols)
            isPresent = decoded != nil
        }
        // A decoder that refuses appends nothing.
        #expect(isMixed || mixed == [77])
        #expect(isPresent || present == [77])
        return (isMixed ? mixed : nil, isPresent ? present : nil)
    }

    @Test func bothDecodersAgreeOnTextOfAnyLength() {
        var generator = Generator(seed: 1)
        for length in Array(0...40) + Array(150...170) {
            for _ in 0..<100 {
                let text = Array(generator.text(length, from: Self.basic).utf8)
                let (mixed, present) = check(text)
                #expect(mixed == present)
                #expect((mixed != nil) == (length <= 160))
            }
        }
    }

    @Test func bothDecodersAgreeOnRandomBytesUnlessOneRefuses() {
        var generator = Generator(seed: 2)
        // Bytes that begin and end basic characters are frequent, so that some texts are accepted.
        let likely: [UInt8] = [0xC2, 0xC3, 0xCE, 0xA3, 0xA7, 0x94, 0x41, 0x20, 0x7A, 0x80, 0xBF]
        var read = 0
        for round in 0..<100_000 {
            var bytes = generator.bytes(generator.number(below: 12))
            for index in bytes.indices where !round.isMultiple(of: 10) {
                bytes[index] = generator.pick(likely)
            }
            let (mixed, present) = check(bytes, room: 8)
            #expect(mixed == present)
            if mixed != nil { read += 1 }
        }
        #expect(read > 5_000)
    }

    /// Tests all pairs of bytes, alone and after a lead byte.
    @Test func bothDecodersAgreeOnAllPairsOfBytes() {
        for before in [[], [0xC3]] as [[UInt8]] {
            for pair in 0...0xFFFF {
                let bytes = before + [UInt8(pair >> 8), UInt8(pair & 0xFF)]
                let (mixed, present) = check(bytes, room: 3)
                #expect(mixed == present)
            }
        }
    }

    @Test(arguments: [
        [0xC3], [0x41, 0xC2], [0xC3, 0xC3, 0xA9], [0xC3, 0x41], [0xA9], [0xC3, 0xA9, 0xA9],
        [0xE2, 0x82, 0xAC],
    ])
    func otherCharactersAreRefused(_ bytes: [UInt8]) {
        #expect(check(bytes).mixed == nil)
    }

    @Test func bothDecodersAgreeOnCiphertextWithSmallCedilla() throws {
        var generator = Generator(seed: 3)
        for place in [0, 1, 80, 158, 159] {
            var scalars = (0..<160).map { _ in generator.pick(Self.basic) }
            scalars[place] = "ç"
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars)
            let bytes = Array(String(text).utf8)
            #expect(check(bytes).mixed == nil)
            let symbols = try [UInt8](atMost: 160) { (symbols) throws(TextFault) in
                try Alphabet.decode(bytes.span, into: &symbols, from: .ciphertext)
            }
            #expect(symbols.count == 160 && symbols[place] == 9)
        }
    }
}
