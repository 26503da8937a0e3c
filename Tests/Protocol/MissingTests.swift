import Protocol
import Support
import Testing

/// Compares the counts of missing messages with the messages that were really lost (smsenc-protocol(7),
/// Next keys).
@Suite(.measured) struct MissingTests {
    /// A message that was sent.
    private struct SentMessage {
        let chain: Int
        let key: Int
        /// Number of keys that were discarded when this message was encrypted.
        let thrownAway: Int
        var isRead = false
    }

    /// One direction of a conversation, with the messages that were sent and the messages in transit.
    private struct OneDirection {
        let sender: Party
        let receiver: Party
        var sent: [SentMessage] = []
        var underWay: [(number: Int, ciphertext: [UInt8])] = []
        private var chain = 0
        private var key = 0

        init(from sender: Party, to receiver: Party) {
            self.sender = sender
            self.receiver = receiver
        }

        mutating func send(_ text: String, _ generator: inout Generator) throws {
            if sender.conversation.isPending { (chain, key) = (chain + 1, 0) }
            let ciphertext = try sender.send(text)
            key += sender.keysOfLast
            sent.append(SentMessage(chain: chain, key: key, thrownAway: sender.keysOfLast - 1))
            // One message in six is lost. Some other messages are delivered out of order.
            if !generator.once(in: 6) { underWay.append((sent.count - 1, ciphertext)) }
        }

        mutating func deliver(at place: Int) throws {
            let (number, ciphertext) = underWay.remove(at: place)
            #expect(try receiver.receive(ciphertext) != nil)
            sent[number].isRead = true
        }

        /// Lost messages that were followed by a message of the same chain that was read. The keys of all
        /// other lost messages were never skipped.
        var lost: [SentMessage] {
            let last = sent.filter(\.isRead).reduce(into: [Int: Int]()) { $0[$1.chain] = $1.key }
            return sent.filter { !$0.isRead && $0.key < last[$0.chain] ?? 0 }
        }
    }

    @Test func exactlyTheLostMessagesCountAsMissing() throws {
        var (messages, lost, missing, thrownAway) = (0, 0, 0, 0)
        for seed in UInt64(71)...76 {
            for direction in try simulateConversation(seed: seed) {
                messages += direction.sent.count
                lost += direction.lost.count
                missing += direction.receiver.past.missing
                thrownAway += direction.lost.reduce(0) { $0 + $1.thrownAway }
            }
        }
        #expect(messages > 3000 && lost > 300)
        #expect(missing >= lost - lost / 40, "\(missing) of \(lost)")
        #expect(missing <= lost + thrownAway, "\(missing) of \(lost), \(thrownAway) thrown away")
    }

    /// Messages 0 and 2 are delayed, and messages 1 and 3 are read. Message 2 then says nothing about message
    /// 0, because the key directly before its own key was used.
    @Test func aLateMessageSaysNothingAboutOtherGaps() throws {
        var conversations = 0
        for seed in UInt64(1000)..<1400 {
            let (amina, bela) = try Party.pair(seed: seed)
            var sent: [[UInt8]] = []
            var keys = 0
            for number in 0..<4 {
                sent.append(try amina.send("Message \(number) of \(seed)"))
                keys += amina.keysOfLast
            }
            // Leave out conversations with keys that were discarded, or look as if they were.
            guard keys == 4, try bela.receive(sent[1])?.info.missing.count == 1,
                try bela.receive(sent[3])?.info.missing.count == 1
            else { continue }
            conversations += 1
            for (number, left) in [(2, 1), (0, 0)] {
                let found = try bela.receive(sent[number])?.info.found
                #expect(found == [KeyPosition(chain: 0, key: UInt32(number))], "seed \(seed)")
                #expect(bela.past.missing == left, "seed \(seed)")
            }
        }
        // In one of 40 conversations, message 2 would not survive copying with the key of message 0.
        #expect(conversations > 250)
    }

    /// The same if the gaps belong to two chains.
    @Test func aLateMessageSaysNothingAboutOtherChains() throws {
        for seed in UInt64(2000)..<2300 {
            let (amina, bela) = try Party.pair(seed: seed)
            let old = try (0..<2).map { try amina.send("Old \($0) of \(seed)") }
            _ = try bela.receive(old[1])
            _ = try amina.receive(try bela.send("Go on"))
            let new = try (0..<2).map { try amina.send("New \($0) of \(seed)") }
            _ = try bela.receive(new[1])
            let position = bela.past.skipped.first { $0.position.chain == 1 }?.position
            guard position == KeyPosition(chain: 1, key: 0), bela.past.missing == 2 else {
                continue
            }
            let found = try bela.receive(new[0])?.info.found
            #expect(found == [KeyPosition(chain: 1, key: 0)], "seed \(seed)")
            #expect(bela.past.missing == 1, "seed \(seed)")
        }
    }

    /// Simulates a conversation in which all messages arrive that are not lost.
    private func simulateConversation(seed: UInt64) throws -> [OneDirection] {
        var generator = Generator(seed: seed)
        let (amina, bela) = try Party.pair(seed: seed)
        var ways = [OneDirection(from: amina, to: bela), OneDirection(from: bela, to: amina)]
        for _ in 0..<120 {
            let direction = generator.number(below: 2)
            for _ in 0...generator.number(below: 9) {
                try ways[direction].send("Message \(ways[direction].sent.count)", &generator)
            }
            let other = generator.number(below: 2)
            for _ in 0..<generator.number(below: 10) where !ways[other].underWay.isEmpty {
                let near = min(4, ways[other].underWay.count)
                try ways[other].deliver(at: generator.number(below: near))
            }
            // No message is so late that its key was erased.
            while ways[direction].underWay.count > 12 { try ways[direction].deliver(at: 0) }
        }
        for direction in ways.indices {
            while !ways[direction].underWay.isEmpty { try ways[direction].deliver(at: 0) }
        }
        return ways
    }
}
