import Support
import Testing

@testable import Keyring

/// Of each contact the last 64 messages that were read are known as such.
@Suite(.measured) struct ReadBeforeTests {
    /// What became of each ciphertext: `readBefore`, `noKey`, or "read".
    private func fates(
        of ciphertexts: [[UInt8]], at person: Person, from contact: String? = nil
    ) throws -> [String] {
        let keyring = try person.open()
        let id =
            try contact.map { try keyring.contact(named: $0).id } ?? person.contact(in: keyring).id
        var receiving = try Receiving(with: keyring)
        var fates: [String] = []
        for ciphertext in ciphertexts {
            var symbols = ciphertext
            var span = symbols.mutableSpan
            switch try receiving.pass(&span, of: id) {
            case .done: fates.append("read")
            case .not(let why): fates.append("\(why)")
            }
        }
        try receiving.commit()
        try receiving.finish()
        return fates
    }

    @Test func theLast64AreKnownAcrossRestarts() throws {
        let (amina, bela) = try Person.pair()
        let sent = try amina.encipher((0..<70).map { "Message \($0)" }).ciphertexts
        #expect(sent.count == 70)
        #expect(try bela.receive(sent).count == 70)
        bela.close()
        let fates = try fates(of: sent, at: bela)
        #expect(fates[..<6].allSatisfy { $0 == "noKey" })
        #expect(fates[6...].allSatisfy { $0 == "readBefore" })
        // A refusal forgets none.
        #expect(try self.fates(of: [sent[6]], at: bela) == ["readBefore"])
        var altered = sent[69]
        altered[80] = (altered[80] + 1) % 125
        #expect(try self.fates(of: [altered], at: bela) == ["noKey"])
    }

    @Test func withinARunAndForLateOnes() throws {
        let (amina, bela) = try Person.pair()
        let sent = try amina.send("One", "Two", "Three")
        let order = [sent[2], sent[2], sent[0], sent[0], sent[2], sent[1]]
        #expect(
            try fates(of: order, at: bela)
                == ["read", "readBefore", "read", "readBefore", "readBefore", "read"])
    }

    /// A message that a dead process had read comes again, once, and then it was read before.
    @Test func afterACrashItIsAgain() throws {
        let (amina, bela) = try Person.pair()
        let sent = try amina.send("Hello")
        #expect(try bela.receive(sent, written: 0) == ["Hello"])
        #expect(try fates(of: sent, at: bela) == ["readBefore"])
        #expect(try bela.mark(as: "1 0 another boot") == 1)
        #expect(try bela.receive(sent) == [.again("Hello")])
        #expect(try fates(of: sent, at: bela) == ["readBefore"])
    }

    @Test func anothersIsNotKnown() throws {
        let (amina, bela) = try Person.pair()
        let sent = try amina.send("Hello")
        #expect(try bela.receive(sent) == ["Hello"])
        let keyring = try bela.open()
        let other = try keyring.add(name: "Zed", number: nil)
        _ = consume other
        #expect(try fates(of: sent, at: bela, from: "Zed").first?.hasPrefix("notReady") == true)
    }
}
