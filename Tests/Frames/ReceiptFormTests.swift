import FrameLayout
import Foundation
import Frames
import GSM7
import Support
import System
import Testing

@Suite(.measured) struct ReceiptFormTests {
    /// Returns a copy of a frame with a receipt, or nil if they do not fit.
    private func copied(of frame: [UInt8], withReceipt receipt: [UInt8]) -> [UInt8]? {
        var copy = frame
        var span = copy.mutableSpan
        let fits = Frame.putReceipt(into: &span) { (room, symbols) in
            guard receipt.count <= room else { return false }
            symbols.append(copying: receipt.span)
            return true
        }
        #expect(fits || copy == frame)
        return fits ? copy : nil
    }

    private func takeReceipt(from frame: [UInt8]) -> (
        Frame.Remainder, frame: [UInt8], receipt: [UInt8]
    ) {
        var frame = frame
        var receipt: [UInt8] = []
        var remainder = Frame.Remainder.nothing
        receipt.append(atMost: Frame.longestReceipt) { (symbols: inout OutputSpan<UInt8>) in
            var span = frame.mutableSpan
            remainder = Frame.takeReceipt(from: &span, into: &symbols)
        }
        return (remainder, frame, receipt)
    }

    private func receipt(_ count: Int, _ generator: inout Generator) -> [UInt8] {
        (0..<count).map { _ in UInt8(generator.number(below: Alphabet.symbolCount)) }
    }

    static let messages = [
        "", " ", "Gate 6", "ends in space ", "two\nlines", "žádná voda", "四点半出発", "siamë 🙂",
        "1/2:4071 Встретимся у моста в шесть. ",
        "The lower road is under water as far as the mill.",
        String(repeating: "The river has risen. ", count: 7),
    ]

    @Test(arguments: messages)
    func theMessageIsTheSameWithAReceipt(_ message: String) throws {
        var generator = Generator(seed: 21)
        var frame = try symbols(of: Array(message.utf8))
        let nextKey = receipt(Frame.nextKey.count, &generator)
        frame.replaceSubrange(Frame.nextKey, with: nextKey)
        var most = -1
        for count in 0...143 {
            let receipt = receipt(count, &generator)
            guard let copy = copied(of: frame, withReceipt: receipt) else { continue }
            // If a receipt fits, each shorter receipt fits as well.
            #expect(most == count - 1)
            most = count
            #expect(Array(copy[Frame.nextKey]) == nextKey)
            var (remainder, taken, back) = takeReceipt(from: copy)
            #expect(remainder == .compressedFrame)
            #expect(back == receipt)
            #expect(Array(taken[Frame.nextKey]) == nextKey)
            // A compressed frame returns exactly. A plain frame becomes a compressed frame.
            if text(of: frame).hasPrefix(Form.compressed.failsafe) { #expect(taken == frame) }
            taken.replaceSubrange(
                Frame.nextKey, with: [UInt8](repeating: Alphabet.space, count: Frame.nextKey.count))
            #expect(try decoded(taken) == message)
        }
        #expect(most <= 123 && most >= 40)
    }

    /// The digits of every compressed vector can be moved, whatever encoder has written them.
    @Test(arguments: FrameVectorTests.cases.filter { $0.example != nil })
    func digitsAreMovedUnchanged(_ vector: FrameVectorTests.Vectors.Case) throws {
        let frame = try symbols(ofFrame: #require(vector.example))
        let length = (frame[Frame.text].lastIndex { $0 != 0 } ?? 0) + 1 - Frame.text.lowerBound
        let most = Frame.longestReceipt - length
        guard most >= 0 else {
            #expect(copied(of: frame, withReceipt: []) == nil)
            return
        }
        let receipt = [UInt8](repeating: 124, count: min(most, 123))
        let copy = try #require(copied(of: frame, withReceipt: receipt))
        #expect(takeReceipt(from: copy).frame == frame)
        #expect(copied(of: frame, withReceipt: receipt + [124]) == nil)
    }

    private struct Vectors: Decodable {
        let cases: [Case]

        struct Case: Decodable {
            let message: String?
            /// Frame without the receipt. Nil if there is no message.
            let frame: String?
            let receipt: String?
            /// Nil if the receipt does not fit.
            let withReceipt: String?
            let example: String?

            enum CodingKeys: String, CodingKey {
                case message, frame, receipt
                case withReceipt = "with_receipt"
                case example = "for example"
            }
        }
    }

    /// Checks the frames in Vectors/receipts.json.
    @Test func framesMatchTheVectors() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Vectors/receipts.json")
        let vectors = try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: file))
        var count = 0
        for vector in vectors.cases {
            guard let receipt = try vector.receipt.map({ try symbols(ofFrame: $0) }) else {
                continue
            }
            count += 1
            guard let frame = try vector.frame.map({ try symbols(ofFrame: $0) }) else {
                let frame = try symbols(ofFrame: #require(vector.withReceipt))
                let (remainder, _, taken) = takeReceipt(from: frame)
                #expect(remainder == .nothing)
                #expect(taken == receipt + [UInt8](repeating: 0, count: 143 - receipt.count))
                continue
            }
            let copy = copied(of: frame, withReceipt: receipt)
            if let message = vector.message {
                for copy in [try #require(copy), try symbols(ofFrame: #require(vector.example))] {
                    let (_, frame, taken) = takeReceipt(from: copy)
                    #expect(taken == receipt)
                    #expect(try decoded(frame) == message)
                }
            } else {
                #expect(copy.map(text) == vector.withReceipt)
                guard let copy else { continue }
                let (remainder, back, taken) = takeReceipt(from: copy)
                #expect(remainder == .compressedFrame && back == frame && taken == receipt)
            }
        }
        #expect(count == 22)
    }

    @Test func messagesWithoutRoomGetNoReceipt() throws {
        var generator = Generator(seed: 22)
        let noise = generator.text(144, from: Array("#Δ_ΦΓΛΩΠΨΣΘΞÆß§¿¡èìòØ".unicodeScalars))
        #expect(try copied(of: symbols(of: Array(noise.utf8)), withReceipt: []) == nil)
        // A frame gets one receipt at most.
        let frame = try symbols(of: Array("Gate 6".utf8))
        let copy = try #require(copied(of: frame, withReceipt: [1, 2]))
        #expect(copied(of: copy, withReceipt: [1, 2]) == nil)
    }

    @Test(arguments: [0, 1, 60, 143])
    func aReceiptAloneFillsTheField(_ count: Int) throws {
        var generator = Generator(seed: 23)
        let receipt = receipt(count, &generator)
        var frame: [UInt8] = []
        frame.append(atMost: Frame.length) { (symbols: inout OutputSpan<UInt8>) in
            Frame.append(onlyReceipt: receipt.span, to: &symbols)
        }
        #expect(frame.count == Frame.length)
        #expect(Array(frame[Frame.text])[0] == 124)
        let (remainder, same, back) = takeReceipt(from: frame)
        #expect(remainder == .nothing && same == frame)
        #expect(back == receipt + [UInt8](repeating: 0, count: 143 - count))
    }

    @Test func framesWithAReceiptAreRefused() throws {
        let frame = try symbols(of: Array("Gate 6".utf8))
        #expect(takeReceipt(from: frame) == (.unchangedFrame, frame, []))
        let copy = try #require(copied(of: frame, withReceipt: [7]))
        #expect(throws: FrameFault.hasReceipt) { try Frame.validate(copy.span) }
        #expect(throws: FrameFault.hasReceipt) { try decoded(copy) }
    }

    /// Whatever symbols follow the failsafe, the receipt and the rest of the frame are what was in it.
    @Test func randomFramesAreTakenApart() throws {
        var generator = Generator(seed: 24)
        for _ in 0..<20_000 {
            let field = receipt(144, &generator)
            let frame =
                try symbols(ofFrame: Form.receipt.failsafe) + field + receipt(10, &generator)
            let (remainder, taken, receipt) = takeReceipt(from: frame)
            let length = Int(field[0])
            #expect(remainder == (length == 124 ? .nothing : .compressedFrame))
            #expect(receipt == Array(field.dropFirst().prefix(length == 124 ? 143 : length)))
            guard length < 124 else { continue }
            let digits = Array(field.dropFirst(1 + length))
            let text = Array(taken[Frame.text])
            #expect(
                text.starts(with: digits) && text.dropFirst(digits.count).allSatisfy { $0 == 0 })
        }
    }
}
