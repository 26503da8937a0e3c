import Crypto
import GSM7
import Support
import Testing

@testable import Protocol

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
                let exchange = KeyExchange(
                    own: try SyncKey(reading: Array(own.utf8).span),
                    theirs: try SyncKey(reading: Array(theirs.utf8).span))
                let agreement = try Agreement(exchange, cost: .released)
                let codes = agreement.codes(of: exchange, &cipher)
                #expect(codes.yoursShown == from[own]?.code)
                #expect(codes.theirsShown == from[theirs]?.code)
                let conversation = agreement.conversation(of: exchange, &cipher)
                let names = (conversation.sending.name, conversation.receiving.name)
                #expect(from[own].flatMap { directionName($0.name) } == names.0)
                #expect(from[theirs].flatMap { directionName($0.name) } == names.1)
                #expect(hex(conversation.sending.root) == from[own]?.root)
                #expect(hex(conversation.sending.chain) == from[own]?.chain)
                #expect(hex(conversation.receiving.root) == from[theirs]?.root)
                #expect(hex(conversation.receiving.chain) == from[theirs]?.chain)
            }
        }
        #expect(count == 5)
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
        #expect(count == 17)
    }
}

/// Checks Vectors/pad.json, which contains one step of a chain, and a frame encrypted with the message key
/// of this step. The frame already contains its next key. Next keys are tested with conversations.json.
@Suite(.measured) struct PadVectorTests {
    struct Vectors: Decodable {
        let cases: [Case]

        struct Case: Decodable {
            let chain: String?
            let next_chain: String?
            let frame: String?
            let ciphertext: String?
            let survives_copying: Bool?
            /// A ciphertext that was copied, and the ciphertext that was sent.
            let read: String?
            let `is`: String?
        }
    }

    @Test func chainStepsMatchTheVectors() throws {
        let cases = try vectors("pad", as: Vectors.self).cases
        var count = 0
        for vector in cases {
            guard let chain = vector.chain, let shown = vector.frame,
                let ciphertext = vector.ciphertext
            else { continue }
            count += 1
            let party = try Party(conversation(chain: chain))
            let next = String(shown.unicodeScalars.suffix(10).map(Character.init))
            var frame = symbols(shown)
            frame.replaceSubrange(150..., with: repeatElement(29, count: 10))
            let blank = frame
            var span = frame.mutableSpan
            let sent = try party.conversation.send(&span, limit: 1, &party.cipher) {
                () throws(CryptoError) in
                NextKey(stored: SecretBytes(copying: symbols(next).span))
            }
            #expect((sent.position != nil) == vector.survives_copying)
            // A ciphertext that copying may damage is not output, but it can be decrypted.
            #expect(text(frame.span) == (vector.survives_copying == true ? ciphertext : shown))
            var received = symbols(ciphertext)
            var receivedSpan = received.mutableSpan
            let reader = try Party(conversation(chain: chain))
            _ = reader.conversation.receiveNext(
                &receivedSpan, window: 1, past: &reader.past, &reader.cipher)
            #expect(received == blank)
            #expect(hex(party.conversation.sending.chain) == vector.next_chain)
        }
        #expect(count == 12)
    }

    @Test func copiedCiphertextsMatchTheVectors() throws {
        var (repaired, refused) = (0, 0)
        for vector in try vectors("pad", as: Vectors.self).cases {
            guard let read = vector.read else { continue }
            var symbols: [UInt8] = []
            symbols.append(atMost: Ciphertext.length) {
                try? Alphabet.decode(Array(read.utf8).span, into: &$0, from: .ciphertext)
            }
            let isWhole = symbols.count == Ciphertext.length
            #expect((isWhole ? text(symbols.span) : nil) == vector.is, "\(read)")
            if isWhole { repaired += 1 } else { refused += 1 }
        }
        #expect((repaired, refused) == (20, 7))
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

        struct Case: Decodable, Sendable, CustomTestStringConvertible {
            let about: String?
            let keys: [String: String]
            let events: [Event]

            var testDescription: String { about ?? "\(events.count) events" }
        }

        struct Event: Decodable, Sendable {
            let send: String?
            let send_and_lose: String?
            let alternate: String?
            let receive: String?
            let receipt: String?
            let told: String?
            /// The message in the plain form, or the frame.
            let message: String?
            let frame: String?
            let offer: String?
            let ciphertext: String?
            let position: String?
            let count: Int?
            let late: Bool?
            let missing: Int?
            let far: Bool?
            let room: Int?
            let symbols: String?
            let states: States?
        }

        /// Chains and keys of messages in each state.
        struct States: Decodable, Sendable {
            let read: [[UInt32]]?
            let missing: [[UInt32]]?
            let unknown: [[UInt32]]?
        }
    }

    static let cases = (try? vectors("conversations", as: Vectors.self).cases) ?? []

    @Test func conversationVectorsExist() {
        #expect(Self.cases.count == 7)
    }

    @Test(arguments: cases)
    func conversationsMatchTheVectors(_ vector: Vectors.Case) throws {
        let (a, b) = try Party.pair(vector.keys["a"] ?? "", vector.keys["b"] ?? "")
        let parties = ["a": a, "b": b]
        for event in vector.events {
            if let party = event.send.flatMap({ parties[$0] }) {
                let sent = try party.send(frame: frame(of: event), offer: event.offer)
                #expect(text(sent.ciphertext.span) == event.ciphertext)
                #expect(sent.hasDrawn == (event.offer != nil))
                let name = party.conversation.sending.name
                #expect(Position(name, sent.position).text == event.position)
            } else if let party = event.send_and_lose.flatMap({ parties[$0] }) {
                let frame = try frame(of: event)
                for index in 0..<(event.count ?? 0) {
                    let sent = try party.send(frame: frame, offer: event.offer)
                    #expect(sent.hasDrawn == (index == 0 && event.offer != nil))
                }
            } else if let first = event.alternate {
                let order = first == "a" ? [a, b] : [b, a]
                let frame = try frame(of: event)
                for index in 0..<(event.count ?? 0) {
                    let next = String(String(10_000_000_000 + index).dropFirst())
                    let sent = try order[index % 2].send(frame: frame, offer: next)
                    #expect(try order[(index + 1) % 2].receive(sent.ciphertext) != nil)
                }
            } else if let party = event.receive.flatMap({ parties[$0] }) {
                try check(event, receivedBy: party)
            } else if let party = event.receipt.flatMap({ parties[$0] }) {
                let whole = party.receipt
                let receipt = event.room.map { whole.shortened(to: $0) } ?? whole
                var symbols: [UInt8] = []
                symbols.append(atMost: 20_000) { receipt?.encode(into: &$0) }
                #expect(text(symbols.span) == event.symbols)
            } else if let party = event.told.flatMap({ parties[$0] }) {
                let symbols = symbols(event.symbols ?? "")
                let receipt = Receipt(decoding: symbols.span)
                party.learn(from: try #require(receipt))
                let states = try #require(event.states)
                for (messages, state) in [
                    (states.read, SentState.read), (states.missing, .missing(since: 1)),
                    (states.unknown, .unknown),
                ] {
                    for message in messages ?? [] {
                        let position = KeyPosition(chain: message[0], key: message[1])
                        #expect(party.state(of: position) == state, "\(position)")
                    }
                }
            } else {
                Issue.record("an event of an unknown kind")
            }
        }
    }

    private func frame(of event: Vectors.Event) throws -> [UInt8] {
        if let frame = event.frame { return symbols(frame) }
        return try laidOut(try #require(event.message))
    }

    private func check(_ event: Vectors.Event, receivedBy party: Party) throws {
        let before = party.state
        let read = try party.receive(
            symbols(event.ciphertext ?? ""),
            window: event.far == true ? Conversation.farWindow : Conversation.window)
        guard event.message != nil || event.frame != nil else {
            #expect(read == nil && party.state == before)
            return
        }
        let message = try #require(read)
        #expect(try message.frame == frame(of: event))
        #expect(message.isLate == event.late)
        #expect(message.missing == event.missing ?? 0)
        let name = party.conversation.receiving.name
        #expect(Position(name, message.position).text == event.position)
    }
}
