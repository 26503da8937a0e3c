import FrameLayout
import Foundation
import Frames
import GSM7
import Support
import Testing

@Suite(.measured) struct FrameTests {
    @Test func fieldsCoverTheFrame() {
        #expect(Frame.failsafe.upperBound == Frame.text.lowerBound)
        #expect(Frame.text.upperBound == Frame.nextKey.lowerBound)
        #expect(Frame.nextKey.upperBound == Frame.length)
        #expect(Frame.longestUTF8 == 320)
        #expect(Frame.longestMessage == 12_000)
    }

    @Test func everyFormIsNamedByItsFailsafe() throws {
        #expect(
            Form.allCases.map { $0.failsafe } == ["cos730", "cos731", "cos733", "cos732"])
        #expect(Form.allCases.map { $0.name } == ["plain", "escaped", "compressed", "packed"])
        for form in Form.allCases {
            let symbols = try symbols(ofFrame: form.failsafe)
            #expect(Form(named: symbols.span)?.digit == form.digit)
            for index in symbols.indices {
                var wrong = symbols
                wrong[index] = Alphabet.space
                #expect(Form(named: wrong.span) == nil)
            }
            #expect(Form(named: symbols.span.extracting(..<5)) == nil)
        }
    }

    @Test func newlinesAreConvertedOnlyAsRequested() throws {
        let frame = try encoded("two\nlines")
        #expect(try encoded("two␊lines", newline: .picture) == frame)
        #expect(try decoded(frame, newline: .picture) == "two␊lines")
        #expect(try encoded("два␊", newline: .picture) == encoded("два\n"))
        #expect(try decoded(encoded("два\n"), newline: .picture) == "два␊")
        #expect(try decoded(encoded("a␊")) == "a␊")
        #expect(throws: FrameFault.text(.control("\n", column: 2))) {
            try encoded("a\n", newline: .picture)
        }
    }

    /// The decoder skips many symbols at a time until it finds `¤`. Therefore, a pair and half a pair are
    /// tried at every position.
    @Test func pairsAreDecodedAtEveryPosition() throws {
        for place in 0...142 {
            let (before, behind) = (
                String(repeating: "a", count: place), String(repeating: "b", count: 142 - place)
            )
            let frame = "cos731" + before + "¤n" + behind + String(repeating: " ", count: 10)
            try validate(frame)
            #expect(try decoded(frame) == before + "\n" + behind)
            let wrong = "cos731" + before + "¤x" + behind + String(repeating: " ", count: 10)
            #expect(throws: FrameFault.unknownPair("x", column: place + 7)) { try validate(wrong) }
            let blank = "cos731" + before + "¤" + String(repeating: " ", count: 153 - place)
            #expect(throws: FrameFault.halfPair(column: place + 7)) { try validate(blank) }
            let short = "cos731" + before + String(repeating: " ", count: 154 - place)
            #expect(try decoded(short) == before)
        }
    }

    @Test func faultsGiveTheColumnOfTheInput() {
        #expect(throws: FrameFault.text(.control("\u{7}", column: 5))) {
            try encoded("e\u{301}e\u{301}\u{7}")
        }
        #expect(throws: FrameFault.text(.control("\r", column: 4))) { try encoded("a\r\n\r") }
        #expect(throws: FrameFault.text(.control("\t", column: 2))) { try encoded("ж\t") }
        #expect(throws: FrameFault.text(.control("\u{2028}", column: 2))) {
            try encoded("ж\u{2028}")
        }
        #expect(throws: FrameFault.text(.malformed(0xFF, column: 2))) {
            try symbols(of: [0x61, 0xFF])
        }
    }

    @Test(arguments: [
        ("", "plain", 0), ("Gate 6", "plain", 6), (repeated("ü@¤", 48), "plain", 144),
        ("ends in space ", "escaped", 15), ("a\n", "escaped", 3), ("€", "escaped", 2),
        (repeated("€", 72), "escaped", 144), (repeated("a ", 73), "compressed", nil),
        ("ж", "compressed", nil),
        ("էւհղձճեսմվպպըձկյշձուժիքղիաեընբզղծչպֆսէըֆֆոլէրցխղսծրճցձէըզղղըբ", "packed", 143),
    ])
    func messagesGetTheFirstFormInWhichTheyFit(
        _ message: String, _ name: String, _ length: Int?
    ) throws {
        let (form, taken) = try Frame.measure(Array(message.utf8).span, newline: .lineFeed)
        #expect(form.name == name)
        #expect(taken == length ?? taken)
        #expect(taken <= 144)
        let frame = try encoded(message)
        #expect(frame.hasPrefix(form.failsafe))
        #expect(try decoded(frame) == message)
    }

    private static func repeated(_ text: String, _ count: Int) -> String {
        String(repeating: text, count: count)
    }

    @Test func tooLongMessagesReportTheirShortestLength() throws {
        var generator = Generator(seed: 7)
        let noise = generator.text(150, from: Array("#Δ_ΦΓΛΩΠΨΣΘΞÆß§¿¡èìòØ".unicodeScalars))
        #expect(throws: FrameFault.tooLong(symbols: 150)) { try encoded(noise) }
        #expect(throws: FrameFault.tooLong(symbols: 152)) { try encoded(noise + "€") }
        #expect(throws: FrameFault.tooLong(symbols: 152)) { try encoded(noise + " ") }
    }

    @Test func encodingAFrameIsRefused() throws {
        let frame = try encoded("hi")
        #expect(throws: FrameFault.isFrame) { try encoded(frame) }
        #expect(try decoded(encoded(frame + ".")) == frame + ".")
    }

    @Test func decodingAFrameWithANextKeyIsRefused() throws {
        var frame = try symbols(of: Array("hi".utf8))
        frame[Frame.nextKey.lowerBound] = 5
        #expect(throws: FrameFault.nextKeyNotBlank) { try decoded(frame) }
        #expect(throws: FrameFault.length(159)) { try decoded(Array(frame.dropLast())) }
        #expect(throws: FrameFault.notSymbol(column: 1)) {
            try decoded([UInt8](repeating: 200, count: 160))
        }
    }

    @Test func messagesAreDecodedInNFC() throws {
        #expect(try decoded(encoded("\u{1D160}")) == "\u{1D158}\u{1D165}\u{1D16E}")
        // This is an e followed by an acute accent, which is not in NFC. Another encoder may pack it in
        // this way.
        let packed = "cos732" + group([0x65, 0xCC, 0x81, 0, 0, 0]) + Self.repeated("@", 137)
        #expect(try decoded(packed + Self.repeated(" ", 10)).unicodeScalars.elementsEqual(["é"]))
    }

    @Test func packedBytesAfterTheEndAreRefused() throws {
        let blank = Self.repeated(" ", 10)
        for bytes: [UInt8] in [[0x61, 0, 0x62, 0, 0, 0], [0, 0x61, 0, 0, 0, 0]] {
            let frame = "cos732" + group(bytes) + Self.repeated("@", 137) + blank
            #expect(throws: FrameFault.bytesAfterEnd) { try decoded(frame) }
            #expect(throws: FrameFault.bytesAfterEnd) { try validate(frame) }
        }
        // Set the last byte of the field.
        let last = "cos732" + group([0x61, 0, 0, 0, 0, 0]) + Self.repeated("@", 136) + "£" + blank
        #expect(throws: FrameFault.bytesAfterEnd) { try decoded(last) }
    }

    /// Packs six bytes in seven symbols.
    private func group(_ bytes: [UInt8]) -> String {
        var value = bytes.reduce(0) { $0 << 8 | Int($1) }
        var digits: [UInt8] = []
        for _ in 0..<7 {
            digits.insert(UInt8(value % 125), at: 0)
            value /= 125
        }
        return text(of: digits)
    }

    @Test func decodingReturnsTheMessage() throws {
        var generator = Generator(seed: 3)
        let gsm = Array((Alphabet.text + "€[]{}\\|~^\n\n   ¤").unicodeScalars)
        for round in 0..<2500 {
            let characters = round % 50 > 0 ? gsm : gsm + Generator.mixed
            let message = generator.text(generator.number(below: 150), from: characters)
            guard let frame = try? symbols(of: Array(message.utf8)) else {
                continue
            }
            let back = try decoded(frame)
            #expect(Array(back.utf8) == Array(message.precomposedStringWithCanonicalMapping.utf8))
            try Frame.validate(frame.span)
            #expect(try symbols(of: Array(back.utf8)) == frame)
        }
    }

    @Test func randomBytesAreEncodedOrRefused() {
        var generator = Generator(seed: 4)
        for round in 0..<20_000 {
            let bytes = generator.bytes(generator.number(below: 200))
            let newline: Newline = round % 2 == 0 ? .lineFeed : .picture
            let frame = try? symbols(of: bytes, newline: newline)
            #expect(frame.map { $0.count } ?? Frame.length == Frame.length)
        }
    }

    @Test func randomFramesAreDecodedOrRefused() throws {
        var generator = Generator(seed: 5)
        for form in Form.allCases {
            // CompressionTests decompress many more random fields.
            for round in 0..<(form.name == "compressed" ? 500 : 20_000) {
                var frame = try randomFrame(form, &generator)
                if round % 10 == 0 { frame[generator.number(below: 160)] = generator.bytes(1)[0] }
                let message = try? decoded(frame)
                let isSound = (try? Frame.validate(frame.span)) != nil
                #expect(isSound == (message != nil))
                guard "01".unicodeScalars.contains(form.digit), let message else { continue }
                let again = try symbols(of: Array(message.utf8))
                #expect(try decoded(again) == message)
            }
        }
    }

    /// The form is not supported by `randomFrame`, which creates frames that are often valid.
    private struct NoSample: Error {
        let form: String
    }

    private func randomFrame(_ form: Form, _ generator: inout Generator) throws -> [UInt8] {
        var frame = try symbols(ofFrame: form.failsafe)
        // Escaped form: use mostly symbols that may follow ¤. Packed form: use mostly padding.
        let pairs = (try? symbols(ofFrame: "¤n_Λ()/<=>¡e")) ?? []
        let filled = generator.number(below: 145)
        for index in 0..<Frame.text.count {
            let any = UInt8(generator.number(below: Alphabet.symbolCount))
            switch form.digit {
            case "1":
                let isAny = generator.number(below: 30) == 0
                frame.append(isAny ? any : pairs[generator.number(below: pairs.count)])
            case "2": frame.append(index < filled / 4 ? any / 2 : 0)
            case "0", "3": frame.append(any)
            default: throw NoSample(form: form.name)
            }
        }
        return frame + [UInt8](repeating: Alphabet.space, count: Frame.nextKey.count)
    }
}
