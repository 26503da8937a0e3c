import Crypto
import Protocol
import Support
import Testing

/// Checks the exact number of message keys that are tried, both after and before the current position
/// (smsenc-protocol(7), Next keys).
@Suite(.measured) struct LimitTests {
    /// Searches for a conversation in which the message uses only the next message key, so that no key is
    /// discarded. `prepare` brings the sender to the point at which the message is sent.
    private func pair(
        sending message: String, after prepare: (Party, Party) throws -> Void
    ) throws -> (sender: Party, receiver: Party, ciphertext: [UInt8]) {
        for seed in 100..<200 {
            let (sender, receiver) = try Party.pair(seed: UInt64(seed))
            try prepare(sender, receiver)
            let ciphertext = try sender.send(message)
            if sender.keysOfLast == 1 { return (sender, receiver, ciphertext) }
        }
        throw NoSeed()
    }

    private struct NoSeed: Error {}

    private func skip(_ count: Int, of party: Party) {
        party.conversation.sending.chain.skip(count, &party.cipher)
    }

    @Test(arguments: [(127, true), (128, false)])
    func next128MessageKeysAreTried(_ skipped: Int, _ isRead: Bool) throws {
        let (_, bela, ciphertext) = try pair(sending: "Hello") { amina, _ in
            skip(skipped, of: amina)
        }
        let before = bela.state
        #expect(try (bela.receive(ciphertext) != nil) == isRead)
        #expect((bela.state == before) == !isRead)
    }

    @Test(arguments: [(4095, true), (4096, false)])
    func farSearchTries4096MessageKeys(_ skipped: Int, _ isRead: Bool) throws {
        let (_, bela, ciphertext) = try pair(sending: "Hello") { amina, _ in
            skip(skipped, of: amina)
        }
        #expect(try bela.receive(ciphertext) == nil)
        #expect(try (bela.receive(ciphertext, window: Conversation.farWindow) != nil) == isRead)
        #expect(bela.past.skipped.count == (isRead ? ConversationPast.maximumSkippedKeys : 0))
    }

    /// The limit is the same in a new chain, into which a next key of the recipient is mixed.
    @Test(arguments: [(127, true), (128, false)])
    func first128KeysOfANewChainAreTried(_ skipped: Int, _ isRead: Bool) throws {
        let (_, bela, ciphertext) = try pair(sending: "Hello") { amina, bela in
            _ = try amina.receive(try bela.send("My next key"))
            amina.conversation.mixPendingNextKey(&amina.cipher)
            skip(skipped, of: amina)
        }
        #expect(try (bela.receive(ciphertext)?.isLate == false) == isRead)
        #expect(bela.past.retired.count == (isRead ? 1 : 0))
        #expect((bela.offer == nil) == isRead)
    }

    /// The limit is counted from the position at which the chain was retired.
    @Test(arguments: [(15, true), (16, false)])
    func next16KeysOfARetiredChainAreTried(_ skipped: Int, _ isRead: Bool) throws {
        let (amina, bela, ciphertext) = try pair(sending: "Delayed") { amina, bela in
            _ = try bela.receive(try amina.send("First"))
            skip(skipped, of: amina)
        }
        _ = try amina.receive(try bela.send("My next key"))
        #expect(try bela.receive(try amina.send("With it"))?.isLate == false)
        #expect(bela.past.retired.count == 1)
        let before = bela.state
        let read = try bela.receive(ciphertext)
        #expect((read?.isLate == true) == isRead)
        #expect((bela.state == before) == !isRead)
        #expect(try bela.receive(ciphertext) == nil)
    }

    /// A next key consists of the symbols 0 to 124.
    @Test func generatedNextKeysContainAllSymbols() throws {
        let (amina, _) = try Party.pair(seed: 10)
        var seen: Set<UInt8> = []
        for _ in 0..<500 {
            var frame = try laidOut("Hello")
            var span = frame.mutableSpan
            amina.conversation.ownNext = nil
            _ = try amina.conversation.send(&span, limit: 100, &amina.cipher)
            amina.conversation.ownNext?.symbols.withSpan { (next) in
                #expect(next.count == 10)
                for index in next.indices { seen.insert(next[index]) }
            }
        }
        #expect(seen == Set(0..<125))
    }

    @Test func aNextKeyIsOfferedUntilTheContactUsesIt() throws {
        let (amina, bela) = try Party.pair(seed: 9)
        let own = "0123456789"
        let lost = try (0..<3).map { try amina.send("Message \($0)", offer: own) }
        #expect(amina.offer == own)
        _ = try amina.send("Another", offer: "ABCDEFGHIJ")
        #expect(amina.offer == own)
        // The contact has not received the next key, so the reply changes nothing.
        let blind = try bela.send("I have heard nothing")
        #expect(try amina.receive(blind) != nil)
        #expect(amina.offer == own)
        // Every message contains the next key. A reply to any of these messages uses the next key.
        #expect(try bela.receive(lost[1]) != nil)
        #expect(try amina.receive(try bela.send("Now I have")) != nil)
        #expect(amina.offer == nil)
        _ = try amina.send("A new one", offer: "ABCDEFGHIJ")
        #expect(amina.offer == "ABCDEFGHIJ")
    }
}
