import Protocol
import Support
import Testing

/// Checks that altered and repeated messages are refused, whichever keys the recipient has, and that they
/// do not change the state.
@Suite(.measured) struct ForgeryTests {
    /// Creates two people in the middle of a conversation. Each person has offered a next key, and has a
    /// retired chain and skipped message keys.
    private func conversation(seed: UInt64 = 1) throws -> (Party, Party) {
        let (amina, bela) = try Party.pair(seed: seed)
        for round in 0..<3 {
            let sent = try (0..<4).map { try amina.send("Message \(round) \($0)") }
            for ciphertext in [sent[3], sent[1]] { #expect(try bela.receive(ciphertext) != nil) }
            #expect(try amina.receive(try bela.send("Answer \(round)")) != nil)
        }
        return (amina, bela)
    }

    /// All changes are tried with the key that decrypts the unaltered ciphertext.
    @Test func changingOneSymbolIsRefused() throws {
        let (amina, bela) = try conversation()
        let ciphertext = try amina.send("The road is clear. Come at dawn.")
        let before = bela.state
        var accepted = 0
        for place in ciphertext.indices {
            for shift in 1..<125 {
                var altered = ciphertext
                altered[place] = UInt8((Int(altered[place]) + shift) % 125)
                if try bela.reads(altered, window: 1) { accepted += 1 }
            }
            #expect(bela.state == before, "symbol \(place)")
        }
        #expect(accepted == 0)
        #expect(try bela.receive(ciphertext) != nil)
    }

    @Test func swappingTwoSymbolsIsRefused() throws {
        let (amina, bela) = try conversation()
        let ciphertext = try amina.send("Two by two")
        let before = bela.state
        var accepted = 0
        for one in ciphertext.indices {
            for other in ciphertext.indices.dropFirst(one + 1)
            where ciphertext[one] != ciphertext[other] {
                var altered = ciphertext
                altered.swapAt(one, other)
                if try bela.reads(altered, window: 1) { accepted += 1 }
            }
        }
        #expect(accepted == 0)
        #expect(bela.state == before)
        #expect(try bela.receive(ciphertext) != nil)
    }

    /// Joins two ciphertexts at every position, and tries the keys of both ciphertexts.
    @Test func splicedCiphertextsAreRefused() throws {
        let (amina, bela) = try conversation()
        let (one, other) = (try amina.send("Come at dawn"), try amina.send("Stay at home"))
        let before = bela.state
        var accepted = 0
        for cut in 1..<Ciphertext.length {
            for (head, tail) in [(one, other), (other, one)] {
                let spliced = Array(head[..<cut] + tail[cut...])
                if spliced == one || spliced == other { continue }
                if try bela.reads(spliced, window: 3) { accepted += 1 }
            }
        }
        #expect(accepted == 0)
        #expect(bela.state == before)
        for ciphertext in [one, other] { #expect(try bela.receive(ciphertext) != nil) }
    }

    /// A sample of these changes, and messages of other conversations, are tried with all keys, including
    /// skipped message keys.
    @Test func alteredCiphertextsAreRefusedWithAllKeys() throws {
        let (amina, bela) = try conversation()
        let (stranger, _) = try conversation(seed: 2)
        let read = try amina.send("Read before")
        #expect(try bela.receive(read) != nil)
        let (one, other) = (try amina.send("Come at dawn"), try amina.send("Stay at home"))
        var generator = Generator(seed: 3)
        var forged = [read, try bela.send("My own"), try stranger.send("Hello")]
        forged += [[UInt8](repeating: 0, count: 160), generator.bytes(160).map { $0 % 125 }]
        forged.append(Array(one.reversed()))
        forged.append(Array(one[..<80] + other[80...]))
        forged.append(Array(one[6...] + one[..<6]))
        for _ in 0..<40 {
            var altered = one
            altered[generator.number(below: 160)] ^= 1
            forged.append(altered.map { $0 % 125 })
        }
        let before = bela.state
        for ciphertext in forged where ciphertext != one {
            #expect(try bela.receive(ciphertext) == nil)
            #expect(bela.state == before)
        }
        for ciphertext in [other, one] { #expect(try bela.receive(ciphertext) != nil) }
    }

    @Test func aMessageThatWasReadBeforeIsRefused() throws {
        let (amina, bela) = try Party.pair(seed: 5)
        let early = try amina.send("early")
        let late = try amina.send("late")
        let last = try amina.send("last")
        for (ciphertext, isLate) in [(last, false), (early, true), (late, true)] {
            let read = try bela.receive(ciphertext)
            #expect(read?.isLate == isLate)
            let before = bela.state
            for again in [ciphertext, last] { #expect(try bela.receive(again) == nil) }
            #expect(bela.state == before)
        }
    }
}

extension Party {
    /// Returns true if the ciphertext is accepted as one of the next messages.
    fileprivate func reads(_ ciphertext: [UInt8], window: Int) throws -> Bool {
        try receive(ciphertext, window: window, triesKeptKeys: false) != nil
    }
}
