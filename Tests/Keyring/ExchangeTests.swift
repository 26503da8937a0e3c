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
        #expect(try amina.past().retired.count == 20)
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
        #expect(try state.received == 5 && bela.past().skipped.count >= 25)
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
        #expect(try amina.keysUsed() <= Sending.maximumKeysInFlight)
        let second = try amina.encrypt(Array(messages[count...]))
        #expect(count + second.ciphertexts.count == 150)
        // If a crash loses a whole exchange, the next messages are still within the contact's window.
        #expect(try bela.receive([second.ciphertexts[0]]) == [.message(messages[count])])
        #expect(try bela.receive(first.ciphertexts) == messages[..<count].map(Read.late))
    }

    private func room(_ keyring: Keyring, for contact: ContactID) throws -> Int {
        try keyring.reading { (store) throws(KeyringError) in try store.runs.room() }[contact]
            ?? Sending.maximumKeysInFlight
    }

    /// The limit includes the keys that a dead process left in flight.
    @Test func atMost100KeysAreInFlight() throws {
        let (amina, _) = try Person.pair()
        let keyring = try amina.open()
        let contact = try amina.contact(in: keyring).id
        #expect(try room(keyring, for: contact) == 100)
        let dead = try amina.another(bootID: "boot before")
        try dead.change { (store) throws(KeyringError) in
            try store.runs.saveInFlight([contact: 98])
        }
        #expect(try room(keyring, for: contact) == 2)
    }

    /// A process leaves its record to the next process when it has finished its messages.
    @Test func aProcessSeesTheKeysOfTheProcessThatTookOverItsRecord() throws {
        let (amina, _) = try Person.pair()
        let (first, second) = (try amina.another(), try amina.anotherLiving())
        try amina.encrypt(["One"], with: first).finish()
        let sent = try amina.encrypt((0..<150).map { "Message \($0)" }, with: second)
        #expect(second.knownRunNumber == first.knownRunNumber)
        #expect(sent.ciphertexts.count > 80)
        #expect(try room(first, for: amina.contact(in: first).id) == 0)
        #expect(try amina.encrypt(["Two"], with: first).ciphertexts.isEmpty)
        try sent.finish()
        #expect(try amina.encrypt(["Two"], with: first).ciphertexts.count == 1)
    }

    @Test func aProcessSeesTheUnwrittenMessagesOfTheProcessThatTookOverItsRecord() throws {
        let (amina, bela) = try Person.pair()
        let (first, second) = (try bela.another(), try bela.anotherLiving())
        let sent = try amina.encrypt((0..<50).map { "Message \($0)" }).ciphertexts
        _ = try bela.receive([sent[0]], with: first)
        _ = try bela.receive(Array(sent[1...]), written: 0, with: second)
        #expect(second.knownRunNumber == first.knownRunNumber)
        let contact = try bela.contact(in: first).id
        let unwritten = try first.reading { (store) throws(KeyringError) in
            try store.runs.unwrittenByOthers()
        }
        #expect(unwritten.mapValues { $0.count } == [contact: 49])
    }

    @Test(arguments: [0, 1, 42, 60])
    func keysOfMessagesThatWereNotOutputAreTakenBack(_ kept: Int) throws {
        let (amina, bela) = try Person.pair()
        let messages = (0..<60).map { "Message \($0)" }
        let sent = try amina.encrypt(messages)
        #expect(sent.ciphertexts.count == 60)
        try sent.finish(written: kept)
        #expect(try amina.state().sent == kept)
        let used = try amina.keysUsed()
        #expect(used >= kept && (used > 0) == (kept > 0))
        amina.close()
        // Encryption is deterministic, so the same keys give the same ciphertexts.
        let again = try amina.encrypt(Array(messages[kept...]))
        #expect(again.ciphertexts == Array(sent.ciphertexts[kept...]))
        let all = sent.ciphertexts[..<kept] + again.ciphertexts
        #expect(try bela.receive(Array(all)) == messages.map(Read.message))
        #expect(try bela.past().skipped.count == amina.keysUsed() - 60)
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

    /// Five processes die, each with as many keys in flight as it may have. The next message is decrypted
    /// with the ordinary window.
    @Test func fiveDeadProcessesDoNotMoveTheChainBeyondTheWindow() throws {
        let (amina, bela) = try Person.pair()
        let messages = (0..<100).map { "Message \($0)" }
        for number in 0..<5 {
            let dead = try amina.another(bootID: "boot \(number)")
            let count = try amina.encrypt(messages, with: dead).ciphertexts.count
            #expect(number == 0 ? count > 80 : count <= 1)
        }
        amina.close()
        #expect(try amina.keysUsed() >= 100 && amina.keysUsed() < Conversation.window)
        var next: [[UInt8]] = []
        while next.isEmpty {
            let one = try amina.encrypt(["Next"])
            next = one.ciphertexts
            try one.finish()
        }
        #expect(try bela.receive(next) == ["Next"])
        #expect(try amina.busyRecords() == 0)
    }

    /// The keys that a dead process had in flight are keys of a conversation that no longer exists, so they
    /// do not count any more, and nothing remains in the record of the process.
    @Test(arguments: [true, false])
    func anErasedConversationLeavesNoKeysInFlightOfDeadProcesses(_ isRemoved: Bool) throws {
        let (amina, _) = try Person.pair()
        _ = try amina.encrypt(["Hello"], with: try amina.another(bootID: "boot before"))
        #expect(try amina.busyRecords() == 1)
        let keyring = try amina.open()
        let contact = try amina.contact(in: keyring)
        if isRemoved {
            try keyring.remove(contact)
        } else {
            try keyring.loseKeys(of: [contact]) { (_, _) in }
        }
        #expect(try room(keyring, for: contact.id) == 100)
        #expect(try amina.busyRecords() == 0)
    }

    /// No position is handed out twice, except those of messages that certainly nobody has seen.
    @Test func aPositionThatWasTakenBackIsThePositionOfTheSameKey() throws {
        let (amina, bela) = try Person.pair()
        let sent = try amina.encrypt(["One", "Two", "Three"])
        try sent.finish(written: 1)
        let used = try amina.keysUsed()
        let between = try amina.encrypt(["Between"])
        let again = try amina.encrypt(["Two"], with: try amina.another())
        try between.finish(written: 0)
        // Another process has moved the chain, so the key of "Between" is lost.
        #expect(try amina.keysUsed() > used + 1)
        #expect(
            try bela.receive([sent.ciphertexts[0]] + again.ciphertexts) == ["One", "Two"])
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
        #expect(try bela.past().skipped.count == 1024)
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
        #expect(try bela.past().skipped.count <= 2)
    }
}
