import Crypto
import Protocol
import Support
import Testing

/// Checks the keys that are kept for late messages: their number, their lifetime, and which keys are
/// erased first (smsenc-protocol(7), Next keys).
@Suite(.measured) struct SkippedKeysTests {
    private static let day: Int64 = 86_400

    /// Returns `count` messages that the recipient skipped by reading only the message after them.
    private func skipMessages(_ count: Int, from sender: Party, to receiver: Party) throws
        -> [[UInt8]]
    {
        let ciphertexts = try (0...count).map { try sender.send("Message \($0)") }
        #expect(try receiver.receive(ciphertexts[count])?.isLate == false)
        return Array(ciphertexts.dropLast())
    }

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
        #expect(bela.skipped.kept.count == SkippedKeys.maximumSkippedKeys)
        let gone = keys - SkippedKeys.maximumSkippedKeys
        // Discarded keys come before a message's own key, so the exact position of that key is unknown.
        var read = 0
        for (ciphertext, place) in passed where abs(place - gone) < 40 {
            let isThere = try bela.receive(ciphertext)?.isLate == true
            if isThere { read += 1 }
            if place >= gone { #expect(isThere) }
            if place + 10 < gone { #expect(!isThere) }
        }
        #expect(read > 20)
        #expect(bela.skipped.kept.count == SkippedKeys.maximumSkippedKeys - read)
    }

    @Test func at64RetiredChainsTheOldestIsErased() throws {
        let (amina, bela) = try Party.pair(seed: 21)
        var delayed: [[UInt8]] = []
        for round in 0..<66 {
            delayed.append(try amina.send("Delayed \(round)"))
            try startNewChain(amina, bela)
        }
        #expect(bela.skipped.retired.count == SkippedKeys.maximumRetiredChains)
        for (round, ciphertext) in delayed.enumerated() {
            let read = try bela.receive(ciphertext)
            #expect(read?.message == (round < 2 ? nil : "Delayed \(round)"))
            #expect(read?.isLate == (round < 2 ? nil : true))
        }
        for ciphertext in delayed { #expect(try bela.receive(ciphertext) == nil) }
    }

    /// The clock was set back once, so the second chain is the oldest. It is erased to make room for the
    /// last chain.
    @Test func expiredKeysAreErasedFirst() throws {
        let (amina, bela) = try Party.pair(seed: 25)
        var delayed: [[UInt8]] = []
        let start = bela.now
        for round in 0..<65 {
            delayed.append(try amina.send("Delayed \(round)"))
            bela.now = start + Self.day * (round == 1 ? -20 : round == 64 ? 11 : 0)
            try startNewChain(amina, bela)
        }
        #expect(bela.skipped.retired.count == SkippedKeys.maximumRetiredChains)
        for (round, ciphertext) in delayed.enumerated() {
            #expect(try bela.receive(ciphertext)?.isLate == (round == 1 ? nil : true))
        }
    }

    @Test(arguments: [(0, true), (1, false)])
    func skippedKeysAndRetiredChainsExpireAfter30Days(_ beyond: Int64, _ areThere: Bool) throws {
        let (amina, bela) = try Party.pair(seed: 22)
        let passed = try skipMessages(2, from: amina, to: bela)
        let delayed = try amina.send("Of the old chain")
        try startNewChain(amina, bela)
        bela.now += 30 * Self.day + beyond
        // These keys are erased by the commit of the next message that is read.
        #expect(try bela.receive(try amina.send("A month later")) != nil)
        for ciphertext in passed + [delayed] {
            #expect(try (bela.receive(ciphertext)?.isLate == true) == areThere)
        }
    }

    @Test func skippedKeysExpireIndependently() throws {
        let (amina, bela) = try Party.pair(seed: 23)
        let old = try skipMessages(1, from: amina, to: bela)
        bela.now += 20 * Self.day
        let newer = try skipMessages(1, from: amina, to: bela)
        bela.now += 20 * Self.day
        #expect(try bela.receive(try amina.send("Forty days later")) != nil)
        #expect(try bela.receive(old[0]) == nil)
        #expect(try bela.receive(newer[0])?.isLate == true)
    }

    /// The clock was ahead when a key was stored, and was corrected later.
    @Test func timesInTheFutureCountAsNow() throws {
        let (amina, bela) = try Party.pair(seed: 24)
        bela.now += 3650 * Self.day
        let future = try skipMessages(1, from: amina, to: bela)
        bela.now -= 3650 * Self.day
        let present = try skipMessages(1, from: amina, to: bela)
        let kept = bela.skipped.kept.count
        bela.now += 29 * Self.day
        #expect(try bela.receive(try amina.send("Within a month")) != nil)
        #expect(bela.skipped.kept.count >= kept)
        // The correction does not protect keys that are stored later.
        bela.now += 2 * Self.day
        #expect(try bela.receive(try amina.send("After a month")) != nil)
        #expect(try bela.receive(present[0]) == nil)
        #expect(try bela.receive(future[0])?.isLate == true)
    }
}
