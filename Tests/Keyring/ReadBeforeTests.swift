import Support
import Testing

@testable import Keyring

/// Tests that the last 64 decrypted messages of each contact are recognised if they arrive again.
@Suite(.measured) struct ReadBeforeTests {
    /// Decrypts ciphertexts and returns `readBefore`, `noKey`, or "read" for each.
    private func outcomes(
        of ciphertexts: [[UInt8]], at person: Person, from contact: String? = nil
    ) throws -> [String] {
        let keyring = try person.open()
        let id =
            try contact.map { try keyring.contact(named: $0).id } ?? person.contact(in: keyring).id
        var receiving = try Receiving(with: keyring)
        var outcomes: [String] = []
        for ciphertext in ciphertexts {
            var symbols = ciphertext
            var span = symbols.mutableSpan
            switch try receiving.decrypt(&span, of: id) {
            case .done: outcomes.append("read")
            case let refusal: outcomes.append("\(refusal)")
            }
        }
        try receiving.commit()
        try receiving.finish()
        return outcomes
    }

    @Test func theLast64MessagesAreRecognisedAcrossRestarts() throws {
        let (amina, bela) = try Person.pair()
        let sent = try amina.encrypt((0..<70).map { "Message \($0)" }).ciphertexts
        #expect(sent.count == 70)
        #expect(try bela.receive(sent).count == 70)
        bela.close()
        let outcomes = try outcomes(of: sent, at: bela)
        #expect(outcomes[..<6].allSatisfy { $0 == "noKey" })
        #expect(outcomes[6...].allSatisfy { $0 == "readBefore" })
        // A refused message does not displace any other message.
        #expect(try self.outcomes(of: [sent[6]], at: bela) == ["readBefore"])
        var altered = sent[69]
        altered[80] = (altered[80] + 1) % 125
        #expect(try self.outcomes(of: [altered], at: bela) == ["noKey"])
    }

    @Test func repeatedMessagesAreRecognisedWithinARunAndIfLate() throws {
        let (amina, bela) = try Person.pair()
        let sent = try amina.send("One", "Two", "Three")
        let order = [sent[2], sent[2], sent[0], sent[0], sent[2], sent[1]]
        #expect(
            try outcomes(of: order, at: bela)
                == ["read", "readBefore", "read", "readBefore", "readBefore", "read"])
    }

    /// A message that was decrypted by a dead process is accepted once more. After that, it counts as read
    /// before.
    @Test func aMessageOfADeadProcessIsAcceptedOnceMore() throws {
        let (amina, bela) = try Person.pair()
        let sent = try amina.send("Hello")
        #expect(try bela.receive(sent, written: 0) == ["Hello"])
        #expect(try outcomes(of: sent, at: bela) == ["readBefore"])
        #expect(try bela.mark(as: "1 0 another boot") == 1)
        #expect(try bela.receive(sent) == [.again("Hello")])
        #expect(try outcomes(of: sent, at: bela) == ["readBefore"])
    }

    @Test func messagesOfOtherContactsAreNotRecognised() throws {
        let (amina, bela) = try Person.pair()
        let sent = try amina.send("Hello")
        #expect(try bela.receive(sent) == ["Hello"])
        let keyring = try bela.open()
        let other = try keyring.add(name: "Zed", number: nil)
        _ = consume other
        #expect(try outcomes(of: sent, at: bela, from: "Zed").first?.hasPrefix("notReady") == true)
    }
}

/// Tests the list of messages that were read before.
@Suite(.measured) struct ReadMessageTests {
    @Test func theNewest64HashesAreKept() {
        var read = ReadMessages()
        /// The last bit of a hash says whether the message contained text.
        func known(_ hashes: ClosedRange<UInt32>) -> [UInt32] {
            hashes.filter { read.hasText(2 * $0) == ($0 % 3 > 0) }
        }
        for hash in 1...70 as ClosedRange<UInt32> {
            read.add(2 * hash, hasText: hash % 3 > 0)
        }
        // A message that is decrypted again after a crash becomes the newest, and no message is displaced.
        read.add(2 * 10 + 1, hasText: true)
        #expect(known(1...70) == Array(7...70))
        for hash in 71...133 as ClosedRange<UInt32> {
            read.add(2 * hash, hasText: hash % 3 > 0)
        }
        #expect(known(1...133) == [10] + Array(71...133))
    }
}
