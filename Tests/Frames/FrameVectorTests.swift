import FrameLayout
import Foundation
import Frames
import GSM7
import Support
import Testing

/// Checks the test vectors in Vectors/frames.json, which contain messages with their frames, and inputs
/// that must be rejected.
@Suite(.measured) struct FrameVectorTests {
    struct Vectors: Decodable {
        let cases: [Case]

        struct Case: Decodable, Sendable {
            let message: String?
            let frame: String?
            /// Message to which the frame decodes, if it differs from `message`.
            let unframed: String?
            let error: String?
            /// Form of the frame. It is given instead of `frame` if different encoders may write different
            /// frames.
            let form: String?
            let example: String?

            enum CodingKeys: String, CodingKey {
                case message, frame, unframed, error, form
                case example = "for example"
            }
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

    @Test func allVectorsAreLoaded() {
        #expect(Self.cases.count == 69)
    }

    @Test(arguments: cases)
    func vectorsAreEncodedAndDecodedOrRefused(_ vector: Vectors.Case) throws {
        if let words = vector.error {
            #expect {
                _ = try vector.message.map { try encoded($0) }
                _ = try vector.frame.map { try decoded($0) }
            } throws: {
                Self.describes($0 as? FrameFault, words)
            }
            if let frame = vector.frame {
                let isNewer = words.hasPrefix("from a later version")
                #expect {
                    try validate(frame)
                } throws: {
                    ($0 as? FrameFault == .newerVersion) == isNewer
                }
                let symbols = try symbols(ofFrame: frame)
                #expect(symbols.count != 160 || Frame.isFromNewerVersion(symbols.span) == isNewer)
            }
            return
        }
        if vector.form != nil {
            let (message, example) = try #require(
                vector.message.flatMap { text in
                    vector.example.map { (text, $0) }
                })
            let made = try encoded(message)
            #expect(made.hasPrefix("cos731"))
            #expect(try decoded(made) == vector.unframed ?? message)
            #expect(try decoded(example) == vector.unframed ?? message)
            try validate(example)
            return
        }
        let frame = try #require(vector.frame)
        if let message = vector.message {
            let made = try encoded(message)
            #expect(Array(made.utf8) == Array(frame.utf8))
        }
        let message = try #require(vector.unframed ?? vector.message)
        #expect(try Array(decoded(frame).utf8) == Array(message.utf8))
        try validate(frame)
    }

    /// Returns true if the words of a vector describe a fault.
    private static func describes(_ fault: FrameFault?, _ words: String) -> Bool {
        switch fault {
        case .tooLong: words == "too long"
        case .text(.control): ["lone CR", "control character", "line separator"].contains(words)
        case .length(159): words == "159 symbols"
        case .unknownForm: words == "unknown failsafe"
        case .notCompressed: words.hasPrefix("no text: ")
        case .newerVersion: words.hasPrefix("from a later version: ")
        case .hasReceipt: words == "a receipt"
        case .nextKeyNotBlank: words == "a next key that is not blank"
        default: false
        }
    }
}
