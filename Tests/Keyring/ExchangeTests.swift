import Foundation
import Protocol
import Support
import Testing

@testable import Keyring

/// Tests conversations between two keyrings. Every commit must be durable before anything is output.
@Suite(.measured) struct ExchangeTests {
    @Test func conversationsContinueAcrossRestarts() throws {
        let (amina, bela) = try Person.pair()
        for round in 0..<20 {
            let question = try amina.send("Question \(round)", "And another")
            #expect(try bela.receive(question) == ["Question \(round)", "And another"])
            amina.close()
            bela.close()
            let answer = try bela.send("Answer \(round)")
            #expect(try amina.receive(answer) == ["Answer \(round)"])
        }
        let state = try amina.state()
        #expect(state.sent == 40 && state.received == 20 && state.unconfirmed == 0)
        #expect(state.skipped.chainCount == 20)
    }

    @Test func lateMessagesAreDecryptedOnceAcrossRestarts() throws {
        let (amina, bela) = try Person.pair()
        let sent = try amina.encrypt((0..<30).map { "Message \($0)" }).ciphertexts
        #expect(try bela.receive([sent[29]]) == ["Message 29"])
        for index in [3, 28, 0, 17] {
            bela.close()
            #expect(try bela.receive([sent[index]]) == [.late("Message \(index)")])
            bela.close()
            #expect(try bela.receive([sent[index], sent[29]]) == [.refused, .refused])
        }
        let state = try bela.state()
        #expect(state.received == 5 && state.skipped.keyCount >= 25)
    }

    @Test func aRefusedMessageChangesNothingOnDisk() throws {
        let (amina, bela) = try Person.pair()
        let sent = try amina.send("Hello")
        var altered = sent[0]
        altered[80] = (altered[80] + 1) % 125
        bela.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: bela.path))
        #expect(try bela.receive([altered]) == [.refused])
        bela.close()
        #expect(try Data(contentsOf: URL(fileURLWithPath: bela.path)) == before)
        #expect(try bela.receive(sent) == ["Hello"])
    }

    @Test func oneExchangeUsesAtMost100Keys() throws {
        let (amina, bela) = try Person.pair()
        let messages = (0..<150).map { "Message \($0)" }
        let first = try amina.encrypt(messages)
        let count = first.ciphertexts.count
        #expect((80...100).contains(count))
        #expect(try #require(first.keys.last) <= Sending.maximumKeysInFlight)
        let second = try amina.encrypt(Array(messages[count...]))
        #expect(count + second.ciphertexts.count == 150)
        // If a crash loses a whole exchange, the next messages are still within the contact's window.
        #expect(try bela.receive([second.ciphertexts[0]]) == [.message(messages[count])])
        #expect(try bela.receive(first.ciphertexts) == messages[..<count].map(Read.late))
    }

    /// The limit includes the keys that a dead process left in flight.
    @Test func atMost100KeysAreInFlight() throws {
        let (amina, _) = try Person.pair()
        let keyring = try amina.open()
        let contact = try amina.contact(in: keyring).id
        try keyring.change { (store) throws(KeyringError) in
            #expect(try store.transit.keysInFlight().room(for: contact) == 100)
            try store.transit.saveInFlight([contact: 98], of: "1 0 another boot")
            #expect(try store.transit.keysInFlight().room(for: contact) == 2)
        }
    }

    @Test(arguments: [0, 1, 42, 60])
    func keysOfMessagesThatWereNotOutputAreTakenBack(_ kept: Int) throws {
        let (amina, bela) = try Person.pair()
        let messages = (0..<60).map { "Message \($0)" }
        let sent = try amina.encrypt(messages)
        #expect(sent.ciphertexts.count == 60)
        try sent.finish(written: kept)
        #expect(try amina.state().sent == kept)
        amina.close()
        // Encryption is deterministic, so the same keys give the same ciphertexts.
        let again = try amina.encrypt(Array(messages[kept...]))
        #expect(again.ciphertexts == Array(sent.ciphertexts[kept...]))
        let all = sent.ciphertexts[..<kept] + again.ciphertexts
        #expect(try bela.receive(Array(all)) == messages.map(Read.message))
        #expect(
            try bela.state().skipped.keyCount == (again.keys.last ?? 0)
                + (kept > 0 ? sent.keys[kept - 1] : 0) - 60)
    }

    /// A process died with 100 keys in flight. Messages that are taken back do not let the recipient skip
    /// these keys. Therefore, only one message at a time can be encrypted until a message is output.
    @Test func onlyMessagesThatWereOutputCloseTheGapOfADeadProcess() throws {
        let (amina, bela) = try Person.pair()
        let messages = (0..<150).map { "Message \($0)" }
        _ = try amina.encrypt(messages, with: try amina.another(bootID: "boot before"))
        for _ in 0..<2 {
            amina.close()
            let again = try amina.encrypt(messages)
            #expect(again.ciphertexts.count <= 1)
            try again.finish(written: 0)
        }
        var out: [[UInt8]] = []
        while out.isEmpty {
            let one = try amina.encrypt(["On we go"])
            out = one.ciphertexts
            try one.finish()
        }
        #expect(try bela.receive(out) == ["On we go"])
        #expect(try amina.encrypt(messages).ciphertexts.count > 1)
    }

    @Test func keysAreNotTakenBackIfAnotherProcessMovedTheChain() throws {
        let (amina, bela) = try Person.pair()
        let sent = try amina.encrypt(["One", "Two", "Three"])
        let between = try amina.encrypt(["Between"], with: try amina.another())
        try sent.finish(written: 1)
        let after = try amina.send("After")
        #expect(try bela.receive(after) == ["After"])
        #expect(try bela.receive(between.ciphertexts) == [.late("Between")])
    }

    /// The limit is exactly 30 days, even if no message has arrived from the contact in the meantime.
    @Test(arguments: [(0, true), (1, false)])
    func skippedKeysAreNotUsedAfter30Days(_ beyond: Int64, _ isThere: Bool) throws {
        let (amina, bela) = try Person.pair()
        let sent = try amina.send("One", "Two", "Three")
        _ = try bela.receive([sent[1]])
        _ = try amina.receive(try bela.send("Go on"))
        _ = try bela.receive(try amina.send("A new chain"))
        bela.close()
        // Commit in between, so that the clock does not appear to jump.
        bela.clock.turn(by: 20 * 86_400)
        _ = try bela.open().add(name: "Chidi", number: nil)
        bela.clock.turn(by: 10 * 86_400 + beyond)
        let keyring = try bela.open()
        #expect(try bela.receive([sent[0]]) == [isThere ? .late("One") : .refused])
        #expect(try bela.receive([sent[2]]) == [isThere ? .late("Three") : .refused])
        try keyring.file.close()
    }

    /// Unlocking erases expired keys of all contacts.
    @Test func unlockingErasesExpiredKeys() throws {
        let (amina, bela) = try Person.pair()
        let sent = try amina.send("One", "Two", "Three")
        _ = try bela.receive([sent[1]])
        _ = try bela.receive([sent[2]], written: 0)
        try bela.mark(as: "1 0 another boot")
        var counts: [Int64?] = []
        for days in [Int64(0), 29, 2] {
            bela.close()
            bela.clock.turn(by: days * 86_400)
            let keyring = try bela.open()
            counts.append(
                try keyring.database.statement(
                    "SELECT (SELECT count(*) FROM kept) + (SELECT count(*) FROM unwritten)"
                ).first { $0.integer(0) })
            #expect(try keyring.check { Issue.record("\($0)") } == 0)
            _ = try keyring.add(name: "Chidi \(days)", number: nil)
        }
        // Keys that were discarded in between are also kept.
        #expect(counts[0] ?? 0 >= 2 && counts[1] == counts[0] && counts[2] == 0, "\(counts)")
        #expect(try bela.receive([sent[0], sent[2]]) == [.refused, .refused])
        #expect(try bela.receive(try amina.send("Four")) == ["Four"])
    }

    /// The limit is the same for one run and for two runs.
    @Test(arguments: [true, false])
    func at1024SkippedKeysTheOldestAreErased(_ inOneRun: Bool) throws {
        let (amina, bela) = try Person.pair()
        var first: [UInt8]?
        var read: [[UInt8]] = []
        for _ in 0..<12 {
            let sent = try amina.encrypt((0..<95).map { "\($0)" })
            try sent.finish()
            first = first ?? sent.ciphertexts[0]
            read.append(try #require(sent.ciphertexts.last))
        }
        let early = try #require(first)
        let all = inOneRun ? try bela.receive(read + [early]) : try bela.receive(read)
        #expect(all.prefix(12).allSatisfy { $0 != .refused })
        #expect(try (inOneRun ? all.last : bela.receive([early]).last) == .refused)
        #expect(try bela.state().skipped.keyCount == 1024)
    }

    @Test func contactWithoutKeysIsNotReady() throws {
        let (amina, _) = try Person.pair()
        let keyring = try amina.open()
        try keyring.remove(try amina.contact(in: keyring))
        _ = try keyring.add(name: Person.names.bela, number: nil)
        #expect(try amina.encrypt(["Hello"]).ciphertexts.isEmpty)
        #expect(try amina.state().status == .waiting)
    }

    @Test func aDroppedExchangeChangesNothing() throws {
        let (amina, bela) = try Person.pair()
        let before = try amina.encrypt(["One"])
        #expect(try amina.encrypt(["Two"], commits: false).ciphertexts.count == 1)
        #expect(try amina.state().sent == 1)
        let after = try amina.send("Three")
        #expect(try bela.receive(before.ciphertexts + after) == ["One", "Three"])
        #expect(try bela.state().skipped.keyCount <= 2)
    }
}
