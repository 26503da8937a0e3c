import Crypto
import Protocol
import Support
import Testing

/// Checks Vectors/sync.json, which contains sync keys, roots, verification codes and first chains.
@Suite(.measured) struct SyncVectorTests {
    struct Vectors: Decodable {
        let cases: [Case]

        struct Case: Decodable {
            let keys: [String]?
            let from: [String: Direction]?
            let read: String?
            let `is`: String?
            let error: String?
        }

        struct Direction: Decodable {
            let code: String
            let root: String
            let chain: String
            let name: String
        }
    }

    @Test func agreementsMatchTheVectors() throws {
        var cipher = Cipher()
        var count = 0
        for vector in try vectors("sync", as: Vectors.self).cases {
            guard let keys = vector.keys, let from = vector.from else { continue }
            count += 1
            for (own, theirs) in [(keys[0], keys[1]), (keys[1], keys[0])] {
                let agreement = try Agreement(
                    KeyExchange(
                        own: try SyncKey(reading: Array(own.utf8).span),
                        theirs: try SyncKey(reading: Array(theirs.utf8).span)), cost: .released)
                let codes = agreement.codes(&cipher)
                #expect(codes.yoursShown == from[own]?.code)
                #expect(codes.theirsShown == from[theirs]?.code)
                let conversation = agreement.conversation(&cipher)
                let names = (conversation.sending.name, conversation.receiving.name)
                #expect(from[own].flatMap { directionName($0.name) } == names.0)
                #expect(from[theirs].flatMap { directionName($0.name) } == names.1)
                #expect(hex(conversation.sending.root) == from[own]?.root)
                #expect(hex(conversation.sending.chain) == from[own]?.chain)
                #expect(hex(conversation.receiving.root) == from[theirs]?.root)
                #expect(hex(conversation.receiving.chain) == from[theirs]?.chain)
            }
        }
        #expect(count == 4)
    }

    @Test func onlyValidSyncKeysAreAccepted() throws {
        var count = 0
        for vector in try vectors("sync", as: Vectors.self).cases {
            guard let read = vector.read else { continue }
            count += 1
            if let canonical = vector.is {
                let key = try SyncKey(reading: Array(read.utf8).span)
                #expect(key.bytes.withSpan { bytes(of: $0) } == Array(canonical.utf8))
            } else {
                #expect(throws: SyncKeyFault.self) {
                    _ = try SyncKey(reading: Array(read.utf8).span)
                }
            }
        }
        #expect(count == 7)
    }
}

/// Checks Vectors/pad.json, which contains one step of a chain, and a frame encrypted with the message key
/// of this step. The frame already contains its next key. Next keys are tested with conversations.json.
@Suite(.measured) struct PadVectorTests {
    struct Vectors: Decodable {
        let cases: [Case]

        struct Case: Decodable {
            let chain: String
            let next_chain: String
            let frame: String
            let ciphertext: String
            let survives_copying: Bool
        }
    }

    @Test func chainStepsMatchTheVectors() throws {
        let cases = try vectors("pad", as: Vectors.self).cases
        #expect(cases.count > 5)
        for vector in cases {
            let party = try Party(conversation(chain: vector.chain))
            let next = String(vector.frame.unicodeScalars.suffix(10).map(Character.init))
            var frame = symbols(vector.frame)
            frame.replaceSubrange(150..., with: repeatElement(29, count: 10))
            let blank = frame
            var span = frame.mutableSpan
            let sent = try party.conversation.send(&span, limit: 1, &party.cipher) {
                () throws(CryptoError) in
                NextKey(stored: SecretBytes(copying: symbols(next).span))
            }
            #expect((sent.position != nil) == vector.survives_copying)
            // A ciphertext that copying may damage is not output, but it can be decrypted.
            #expect(
                text(frame.span) == (vector.survives_copying ? vector.ciphertext : vector.frame))
            var received = symbols(vector.ciphertext)
            var receivedSpan = received.mutableSpan
            let reader = try Party(conversation(chain: vector.chain))
            _ = reader.conversation.receiveNext(
                &receivedSpan, window: 1, past: &reader.past, &reader.cipher)
            #expect(received == blank)
            #expect(hex(party.conversation.sending.chain) == vector.next_chain)
        }
    }

    /// Returns a conversation that sends with this chain.
    private func conversation(chain key: String) -> Conversation {
        func direction() -> Direction {
            Direction(
                name: anyDirectionName, root: SecretBytes(count: 32), chain: chain(bytes(hex: key)))
        }
        return Conversation(sending: direction(), receiving: direction())
    }
}

/// Checks Vectors/conversations.json, which contains events in order, including refused messages.
@Suite(.measured) struct ConversationVectorTests {
    struct Vectors: Decodable {
        let cases: [Case]

        struct Case: Decodable, Sendable {
            let keys: [String: String]
            let events: [Event]
        }

        struct Event: Decodable, Sendable {
            let send: String?
            let send_and_lose: String?
            let receive: String?
            let message: String?
            let offer: String?
            let ciphertext: String?
            let count: Int?
            let late: Bool?
            let far: Bool?
        }
    }

    static let cases = (try? vectors("conversations", as: Vectors.self).cases) ?? []

    @Test func conversationVectorsExist() {
        #expect(Self.cases.count == 4)
    }

    @Test(arguments: cases)
    func conversationsMatchTheVectors(_ vector: Vectors.Case) throws {
        let (a, b) = try Party.pair(vector.keys["a"] ?? "", vector.keys["b"] ?? "")
        let parties = ["a": a, "b": b]
        for event in vector.events {
            if let party = event.send.flatMap({ parties[$0] }) {
                let ciphertext = try party.send(event.message ?? "", offer: event.offer)
                #expect(text(ciphertext.span) == event.ciphertext)
            } else if let party = event.send_and_lose.flatMap({ parties[$0] }) {
                for _ in 0..<(event.count ?? 0) {
                    _ = try party.send(event.message ?? "", offer: event.offer)
                }
            } else if let party = event.receive.flatMap({ parties[$0] }) {
                let before = party.state
                let read = try party.receive(
                    symbols(event.ciphertext ?? ""),
                    window: event.far == true ? Conversation.farWindow : Conversation.window)
                #expect(read?.message == event.message)
                #expect(read?.isLate == event.late)
                if read == nil { #expect(party.state == before) }
            } else {
                Issue.record("an event of an unknown kind")
            }
        }
    }
}
