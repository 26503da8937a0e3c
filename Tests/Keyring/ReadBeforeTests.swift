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
            case .not(let why): outcomes.append("\(why)")
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

/// Tests the tags that identify messages that were read before.
@Suite(.measured) struct ReadMessageTests {
    private static let modulus: UInt128 = (1 << 61) - 1

    /// Computes the polynomial of smsenc-keyring(5) by division.
    private func tag(of symbols: [UInt8], at number: UInt64) -> UInt32 {
        let point = UInt128(number) % Self.modulus
        var (power, value): (UInt128, UInt128) = (point, 0)
        for group in stride(from: 152, through: 0, by: -8) {
            let coefficient = symbols[group..<(group + 8)].reduce(0) { 128 * $0 + UInt128($1) }
            value = (value + coefficient * power % Self.modulus) % Self.modulus
            power = power * point % Self.modulus
        }
        return UInt32(value % (1 << 32))
    }

    @Test func tagsMatchTheManual() {
        var generator = Generator(seed: 1)
        let points: [UInt64] = [0, 1, 2, (1 << 61) - 2, (1 << 61) - 1, 1 << 61, .max]
        for round in 0..<2000 {
            let point = round < points.count ? points[round] : generator.next()
            for symbols in [generator.symbols(), [UInt8](repeating: 124, count: 160)] {
                let hash = ReadMessageHash(point: point)
                #expect(hash.tag(of: symbols.span) == tag(of: symbols, at: point))
            }
        }
    }

    /// A value equal to the modulus is reduced to 0.
    @Test func tagsAreFullyReduced() {
        var symbols = [UInt8](repeating: 0, count: 160)
        // 1 * (p - 5) + 5
        (symbols[151], symbols[159]) = (1, 5)
        #expect(ReadMessageHash(point: UInt64(Self.modulus) - 5).tag(of: symbols.span) == 0)
    }

    /// Every symbol at every position affects the tag.
    @Test func copiesWithOneOrTwoChangedSymbolsHaveDifferentTags() {
        var generator = Generator(seed: 2)
        let hash = ReadMessageHash(point: generator.next())
        let symbols = generator.symbols()
        var tags: Set<UInt32> = [hash.tag(of: symbols.span)]
        var copies = 1
        for place in symbols.indices {
            var copy = symbols
            for change in 1..<125 as Range<UInt8> {
                copy[place] = (symbols[place] + change) % 125
                tags.insert(hash.tag(of: copy.span))
                copies += 1
            }
            guard place > 0, symbols[place] != symbols[place - 1] else { continue }
            copy = symbols
            copy.swapAt(place - 1, place)
            tags.insert(hash.tag(of: copy.span))
            copies += 1
        }
        #expect(tags.count == copies)
    }

    @Test func theNewest64TagsAreKept() {
        var read = ReadMessages()
        for tag in 1...70 as ClosedRange<UInt32> { read.insert(tag) }
        // A message that is decrypted again after a crash moves to the front, and no message is displaced.
        read.insert(10)
        #expect((1...70).filter { read.contains($0) } == Array(7...70))
        for tag in 71...133 as ClosedRange<UInt32> { read.insert(tag) }
        #expect((1...133).filter { read.contains($0) } == [10] + Array(71...133))
    }
}

extension Generator {
    fileprivate mutating func symbols() -> [UInt8] {
        (0..<160).map { _ in UInt8(number(below: 125)) }
    }
}
