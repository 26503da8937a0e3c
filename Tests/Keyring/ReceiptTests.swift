import Foundation
import FrameLayout
import Protocol
import Support
import TestPeople
import Testing

@testable import Keyring

/// Tests receipts between two keyrings: which messages wait for a receipt, what a receipt states, and what the
/// sender of the messages concludes (smsenc-protocol(7), Receipts).
@Suite(.measured) struct ReceiptTests {
    private static let day: Int64 = 86_400

    /// Creates two people. Bela sends receipts to Amina.
    private func pair() throws -> (amina: Person, bela: Person) {
        let (amina, bela) = try Person.pair(inMemory: true)
        try bela.turnReceiptsOn()
        return (amina, bela)
    }

    private func encrypt(_ person: Person, _ messages: String...) throws -> Person.Sent {
        let sent = try person.encrypt(messages)
        #expect(sent.ciphertexts.count == messages.count)
        try sent.finish()
        return sent
    }

    /// Encrypts a receipt alone. Returns nil if none is due.
    private func receipt(of person: Person) throws -> [UInt8]? {
        let sent = try person.encryptReceipt()
        try sent.finish()
        return sent.ciphertexts.first
    }

    /// Checks that a receipt alone is due, and takes it in.
    private func deliverReceipt(of bela: Person, to amina: Person) throws {
        let alone = try #require(try receipt(of: bela))
        #expect(try amina.receive([alone]) == [.receipt])
    }

    private func isMissing(_ state: SentState) -> Bool {
        if case .missing = state { true } else { false }
    }

    // MARK: What receipts state

    @Test func aReceiptInAMessageIsTakenIn() throws {
        let (amina, bela) = try pair()
        let sent = try encrypt(amina, "One", "Two", "Three", "Four")
        #expect(try amina.fates(of: sent) == [.unknown, .unknown, .unknown, .unknown])
        #expect(try bela.receive([sent.ciphertexts[0], sent.ciphertexts[2]]) == ["One", "Three"])
        let reply = try encrypt(bela, "Reply")
        amina.clock.turn(by: 50)
        #expect(try amina.receive(reply.ciphertexts) == ["Reply"])
        let arrival = amina.clock.wall
        #expect(
            try amina.fates(of: sent) == [.read, .missing(since: arrival), .read, .unknown])
        #expect(try amina.state().read == 2)
        // Nothing waits any more, so the next message contains no receipt.
        let waiting = try bela.state().waiting
        #expect(waiting.messages == 0)
        _ = try encrypt(bela, "Without a receipt")
        #expect(try bela.state().waiting.lastReceipt == waiting.lastReceipt)
    }

    /// If receipts are off, nothing is stated.
    @Test func withoutReceiptsNothingIsKnown() throws {
        let (amina, bela) = try Person.pair(inMemory: true)
        let sent = try encrypt(amina, "One")
        #expect(try bela.receive(sent.ciphertexts) == ["One"])
        bela.clock.turn(by: 30 * Self.day)
        #expect(try receipt(of: bela) == nil)
        #expect(try amina.receive(encrypt(bela, "Reply").ciphertexts) == ["Reply"])
        #expect(try amina.fates(of: sent) == [.unknown])
    }

    @Test func messagesWithoutRoomContainNoReceipt() throws {
        let (amina, bela) = try pair()
        let sent = try encrypt(amina, "One")
        #expect(try bela.receive(sent.ciphertexts) == ["One"])
        var generator = Generator(seed: 71)
        let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-*/=<>")
        let long = String((0..<144).map { _ in generator.pick(letters) })
        #expect(try amina.receive(encrypt(bela, long).ciphertexts) == [.message(long)])
        #expect(try amina.fates(of: sent) == [.unknown])
        #expect(try amina.receive(encrypt(bela, "Short").ciphertexts) == ["Short"])
        #expect(try amina.fates(of: sent) == [.read])
    }

    /// Rereading and a late receipt change nothing that was read.
    @Test func whatWasReadStaysRead() throws {
        let (amina, bela) = try pair()
        let sent = try encrypt(amina, "One", "Two", "Three")
        #expect(try bela.receive([sent.ciphertexts[2]]) == ["Three"])
        let early = try encrypt(bela, "First reply")
        #expect(try bela.receive([sent.ciphertexts[0], sent.ciphertexts[1]]).count == 2)
        let late = try encrypt(bela, "Second reply")
        #expect(try amina.receive(late.ciphertexts) == ["Second reply"])
        #expect(try amina.fates(of: sent) == [.read, .read, .read])
        #expect(try amina.receive(early.ciphertexts) == [.late("First reply")])
        #expect(try amina.fates(of: sent) == [.read, .read, .read])
        #expect(try amina.state().read == 3)
    }

    /// More than 1,024 keys are skipped, so the receipt says nothing about the first messages.
    @Test func aReceiptSaysNothingAboutErasedKeys() throws {
        let (amina, bela) = try pair()
        var lost: [Person.Sent] = []
        while lost.reduce(0, { $0 + $1.positions.count }) < 1100 {
            let sent = try amina.encrypt((0..<90).map { "Message \($0)" })
            try sent.finish()
            lost.append(sent)
        }
        let last = try encrypt(amina, "Last")
        let keyring = try bela.open()
        let contact = try bela.contact(in: keyring).id
        var receiving = try Receiving(with: keyring, searching: Conversation.farWindow)
        var symbols = last.ciphertexts[0]
        var span = symbols.mutableSpan
        guard case .done = try receiving.decrypt(&span, of: contact) else {
            Issue.record("the message was not decrypted")
            return
        }
        try receiving.commit()
        try receiving.finish()
        #expect(try amina.receive(encrypt(bela, "Reply").ciphertexts) == ["Reply"])
        let end = try #require(last.positions.first).key
        let start = end - UInt32(ConversationPast.maximumSkippedKeys)
        for position in lost.flatMap(\.positions) {
            let state = try amina.fate(of: position)
            #expect(position.key < start ? state == .unknown : isMissing(state))
        }
        #expect(try amina.fates(of: last) == [.read])
    }

    // MARK: Messages that are being written

    /// A message that another process has decrypted and not yet written was not read.
    @Test func unwrittenMessagesCountAsNotRead() throws {
        let (amina, bela) = try pair()
        let sent = try encrypt(amina, "One", "Two", "Three")
        #expect(try bela.receive([sent.ciphertexts[0]]) == ["One"])
        let other = try bela.anotherLiving()
        #expect(
            try bela.receive(Array(sent.ciphertexts[1...]), written: 1, with: other)
                == ["Two", "Three"])
        try deliverReply(from: bela, to: amina)
        #expect(try amina.fates(of: sent).map(isMissing) == [false, false, true])
        // One message still waits for a receipt.
        #expect(try bela.state().waiting.messages == 1)
        // If nothing else waits, there is nothing to say about this message.
        let before = try bela.state().waiting.lastReceipt
        try deliverReply(from: bela, to: amina)
        #expect(try bela.state().waiting.lastReceipt == before)
        // The process dies, and the message still was not read.
        bela.close()
        #expect(try bela.mark(as: "1 0 another boot") == 1)
        try deliverReply(from: bela, to: amina)
        #expect(try amina.fates(of: sent).map(isMissing) == [false, false, true])
        #expect(try bela.receive([sent.ciphertexts[2]]) == [.again("Three")])
        // The last receipt said that it was not read.
        #expect(try bela.state().waiting.isDueAtOnce)
        try deliverReply(from: bela, to: amina)
        #expect(try amina.fates(of: sent) == [.read, .read, .read])
        #expect(try bela.isSound())
    }

    private func deliverReply(from bela: Person, to amina: Person) throws {
        #expect(try amina.receive(encrypt(bela, "Reply").ciphertexts) == ["Reply"])
    }

    // MARK: When receipts are due

    @Test func aReceiptAloneIsDueAfterFourDays() throws {
        let (amina, bela) = try pair()
        let sent = try encrypt(amina, "One")
        #expect(try bela.receive(sent.ciphertexts) == ["One"])
        bela.clock.turn(by: 4 * Self.day - 1)
        #expect(try receipt(of: bela) == nil)
        bela.clock.turn(by: 1)
        let alone = try #require(try receipt(of: bela))
        #expect(try receipt(of: bela) == nil)
        #expect(try amina.receive([alone]) == [.receipt])
        #expect(try amina.fates(of: sent) == [.read])
        // A receipt alone does not wait for a receipt.
        try amina.turnReceiptsOn()
        #expect(try amina.state().waiting.messages == 0)
        amina.clock.turn(by: 30 * Self.day)
        #expect(try receipt(of: amina) == nil)
    }

    @Test(arguments: [(9, 2, false), (10, 2, true), (99, 1, false), (100, 0, true)])
    func aReceiptAloneIsDueEarlierIfManyMessagesWait(
        _ count: Int, _ days: Int64, _ isDue: Bool
    ) throws {
        let (amina, bela) = try pair()
        for _ in 0..<count {
            #expect(try bela.receive(encrypt(amina, "Hello").ciphertexts) == ["Hello"])
        }
        bela.clock.turn(by: days * Self.day)
        #expect(try (receipt(of: bela) != nil) == isDue)
    }

    @Test func aMissingMessageThatArrivesMakesAReceiptDueAtOnce() throws {
        let (amina, bela) = try pair()
        let sent = try encrypt(amina, "One", "Two", "Three")
        #expect(try bela.receive([sent.ciphertexts[2]]) == ["Three"])
        try deliverReply(from: bela, to: amina)
        #expect(try amina.fates(of: sent).map(isMissing) == [true, true, false])
        #expect(try receipt(of: bela) == nil)
        #expect(try bela.receive([sent.ciphertexts[0]]) == [.late("One")])
        try deliverReceipt(of: bela, to: amina)
        #expect(try amina.fates(of: sent).map(isMissing) == [false, true, false])
        #expect(try receipt(of: bela) == nil)
    }

    /// The last receipt did not list the late message, so it can wait.
    @Test func aLateMessageThatWasNotListedIsNotDueAtOnce() throws {
        let (amina, bela) = try pair()
        let sent = try encrypt(amina, "One", "Two")
        #expect(try bela.receive([sent.ciphertexts[1]]) == ["Two"])
        #expect(try bela.receive([sent.ciphertexts[0]]) == [.late("One")])
        #expect(try receipt(of: bela) == nil)
    }

    @Test func aRepeatedMessageMakesAReceiptDueOnceInTwoDays() throws {
        let (amina, bela) = try pair()
        let sent = try encrypt(amina, "One")
        #expect(try bela.receive(sent.ciphertexts) == ["One"])
        try deliverReply(from: bela, to: amina)
        var due: [Int] = []
        for hour in 0..<120 {
            bela.clock.turn(by: 3600)
            #expect(try bela.receive(sent.ciphertexts) == [.refused])
            if let alone = try receipt(of: bela) {
                due.append(hour)
                #expect(try amina.receive([alone]) == [.receipt])
            }
        }
        #expect(due == [0, 48, 96])
        // A receipt that arrives again is not a reason for another receipt.
        bela.clock.turn(by: 30 * Self.day)
        try amina.turnReceiptsOn()
        #expect(try bela.receive(sent.ciphertexts) == [.refused])
        let alone = try #require(try receipt(of: bela))
        #expect(try amina.receive([alone, alone]) == [.receipt, .refused])
        #expect(try receipt(of: amina) == nil)
    }

    @Test func aClockThatGoesBackMakesAReceiptDue() throws {
        let (amina, bela) = try pair()
        #expect(try bela.receive(encrypt(amina, "One").ciphertexts) == ["One"])
        bela.clock.turn(by: -100)
        #expect(try receipt(of: bela) != nil)
        #expect(try receipt(of: bela) == nil)
    }

    // MARK: Receipts that are not sent

    /// The message that contained the receipt was not written.
    @Test func takingAMessageBackMakesItsReceiptWaitAgain() throws {
        let (amina, bela) = try pair()
        let sent = try encrypt(amina, "One", "Two")
        #expect(try bela.receive([sent.ciphertexts[1]]) == ["Two"])
        try deliverReply(from: bela, to: amina)
        #expect(try bela.receive([sent.ciphertexts[0]]) == [.late("One")])
        for _ in 0..<3 {
            let unsent = try bela.encryptReceipt()
            #expect(try unsent.ciphertexts.count == 1 && bela.state().waiting.messages == 0)
            #expect(try bela.busyRecords() == 1)
            try unsent.finish(written: 0)
            let waiting = try bela.state().waiting
            #expect(waiting.messages == 1 && waiting.isDueAtOnce)
            #expect(try bela.busyRecords() == 0)
        }
        try deliverReceipt(of: bela, to: amina)
        #expect(try amina.fates(of: sent) == [.read, .read])
    }

    /// The first message of a batch contains the receipt, and only later messages are taken back.
    @Test(arguments: [(0, 1 as UInt32), (1, 0), (2, 0)])
    func onlyTheMessageWithTheReceiptMatters(_ written: Int, _ waits: UInt32) throws {
        let (amina, bela) = try pair()
        #expect(try bela.receive(encrypt(amina, "One").ciphertexts) == ["One"])
        let unsent = try bela.encrypt(["Reply", "Another", "Third"])
        try unsent.finish(written: written)
        #expect(try bela.state().waiting.messages == waits)
    }

    /// No position is printed for two messages.
    @Test func noPositionIsUsedTwice() throws {
        let (amina, bela) = try pair()
        var generator = Generator(seed: 72)
        var printed: [Position] = []
        for round in 0..<60 {
            let sent = try amina.encrypt((0...generator.number(below: 4)).map { "\(round) \($0)" })
            let count = generator.number(below: sent.positions.count + 1)
            if generator.once(in: 3) {
                // Another process moves the chain in the meantime.
                printed += try amina.encrypt(["More"], with: amina.another()).positions
            }
            try sent.finish(written: count)
            printed += sent.positions[..<count]
            if generator.once(in: 4) {
                let arrived = sent.ciphertexts[..<count].filter { _ in generator.once(in: 2) }
                _ = try bela.receive(Array(arrived))
                _ = try amina.receive(encrypt(bela, "Reply").ciphertexts)
            }
        }
        #expect(Set(printed).count == printed.count && printed.count > 100)
        for position in printed { #expect(try amina.fate(of: position) != .ended) }
    }

    /// Messages that were taken back do not count as missing.
    @Test func messagesThatWereTakenBackAreNotMissing() throws {
        let (amina, bela) = try pair()
        let sent = try amina.encrypt(["One", "Two", "Three"])
        let later = try amina.encrypt(["Later"], with: amina.another())
        try sent.finish(written: 1)
        #expect(try bela.receive([sent.ciphertexts[0]] + later.ciphertexts) == ["One", "Later"])
        try deliverReply(from: bela, to: amina)
        let keyring = try amina.open()
        #expect(try keyring.stateAndMissing(of: amina.contact(in: keyring)).missing == 0)
        #expect(try amina.state().read == 2)
    }

    /// A process dies after the commit. Nobody knows whether the message was written.
    @Test func theReceiptOfADeadProcessWaitsAgain() throws {
        let (amina, bela) = try pair()
        #expect(try bela.receive(encrypt(amina, "One").ciphertexts) == ["One"])
        let unsent = try bela.encrypt(["Reply"])
        #expect(try bela.state().waiting.messages == 0)
        _ = unsent
        bela.close()
        try bela.mark(as: "1 0 another boot")
        // The next transaction finds that the process is dead.
        _ = try bela.encrypt(["Not committed"], commits: false)
        #expect(try amina.receive(encrypt(bela, "Again").ciphertexts) == ["Again"])
        #expect(try amina.state().read == 1)
        #expect(try bela.state().waiting.messages == 0)
        #expect(try bela.isSound())
    }

    /// The second process has put in a receipt since, so nothing waits if the first process is dead.
    @Test func anotherReceiptReplacesTheOneOfADeadProcess() throws {
        let (amina, bela) = try pair()
        #expect(try bela.receive(encrypt(amina, "One").ciphertexts) == ["One"])
        let first = try bela.encrypt(["Reply"], with: bela.anotherLiving())
        #expect(try bela.receive(encrypt(amina, "Two").ciphertexts) == ["Two"])
        let second = try encrypt(bela, "Second reply")
        #expect(try amina.receive(second.ciphertexts) == ["Second reply"])
        try first.finish(written: 0)
        #expect(try bela.state().waiting.messages == 0)
        #expect(try amina.state().read == 2)
    }

    /// Two processes put in receipts one after the other, and both are taken back, in either order. A receipt
    /// remains due.
    @Test(arguments: [true, false])
    func twoProcessesTakeTheirReceiptsBack(_ isFirstFirst: Bool) throws {
        let (amina, bela) = try pair()
        let sent = try encrypt(amina, "One", "Two")
        #expect(try bela.receive([sent.ciphertexts[0]]) == ["One"])
        let first = try bela.encrypt(["Reply"], with: bela.anotherLiving())
        #expect(try bela.receive([sent.ciphertexts[1]]) == ["Two"])
        let second = try bela.encrypt(["Second reply"])
        for sent in isFirstFirst ? [first, second] : [second, first] {
            try sent.finish(written: 0)
        }
        #expect(try bela.state().waiting.messages >= 1)
        bela.clock.turn(by: 4 * Self.day)
        try deliverReceipt(of: bela, to: amina)
        #expect(try amina.fates(of: sent) == [.read, .read])
    }

    /// A message that is read while a receipt is in flight keeps waiting.
    @Test func messagesReadInTheMeantimeKeepWaiting() throws {
        let (amina, bela) = try pair()
        #expect(try bela.receive(encrypt(amina, "One").ciphertexts) == ["One"])
        let reply = try bela.encrypt(["Reply"])
        let other = try bela.anotherLiving()
        #expect(
            try bela.receive(encrypt(amina, "Two").ciphertexts, with: other) == ["Two"])
        try reply.finish()
        #expect(try bela.state().waiting.messages == 1)
        let again = try bela.encrypt(["Reply"])
        #expect(
            try bela.receive(encrypt(amina, "Three").ciphertexts, with: other) == ["Three"])
        try again.finish(written: 0)
        #expect(try bela.state().waiting.messages == 2)
    }

    // MARK: The end of a conversation

    @Test(arguments: ["resync", "restored", "lost"])
    func whatIsKnownOutlivesTheConversation(_ command: String) throws {
        let (amina, bela) = try pair()
        let sent = try encrypt(amina, "One", "Two", "Three")
        #expect(try bela.receive([sent.ciphertexts[0], sent.ciphertexts[2]]).count == 2)
        try deliverReply(from: bela, to: amina)
        let late = try encrypt(amina, "Four")
        let unread = try bela.receive(late.ciphertexts)
        #expect(unread == ["Four"])
        switch command {
        case "restored": try amina.open().adoptRestored()
        case "lost":
            let keyring = try amina.open()
            try keyring.loseKeys(of: [amina.contact(in: keyring)]) { (_, _) in }
        default: break
        }
        let theirs = try bela.syncKey(renew: true)
        let ours = try amina.syncKey(renew: true)
        try amina.synchronise(with: theirs)
        try bela.synchronise(with: ours)
        #expect(try amina.fates(of: sent) == [.read, .ended, .read])
        #expect(try amina.fates(of: late) == [.ended])
        // Nothing of the earlier conversation waits for a receipt.
        #expect(try bela.state().waiting.messages == 0)
        let fresh = try encrypt(amina, "Five", "Six")
        #expect(fresh.positions[0].direction != sent.positions[0].direction)
        #expect(try bela.receive([fresh.ciphertexts[1]]) == ["Six"])
        try deliverReply(from: bela, to: amina)
        #expect(try amina.fates(of: fresh).map(isMissing) == [true, false])
        #expect(try amina.fates(of: sent) == [.read, .ended, .read])
        #expect(try amina.isSound() && bela.isSound())
    }

    /// A copy of the keyring knows what was read when the copy was made, and nothing about later messages.
    @Test func aRestoredCopyKnowsWhatWasReadBefore() throws {
        let (amina, bela) = try pair()
        let sent = try encrypt(amina, "One", "Two")
        #expect(try bela.receive([sent.ciphertexts[0]]) == ["One"])
        try deliverReply(from: bela, to: amina)
        amina.close()
        let copy = try Data(contentsOf: URL(fileURLWithPath: amina.path))
        let open = try amina.encrypt(["Three", "Four"])
        try open.finish(written: 1)
        let later = try encrypt(amina, "Five")
        #expect(
            try bela.receive([open.ciphertexts[0], sent.ciphertexts[1]] + later.ciphertexts)
                .count == 3)
        try deliverReply(from: bela, to: amina)
        #expect(try amina.fates(of: later) == [.read])
        amina.close()
        try overwrite(amina.path, copy)
        try amina.open().adoptRestored()
        #expect(try amina.fates(of: sent) == [.read, .ended])
        #expect(try amina.fates(of: open) == [.ended, .ended])
        #expect(try amina.fates(of: later) == [.ended])
    }

    /// A keyring that was set back does not answer, because it does not know what was read since.
    @Test func aKeyringThatWasSetBackDoesNotAnswer() throws {
        let (amina, bela) = try pair()
        let sent = try encrypt(amina, "One")
        amina.close()
        let copy = try Data(contentsOf: URL(fileURLWithPath: amina.path))
        #expect(try bela.receive(sent.ciphertexts) == ["One"])
        try deliverReply(from: bela, to: amina)
        amina.close()
        try overwrite(amina.path, copy)
        #expect(throws: KeyringError.copy(.behind)) { try amina.fates(of: sent) }
        let keyring = try amina.open()
        let contact = try amina.contact(in: keyring)
        #expect(throws: KeyringError.copy(.behind)) { try keyring.stateAndMissing(of: contact) }
    }

    @Test func nothingIsKnownAboutAContactThatWasRemoved() throws {
        let (amina, bela) = try pair()
        let sent = try encrypt(amina, "One")
        #expect(try bela.receive(sent.ciphertexts) == ["One"])
        try deliverReply(from: bela, to: amina)
        let keyring = try amina.open()
        let id = try amina.contact(in: keyring).id
        try keyring.remove(try amina.contact(in: keyring))
        _ = try keyring.add(name: amina.contactName, number: nil)
        #expect(try amina.fates(of: sent) == [.ended])
        amina.contactName = id.text
        #expect(try amina.fates(of: sent) == [.ended])
    }

    // MARK: Frames

    /// A frame that does not fit into the batch, because too many keys are in flight, is unchanged, so that the
    /// next batch can encrypt it.
    @Test func aFrameThatWasNotEncryptedIsUnchanged() throws {
        let (amina, bela) = try pair()
        // Another process leaves one key. This key has to be discarded for one frame in 40.
        let other = try bela.anotherLiving()
        var (count, keys) = (99, 0 as UInt32)
        while keys != 99 {
            let flood = try bela.encrypt((0..<count).map { "Message \($0)" }, with: other)
            let (first, last) = (
                flood.positions[0].key, flood.positions[flood.positions.count - 1].key
            )
            keys = last - first + 1
            if keys < 99 {
                try flood.finish()
                count = 99
            } else if keys > 99 {
                try flood.finish(written: 0)
                count -= 1
            }
        }
        #expect(try bela.receive(encrypt(amina, "One").ciphertexts) == ["One"])
        var unencrypted = 0
        for round in 0..<400 {
            let sent = try bela.encrypt(["A reply with a receipt \(round)"])
            if sent.positions.isEmpty { unencrypted += 1 }
            try sent.finish(written: 0)
            #expect(try bela.state().waiting.messages == 1)
        }
        #expect(unencrypted > 0)
    }
}
