import Crypto
import FrameLayout
import Support
import Testing

@testable import Protocol

/// Checks how many keys are kept for late messages, and that the oldest keys are erased first
/// (smsenc-protocol(7), Receiving).
@Suite(.measured) struct SkippedKeysTests {
    /// Sends a reply, followed by the first message of a new chain.
    private func startNewChain(_ sender: Party, _ receiver: Party) throws {
        #expect(try sender.receive(try receiver.send("Go on")) != nil)
        #expect(try receiver.receive(try sender.send("A new chain"))?.isLate == false)
    }

    @Test func at1024SkippedKeysTheOldestIsErased() throws {
        let (amina, bela) = try Party.pair(seed: 20)
        var passed: [(ciphertext: [UInt8], newer: Int)] = []
        var keys = 0
        while keys < 1100 {
            for _ in 0..<60 {
                passed.append((try amina.send("Message"), keys))
                keys += amina.keysOfLast
            }
            // The key of the message that is read is erased, but discarded keys before that key are kept.
            #expect(try bela.receive(try amina.send("Read")) != nil)
            keys += amina.keysOfLast - 1
        }
        #expect(bela.past.skipped.count == ConversationPast.maximumSkippedKeys)
        let gone = keys - ConversationPast.maximumSkippedKeys
        // Discarded keys come before a message's own key, so the exact position of that key is unknown.
        var read = 0
        for (ciphertext, place) in passed where abs(place - gone) < 40 {
            let isThere = try bela.receive(ciphertext)?.isLate == true
            if isThere { read += 1 }
            if place >= gone { #expect(isThere) }
            if place + 10 < gone { #expect(!isThere) }
        }
        #expect(read > 20)
        #expect(bela.past.skipped.count == ConversationPast.maximumSkippedKeys - read)
    }

    @Test func at64RetiredChainsTheOldestIsErased() throws {
        let (amina, bela) = try Party.pair(seed: 21)
        var delayed: [[UInt8]] = []
        for round in 0..<66 {
            delayed.append(try amina.send("Delayed \(round)"))
            try startNewChain(amina, bela)
        }
        #expect(bela.past.retired.count == ConversationPast.maximumRetiredChains)
        for (round, ciphertext) in delayed.enumerated() {
            let read = try bela.receive(ciphertext)
            #expect(read?.message == (round < 2 ? nil : "Delayed \(round)"))
            #expect(read?.isLate == (round < 2 ? nil : true))
        }
        for ciphertext in delayed { #expect(try bela.receive(ciphertext) == nil) }
    }

    /// Keys of messages that are to be read again have a limit of their own, and push out nothing else.
    @Test func keysToReadAgainHaveTheirOwnLimit() throws {
        let (amina, bela) = try Party.pair(seed: 22)
        let sent = try (0..<3).map { try amina.send("Message \($0)") }
        #expect(try bela.receive(sent[2]) != nil)
        let skipped = bela.past.skipped.count
        for number in 0..<(ConversationPast.maximumKeysToReadAgain + 2) {
            bela.past.readAgain(try spentKey(at: KeyPosition(chain: 9, key: UInt32(number))))
        }
        #expect(bela.past.again.count == ConversationPast.maximumKeysToReadAgain)
        #expect(bela.past.again.first?.position.key == 2)
        #expect(bela.past.skipped.count == skipped)
        for index in 0..<2 { #expect(try bela.receive(sent[index])?.isLate == true) }
    }

    /// A past is stored and parsed without loss, in whatever order its parts were added.
    @Test func aStoredPastIsParsedWithoutLoss() throws {
        let (amina, bela) = try Party.pair(seed: 23)
        for round in 0..<5 {
            let sent = try (0..<4).map { try amina.send("Message \(round) \($0)") }
            for index in [1, 3] { #expect(try bela.receive(sent[index]) != nil) }
            _ = try amina.receive(try bela.send("Answer \(round)"))
        }
        bela.past.readAgain(try spentKey(at: KeyPosition(chain: 9, key: 1)))
        let state = bela.state
        var record = SecretWriter(capacity: bela.past.size)
        bela.past.write(to: &record)
        var reader = SecretReader(record.finish())
        bela.past = try ConversationPast(from: &reader)
        #expect(reader.remaining == 0 && !bela.past.isChanged && bela.state == state)
        // What is new is kept apart until the stored past is inserted before it.
        let stored = bela.past.size
        let more = try (0..<2).map { try amina.send("More \($0)") }
        var whole = ConversationPast()
        swap(&whole, &bela.past)
        #expect(try bela.receive(more[1]) != nil)
        bela.past.insert(older: whole)
        #expect(bela.past.isChanged && bela.past.size > stored)
        let positions = bela.past.skipped.map(\.position)
        #expect(positions == positions.sorted())
        #expect(try bela.receive(more[0])?.isLate == true)
    }

    /// Returns a past after it was stored and parsed.
    private func reparsed(_ past: borrowing ConversationPast) throws -> ConversationPast {
        var record = SecretWriter(capacity: past.size)
        past.write(to: &record)
        var reader = SecretReader(record.finish())
        let parsed = try ConversationPast(from: &reader)
        #expect(reader.remaining == 0)
        return parsed
    }

    /// A receipt says nothing about keys that were removed because there were too many, and nothing about older
    /// chains.
    @Test func theLimitIsRememberedForReceipts() throws {
        let (amina, bela) = try Party.pair(seed: 24)
        for _ in 0..<300 {
            for _ in 0..<30 { _ = try amina.send("Lost") }
            #expect(try bela.receive(try amina.send("Read")) != nil)
            try startNewChain(amina, bela)
        }
        let receipt = bela.receipt
        #expect((30..<40).contains(receipt.chains.count))
        let (complete, last) = (receipt.chains.dropFirst().dropLast(), receipt.chains.last)
        #expect(complete.allSatisfy { $0.from == 0 && !$0.skipped.isEmpty })
        #expect(last.map { $0.from > 0 && $0.from < $0.next } == true)
        bela.past = try reparsed(bela.past)
        #expect(bela.receipt == receipt)
    }

    /// A search stores the keys that did not match. Later searches, for messages that arrive in any other order,
    /// find the same keys.
    @Test func laterSearchesFindTheKeysOfAnEarlierSearch() throws {
        for order in [
            [3, 5, 4, 0, 1, 2, 6, 7], [7, 6, 5, 4, 3, 2, 1, 0], [0, 2, 1, 7, 6, 3, 4, 5],
        ] {
            let (amina, bela) = try Party.pair(seed: 25)
            let sent = try (0..<8).map { try amina.send("Message \($0)") }
            for index in order {
                #expect(try bela.receive([UInt8](repeating: 1, count: 160)) == nil)
                #expect(try bela.receive(sent[index])?.message == "Message \(index)")
                #expect(try bela.receive(sent[index]) == nil)
            }
            try startNewChain(amina, bela)
        }
    }

    /// A past that only knows that keys were removed is not empty, and must be stored.
    @Test func thatKeysWereRemovedIsStored() throws {
        let frame = [UInt8](repeating: 0, count: Frame.length)
        for count in [ConversationPast.maximumSkippedKeys, ConversationPast.maximumSkippedKeys + 1]
        {
            var past = ConversationPast()
            var cipher = Cipher()
            var receiving = chain([UInt8](repeating: 1, count: 32))
            let keys = (0..<count).map { (_) in receiving.take(&cipher) }
            let missing = past.skip(keys, before: receiving.position, for: frame.span, &cipher)
            #expect(missing.count == count)
            let receipt = try reparsed(past).receipt(receiving, unwritten: [])
            #expect(receipt.chains.map(\.from) == [UInt32(count - past.skipped.count)])
        }
        var stored = [UInt8](repeating: 0, count: ConversationPast().size)
        var empty = SecretReader(SecretBytes(copying: stored.span))
        #expect(try ConversationPast(from: &empty).isEmpty)
        // The number of the chain begins after the numbers of chains and keys.
        stored[12] = 1
        var reader = SecretReader(SecretBytes(copying: stored.span))
        let isEmpty = try ConversationPast(from: &reader).isEmpty
        #expect(!isEmpty)
    }
}
