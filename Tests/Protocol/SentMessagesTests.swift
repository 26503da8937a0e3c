import Crypto
import Support
import Testing

@testable import Protocol

/// Tests what the sender concludes from receipts (smsenc-protocol(7), Receipts).
@Suite(.measured) struct SentMessagesTests {
    private let current = anyDirectionName
    private let earlier = DirectionName(bits: 1) ?? anyDirectionName

    private func receipt(_ chains: Receipt.Chain...) -> Receipt {
        Receipt(chains: chains)
    }

    private func chain(
        _ number: UInt32, from: UInt32 = 0, next: UInt32, _ skipped: Range<UInt32>...
    ) -> Receipt.Chain {
        Receipt.Chain(number: number, from: from, next: next, skipped: skipped)
    }

    /// What a sender stores.
    private final class Sender {
        var past = ConversationPast()
        var recent = RecentlySent()

        func send(_ chain: UInt32, _ keys: Range<UInt32>, in name: DirectionName) {
            for key in keys {
                recent.insert(KeyPosition(chain: chain, key: key))
                if recent.isLong { past.sent.insert(&recent, in: name) }
            }
        }

        func learn(
            _ receipt: Receipt, in name: DirectionName, at time: Int64 = 1
        ) -> Int {
            past.sent.insert(&recent, in: name)
            return past.sent.learn(from: receipt, in: name, at: time)
        }

        func state(
            _ chain: UInt32, _ key: UInt32, of name: DirectionName, in current: DirectionName?
        ) -> SentState {
            if let current { past.sent.insert(&recent, in: current) }
            return past.sent.state(
                of: Position(name, chain: chain, key: key), current: current)
        }

        func stored() -> [UInt8] {
            var record = SecretWriter(capacity: past.size)
            past.write(to: &record)
            return record.finish().withSpan { bytes(of: $0) }
        }
    }

    private func states(_ sender: Sender, _ chain: UInt32, _ keys: Range<UInt32>)
        -> String
    {
        var text = ""
        for key in keys {
            switch sender.state(chain, key, of: current, in: current) {
            case .read: text += "r"
            case .missing(let time): text += "\(time)"
            case .ended: text += "e"
            case .unknown: text += "-"
            }
        }
        return text
    }

    @Test func aReceiptSplitsRunsIntoReadMissingAndUnknown() throws {
        let sender = Sender()
        sender.send(0, 0..<6, in: current)
        sender.send(2, 0..<8, in: current)
        #expect(states(sender, 0, 0..<6) == "------")
        let first = receipt(
            chain(2, from: 1, next: 6, 2..<3, 4..<5), chain(0, next: 4, 1..<2))
        #expect(sender.learn(first, in: current, at: 7) == 6)
        #expect(states(sender, 0, 0..<6) == "r7rr77")
        #expect(states(sender, 2, 0..<8) == "-r7r7r--")
        #expect(sender.past.sent.missing(in: current) == 5)
        // A receipt that was made earlier arrives later. What was read stays read.
        let older = receipt(chain(2, next: 2), chain(0, next: 3, 0..<3))
        #expect(sender.learn(older, in: current, at: 9) == 1)
        #expect(states(sender, 0, 0..<6) == "r9rr99")
        #expect(states(sender, 2, 0..<8) == "rr7r7r--")
    }

    @Test func statementsAboutUnusedKeysAndChainsAreIgnored() throws {
        let sender = Sender()
        sender.send(1, 5..<8, in: current)
        let before = sender.stored()
        #expect(sender.learn(receipt(chain(9, next: 9)), in: current) == 0)
        let far = receipt(chain(1, from: 100, next: .max, 200..<(.max)))
        #expect(sender.learn(far, in: current) == 0)
        #expect(states(sender, 1, 5..<8) == "---")
        #expect(sender.past.sent.conversations.count == 1 && before.count < sender.stored().count)
    }

    /// The time and memory for a receipt do not depend on its numbers.
    @Test func aRunOfFourThousandMillionKeysIsSplit() throws {
        var sent = SentMessages()
        var recent = RecentlySent()
        recent.insert(KeyPosition(chain: 0, key: 0))
        sent.insert(&recent, in: current)
        var record = SecretWriter(capacity: sent.size)
        sent.write(to: &record)
        var stored = record.finish().withSpan { bytes(of: $0) }
        // The first key after the run is at the end of the run, before `missingSince`.
        stored.replaceSubrange(
            (stored.count - 12)..<(stored.count - 8), with: [255, 255, 255, 255])
        var reader = SecretReader(SecretBytes(copying: stored.span))
        sent = try SentMessages(from: &reader)
        let half: UInt32 = 1 << 31
        let read = sent.learn(
            from: receipt(chain(1, next: 0), chain(0, from: 7, next: .max, half..<(half + 9))),
            in: current, at: 1)
        #expect(read == Int(UInt32.max) - 16)
        #expect(sent.conversations.last?.runs.map(\.keys.keys) == [0..<7, half..<(half + 9)])
        #expect(sent.conversations.last?.runs.map(\.missingSince) == [0, 1])
    }

    @Test func the1024NewestRunsAreKept() throws {
        let sender = Sender()
        for key in 0..<1100 as Range<UInt32> {
            sender.send(3, (2 * key)..<(2 * key + 1), in: key < 50 ? earlier : current)
            if key == 49 {
                sender.past.end(earlier, &sender.recent)
            }
        }
        sender.past.sent.insert(&sender.recent, in: current)
        #expect(sender.past.sent.conversations.map(\.runs.count) == [0, 1024])
        // The earlier conversation is forgotten, and 26 messages of the current conversation.
        #expect(sender.state(3, 0, of: earlier, in: current) == .ended)
        #expect(sender.learn(receipt(chain(3, next: 2000)), in: current) == 924)
        #expect(sender.state(3, 150, of: current, in: current) == .unknown)
        #expect(sender.state(3, 152, of: current, in: current) == .read)
        #expect(sender.state(3, 2000, of: current, in: current) == .unknown)
    }

    @Test func the64NewestConversationsAreKept() throws {
        let sender = Sender()
        let names = (0..<70).compactMap { DirectionName(bits: $0) }
        for name in names {
            sender.send(0, 0..<3, in: name)
            #expect(sender.learn(receipt(chain(0, next: 2, 0..<1)), in: name) == 1)
            sender.past.end(name, &sender.recent)
        }
        #expect(sender.past.sent.conversations.map(\.name) == names.suffix(64))
        for (index, name) in names.enumerated() {
            let states = (0..<4).map { sender.state(0, $0, of: name, in: nil) }
            #expect(states == [.ended, index < 6 ? .ended : .read, .ended, .ended])
        }
    }

    /// A message of an earlier conversation never counts as missing, and stays read.
    @Test func theEndOfAConversationKeepsWhatIsKnown() throws {
        let sender = Sender()
        sender.send(0, 0..<4, in: earlier)
        #expect(sender.learn(receipt(chain(0, next: 3, 1..<2)), in: earlier) == 2)
        sender.send(0, 4..<5, in: earlier)
        sender.past.end(earlier, &sender.recent)
        sender.send(0, 0..<4, in: current)
        #expect(sender.learn(receipt(chain(0, next: 4)), in: current) == 4)
        let states = (0..<6).map { sender.state(0, $0, of: earlier, in: current) }
        #expect(states == [.read, .ended, .read, .ended, .ended, .ended])
    }

    /// Messages that were not written after all are neither unknown nor missing.
    @Test func removedMessagesAreNotMissing() throws {
        let sender = Sender()
        sender.send(0, 0..<10, in: current)
        let unsent = KeyRun(chain: 0, keys: 3..<6)
        sender.recent.remove(unsent)
        #expect(sender.recent.runs.map(\.keys) == [0..<3, 6..<10])
        #expect(sender.learn(receipt(chain(0, next: 10, 2..<7)), in: current) == 5)
        #expect(sender.past.sent.missing(in: current) == 2)
        sender.past.sent.remove(KeyRun(chain: 0, keys: 6..<20), in: current)
        sender.past.sent.remove(KeyRun(chain: 0, keys: 2..<3), in: earlier)
        #expect(sender.past.sent.missing(in: current) == 1)
    }

    @Test func whatIsStoredIsReadBackUnchanged() throws {
        var generator = Generator(seed: 61)
        for _ in 0..<200 {
            let sender = Sender()
            var book = Book()
            for number in 0..<4 as Range<UInt64> {
                let name = try #require(DirectionName(bits: number))
                book = Book(&generator)
                for run in book.runs { sender.send(run.chain, run.keys, in: name) }
                for _ in 0..<3 {
                    _ = sender.learn(book.receipt(&generator), in: name, at: generator.time())
                }
                if number < 3 { sender.past.end(name, &sender.recent) }
            }
            let stored = sender.stored()
            #expect(stored.count == sender.past.size)
            var reader = SecretReader(SecretBytes(copying: stored.span))
            let past = try ConversationPast(from: &reader)
            #expect(reader.remaining == 0)
            var record = SecretWriter(capacity: past.size)
            past.write(to: &record)
            #expect(record.finish().withSpan { bytes(of: $0) } == stored)
            // No prefix is accepted.
            let part = Array(stored.prefix(generator.number(below: stored.count)))
            var short = SecretReader(SecretBytes(copying: part.span))
            #expect(throws: InvalidRecord.self) { _ = try ConversationPast(from: &short) }
        }
    }

    @Test func recentlySentMessagesAreReadBackUnchanged() throws {
        var generator = Generator(seed: 62)
        for _ in 0..<500 {
            var recent = RecentlySent()
            for _ in 0..<generator.number(below: 60) {
                recent.insert(
                    KeyPosition(
                        chain: UInt32(generator.number(below: 3)),
                        key: generator.once(in: 9)
                            ? .max - UInt32(generator.number(below: 2))
                            : UInt32(generator.number(below: 5))))
            }
            var record = SecretWriter()
            recent.write(to: &record)
            let stored = record.finish()
            #expect(stored.count >= 385)
            var reader = SecretReader(stored)
            #expect(try RecentlySent(from: &reader).runs == recent.runs)
        }
    }

    /// Compares 100,000 receipts, most of which no keyring would make, with a table of all messages. They do not
    /// change the other conversation, and nothing that was read becomes anything else.
    @Test func hostileReceiptsOnlyChangeMessagesOfTheirConversation() throws {
        var generator = Generator(seed: 63)
        var decoded = 0
        for _ in 0..<500 {
            let sender = Sender()
            sender.send(0, 0..<20, in: earlier)
            let honest = receipt(chain(0, next: 15, 3..<5, 9..<10))
            #expect(sender.learn(honest, in: earlier) == 12)
            sender.past.end(earlier, &sender.recent)
            let other = (0..<25).map { sender.state(0, $0, of: earlier, in: current) }
            var book = Book(&generator)
            for run in book.runs { sender.send(run.chain, run.keys, in: current) }
            for round in 1...200 as ClosedRange<Int64> {
                let symbols = book.hostileSymbols(&generator)
                guard let receipt = Receipt(decoding: symbols.span) else { continue }
                decoded += 1
                let read = sender.learn(receipt, in: current, at: round)
                #expect(read == book.learn(receipt, at: round))
                guard round % 25 == 0 else { continue }
                #expect(
                    book.states.allSatisfy { (position, state) in
                        sender.state(position.chain, position.key, of: current, in: current)
                            == state
                    })
                #expect(
                    (0..<25).map { sender.state(0, $0, of: earlier, in: current) } == other)
            }
            #expect(sender.past.sent.conversations.map(\.name) == [earlier, current])
        }
        #expect(decoded > 30_000)
    }
}

/// A table of all messages of a conversation, which takes in receipts one message at a time.
private struct Book {
    private(set) var runs: [KeyRun] = []
    private(set) var states: [KeyPosition: SentState] = [:]

    init() {}

    init(_ generator: inout Generator) {
        var chain: UInt32 = generator.once(in: 5) ? .max - 40 : 0
        for _ in 0...generator.number(below: 8) {
            var key = UInt32(generator.number(below: 3))
            for _ in 0...generator.number(below: 3) {
                let end = key + 1 + UInt32(generator.number(below: 12))
                runs.append(KeyRun(chain: chain, keys: key..<end))
                for key in key..<end { states[KeyPosition(chain: chain, key: key)] = .unknown }
                key = end + 1 + UInt32(generator.number(below: 3))
            }
            chain += 1 + (generator.once(in: 4) ? 2 : 0)
        }
    }

    /// Takes in a receipt. Returns the number of messages that are now known to be read.
    mutating func learn(_ receipt: Receipt, at time: Int64) -> Int {
        var read = 0
        for (position, state) in states where state != .read {
            for chain in receipt.chains where chain.number == position.chain {
                let key = position.key
                guard key >= chain.from else { continue }
                if chain.skipped.contains(where: { $0.lowerBound <= key && key < $0.upperBound }) {
                    states[position] = .missing(since: time)
                } else if key < chain.next {
                    states[position] = .read
                    read += 1
                } else if chain.number != receipt.chains[0].number {
                    states[position] = .missing(since: time)
                }
            }
        }
        return read
    }

    /// Returns a receipt about chains of this conversation and about others.
    func receipt(_ generator: inout Generator) -> Receipt {
        var chains: [Receipt.Chain] = []
        var number = Int(generator.pick(runs).chain) + generator.number(below: 2)
        while number >= 0, number <= Int(UInt32.max) {
            let isLarge = generator.once(in: 9)
            let from = generator.once(in: 2) ? 0 : generator.number(below: 12)
            var (end, skipped) = (from, [Range<UInt32>]())
            for run in 0..<generator.number(below: 6) {
                let start = end + generator.number(below: 6) + (run > 0 ? 1 : 0)
                end = start + 1 + generator.number(below: 5)
                skipped.append(UInt32(start)..<UInt32(end))
            }
            let next = isLarge ? Int(UInt32.max) : end + generator.number(below: 20)
            chains.append(
                Receipt.Chain(
                    number: UInt32(number), from: UInt32(from), next: UInt32(next),
                    skipped: skipped))
            number -= 1 + generator.number(below: 2)
            if generator.once(in: 3) { break }
        }
        return Receipt(chains: chains)
    }

    /// Returns random symbols, or a receipt in which some symbols were replaced.
    func hostileSymbols(_ generator: inout Generator) -> [UInt8] {
        if generator.once(in: 4) {
            return generator.bytes(generator.number(below: 144)).map { $0 % 125 }
        }
        let receipt = receipt(&generator)
        var symbols: [UInt8] = []
        symbols.append(atMost: 1000) { receipt.encode(into: &$0) }
        for _ in 0..<generator.number(below: 3) {
            symbols[generator.number(below: symbols.count)] = generator.pick([
                0, 1, 2, 99, 100, 123, 124, UInt8(generator.number(below: 125)),
            ])
        }
        return symbols
    }
}

extension Generator {
    fileprivate mutating func time() -> Int64 {
        pick([-1, 1, 1_900_000_000, .max, .min])
    }
}
