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
            Form.allCases.map { $0.failsafe } == ["cos730", "cos731", "cos732"])
        #expect(Form.allCases.map { $0.name } == ["plain", "compressed", "receipt"])
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
        ("ends in space ", "compressed", 8), ("a\n", "compressed", 4), ("€", "compressed", 3),
        (repeated("€", 72), "compressed", nil), (repeated("a ", 73), "compressed", nil),
        ("ж", "compressed", nil),
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
        for end in ["€", " "] {
            // Only the compressed form can encode these messages, and its length is an estimate.
            let (form, length) = try Frame.measure(
                Array((noise + end).utf8).span, newline: .lineFeed)
            #expect(form == .compressed && length > 150)
            #expect(throws: FrameFault.tooLong(symbols: length)) { try encoded(noise + end) }
        }
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
        // Another encoder compressed an e and an acute accent, which are not in NFC.
        let frame =
            "cos7314p£2Xø" + Self.repeated("@", 138)
            + Self.repeated(" ", 10)
        #expect(try decoded(frame).unicodeScalars.elementsEqual(["é"]))
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
                guard form == .plain, let message else { continue }
                let again = try symbols(of: Array(message.utf8))
                #expect(try decoded(again) == message)
            }
        }
    }

    private func randomFrame(_ form: Form, _ generator: inout Generator) throws -> [UInt8] {
        let field = (0..<Frame.text.count).map { _ in
            UInt8(generator.number(below: Alphabet.symbolCount))
        }
        return try symbols(ofFrame: form.failsafe) + field
            + [UInt8](repeating: Alphabet.space, count: Frame.nextKey.count)
    }
}
