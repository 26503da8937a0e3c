import Foundation
import Frames
import GSM7
import Support
import Testing

@Suite struct FrameTests {
    @Test func theFieldsAreAFrame() {
        #expect(Frame.failsafe.upperBound == Frame.text.lowerBound)
        #expect(Frame.text.upperBound == Frame.nextKey.lowerBound)
        #expect(Frame.nextKey.upperBound == Frame.length)
        #expect(Frame.longestUTF8 == 320)
        #expect(Frame.longestMessage == 864)
    }

    @Test func formsHaveTheirFailsafes() throws {
        #expect(Forms.all.map { Forms.failsafe(of: $0) } == ["cos730", "cos731", "cos732"])
        for form in Forms.all {
            let symbols = try read(Forms.failsafe(of: form))
            #expect(Forms.named(by: symbols.span)?.digit == form.digit)
            for index in symbols.indices {
                var wrong = symbols
                wrong[index] = Alphabet.space
                #expect(Forms.named(by: wrong.span) == nil)
            }
            #expect(Forms.named(by: symbols.span.extracting(..<5)) == nil)
        }
    }

    @Test func newlinesAreSpeltAsTheRecordsNeedIt() throws {
        let frame = try laidOut("two\nlines")
        #expect(try laidOut("two␊lines", newline: .picture) == frame)
        #expect(try unpacked(frame, newline: .picture) == "two␊lines")
        #expect(
            try laidOut("два␊", packing: true, newline: .picture) == laidOut("два\n", packing: true)
        )
        #expect(
            try unpacked(laidOut("два\n", packing: true), newline: .picture) == "два␊")
        #expect(throws: FrameFault.text(.notGSM("␊", column: 2))) { try laidOut("a␊") }
        #expect(throws: FrameFault.text(.control("\n", column: 2))) {
            try laidOut("a\n", newline: .picture)
        }
    }

    /// Runs without pairs are passed over many at a time: a pair, and half of one, stands in all places.
    @Test func pairsAreFoundWhereverTheyStand() throws {
        for place in 0...142 {
            let (before, behind) = (
                String(repeating: "a", count: place), String(repeating: "b", count: 142 - place)
            )
            let frame = "cos731" + before + "¤n" + behind + String(repeating: " ", count: 10)
            try checked(frame)
            #expect(try unpacked(frame) == before + "\n" + behind)
            let wrong = "cos731" + before + "¤x" + behind + String(repeating: " ", count: 10)
            #expect(throws: FrameFault.unknownPair("x", column: place + 7)) { try checked(wrong) }
            let blank = "cos731" + before + "¤" + String(repeating: " ", count: 153 - place)
            #expect(throws: FrameFault.halfPair(column: place + 7)) { try checked(blank) }
            let short = "cos731" + before + String(repeating: " ", count: 154 - place)
            #expect(try unpacked(short) == before)
        }
    }

    @Test func faultsNameTheInputsColumn() {
        #expect(throws: FrameFault.text(.notGSM("ж", column: 5))) {
            try laidOut("e\u{301}e\u{301}ж")
        }
        #expect(throws: FrameFault.text(.notGSM("\u{302}", column: 2))) { try laidOut("x\u{302}") }
        #expect(throws: FrameFault.text(.notGSM("ê", column: 2))) { try laidOut("xe\u{302}") }
        #expect(throws: FrameFault.text(.control("\r", column: 4))) { try laidOut("a\r\n\r") }
        #expect(throws: FrameFault.text(.control("\t", column: 2))) {
            try laidOut("ж\t", packing: true)
        }
        #expect(throws: FrameFault.text(.malformed(0xFF, column: 2))) {
            try symbols(of: [0x61, 0xFF], packing: true)
        }
    }

    @Test func saysHowLongAMessageIs() {
        let long = String(repeating: "a", count: 150)
        #expect(throws: FrameFault.tooLong(symbols: 150)) { try laidOut(long) }
        #expect(throws: FrameFault.tooLong(symbols: 152)) { try laidOut(long + " ") }
        #expect(throws: FrameFault.tooLong(symbols: 152)) { try laidOut(long + "€") }
        #expect(throws: FrameFault.tooLong(symbols: 154)) { try laidOut(long + "¤€") }
        #expect(throws: FrameFault.tooLong(symbols: 151)) { try laidOut(long + "¤") }
        #expect(throws: FrameFault.tooLong(symbols: 146)) {
            try laidOut(String(repeating: "€", count: 73))
        }
        #expect(throws: FrameFault.tooLongPacked(bytes: 124)) {
            try laidOut(String(repeating: "ж", count: 62), packing: true)
        }
        #expect(throws: FrameFault.tooLong(symbols: 150)) { try laidOut(long, packing: true) }
    }

    @Test func aFrameOutsideThePaddingToolHasNoKey() throws {
        var frame = try symbols(of: Array("hi".utf8))
        frame[Frame.nextKey.lowerBound] = 5
        #expect(throws: FrameFault.nextKeyNotBlank) { try unpacked(frame) }
        #expect(throws: FrameFault.length(159)) { try unpacked(Array(frame.dropLast())) }
        #expect(throws: FrameFault.notSymbol(column: 1)) {
            try unpacked([UInt8](repeating: 200, count: 160))
        }
    }

    @Test func whatIsPackedIsPrintedInNFC() throws {
        // Another writer may pack what it likes; ê in two code points takes three bytes here.
        let musical = String(repeating: "\u{1D160}", count: 30)
        let frame = try laidOut("\u{1D160}", packing: true)
        #expect(try unpacked(frame) == "\u{1D158}\u{1D165}\u{1D16E}")
        #expect(throws: FrameFault.tooLongPacked(bytes: 360)) {
            try laidOut(musical, packing: true)
        }
    }

    @Test func unpackingGivesTheMessageBack() throws {
        var generator = Generator(seed: 3)
        let gsm = Array((Alphabet.text + "€[]{}\\|~^\n\n   ¤").unicodeScalars)
        for round in 0..<20_000 {
            let characters = round % 2 == 0 ? gsm : gsm + Generator.mixed
            let message = generator.text(generator.number(below: 150), from: characters)
            let packing = round % 4 > 1
            guard let frame = try? symbols(of: Array(message.utf8), packing: packing) else {
                continue
            }
            let back = try unpacked(frame)
            #expect(Array(back.utf8) == Array(message.precomposedStringWithCanonicalMapping.utf8))
            try Frame.check(frame.span)
            #expect(try symbols(of: Array(back.utf8), packing: packing) == frame)
        }
    }

    @Test func randomBytesAreLaidOutOrRefused() {
        var generator = Generator(seed: 4)
        for round in 0..<20_000 {
            let bytes = generator.bytes(generator.number(below: 200))
            let newline: Newline = round % 2 == 0 ? .lineFeed : .picture
            let frame = try? symbols(of: bytes, packing: true, newline: newline)
            #expect(frame.map { $0.count } ?? Frame.length == Frame.length)
        }
    }

    @Test func randomFramesAreUnpackedOrRefused() throws {
        var generator = Generator(seed: 5)
        for form in Forms.all {
            for round in 0..<20_000 {
                var frame = try randomFrame(form, &generator)
                if round % 10 == 0 { frame[generator.number(below: 160)] = generator.bytes(1)[0] }
                let message = try? unpacked(frame)
                let isSound = (try? Frame.check(frame.span)) != nil
                #expect(isSound == (message != nil))
                guard form.digit != "2", let message else { continue }
                let again = try symbols(of: Array(message.utf8))
                #expect(try unpacked(again) == message)
            }
        }
    }

    private func randomFrame(_ form: any Form, _ generator: inout Generator) throws -> [UInt8] {
        var frame = try read(Forms.failsafe(of: form))
        // For the escaped form, mostly symbols that may follow ¤; for the packed one, mostly padding.
        let pairs = (try? read("¤n_Λ()/<=>¡e")) ?? []
        let filled = generator.number(below: 145)
        for index in 0..<Frame.text.count {
            let any = UInt8(generator.number(below: Alphabet.symbolCount))
            switch form.digit {
            case "1":
                let isAny = generator.number(below: 30) == 0
                frame.append(isAny ? any : pairs[generator.number(below: pairs.count)])
            case "2": frame.append(index < filled / 4 ? any / 2 : 0)
            default: frame.append(any)
            }
        }
        return frame + [UInt8](repeating: Alphabet.space, count: Frame.nextKey.count)
    }
}
