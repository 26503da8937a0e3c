import FrameLayout
import Foundation
import Frames
import GSM7
import Support
import Testing

/// Checks the test vectors in Vectors/parts.json, which contain messages in parts.
@Suite(.measured) struct PartVectorTests {
    private struct Vectors: Decodable {
        let cases: [Case]

        struct Case: Decodable {
            let about: String
            let message: String?
            let parts: [String]?
            let error: String?
            /// Frames in the order in which they arrive, and the messages in the order in which they are printed.
            let frames: [String]?
            let printed: [String]?
        }
    }

    @Test func partsMatchTheVectors() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Vectors/parts.json")
        let vectors = try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: file))
        for vector in vectors.cases {
            if let frames = vector.frames {
                #expect(try joined(frames) == vector.printed, "\(vector.about)")
            } else if let message = vector.message, let parts = vector.parts {
                #expect(try joined(parts.map { try encoded($0) }) == [message], "\(vector.about)")
            } else {
                let message = try #require(vector.message)
                #expect(throws: FrameFault.self) { try encoded(message) }
            }
        }
        #expect(vectors.cases.count == 34)
    }

    /// Joins the parts in frames of one contact. Parts that are not joined are returned at the end.
    private func joined(_ frames: [String]) throws -> [String] {
        var printed: [String] = []
        var waiting: [(mark: PartMark, text: [UInt8])] = []
        for frame in frames {
            let symbols = try symbols(ofFrame: frame)
            let text = try [UInt8](atMost: Frame.longestMessage) {
                (text: inout OutputSpan<UInt8>) in
                try Frame.decodeAsSent(symbols.span, into: &text)
            }
            guard let mark = PartMark(of: text.span) else {
                printed.append(try normal(text))
                continue
            }
            waiting.removeAll { $0.mark == mark }
            waiting.append((mark, Array(text.dropFirst(mark.bytes.count))))
            let isOther = { (other: PartMark) in
                (other.count, other.checksum) != (mark.count, mark.checksum)
            }
            let parts = waiting.filter { !isOther($0.mark) }
                .sorted { $0.mark.number < $1.mark.number }
            guard parts.count == mark.count else { continue }
            let whole = parts.flatMap { $0.text }
            var message: [UInt8] = []
            message.append(atMost: 9 * whole.count) {
                _ = mark.joinParts(whole.span, newline: .lineFeed, to: &$0)
            }
            guard !message.isEmpty else { continue }
            printed.append(String(decoding: message, as: UTF8.self))
            waiting = waiting.filter { isOther($0.mark) }
        }
        return try printed + waiting.map { try normal($0.mark.bytes + $0.text) }
    }

    private func normal(_ text: [UInt8]) throws -> String {
        String(decoding: try NormalText.utf8(of: text.span), as: UTF8.self)
    }
}
