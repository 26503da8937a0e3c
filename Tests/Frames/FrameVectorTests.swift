import Foundation
import Frames
import GSM7
import Testing

/// Vectors/frames.json: messages and their frames, and what must be refused.
@Suite struct FrameVectorTests {
    struct Vectors: Decodable {
        let cases: [Case]

        struct Case: Decodable, Sendable {
            let message: String?
            let frame: String?
            /// What the frame unpacks to, where that is not the message.
            let unframed: String?
            let error: String?
            let unicode: Bool?
        }
    }

    static let cases: [Vectors.Case] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Vectors/frames.json")
        guard let data = try? Data(contentsOf: file),
            let vectors = try? JSONDecoder().decode(Vectors.self, from: data)
        else { return [] }
        return vectors.cases
    }()

    @Test func thereAreVectors() {
        #expect(Self.cases.count == 62)
    }

    @Test(arguments: cases)
    func vector(_ vector: Vectors.Case) throws {
        let packing = vector.unicode ?? false
        if vector.error != nil {
            if let message = vector.message {
                #expect(throws: (any Error).self) { try laidOut(message, packing: packing) }
            }
            if let frame = vector.frame {
                #expect(throws: (any Error).self) { try unpacked(frame) }
                #expect(throws: (any Error).self) { try checked(frame) }
            }
            return
        }
        let frame = try #require(vector.frame)
        if let message = vector.message {
            let made = try laidOut(message, packing: packing)
            #expect(Array(made.utf8) == Array(frame.utf8))
        }
        let message = try #require(vector.unframed ?? vector.message)
        #expect(try Array(unpacked(frame).utf8) == Array(message.utf8))
        try checked(frame)
    }
}
