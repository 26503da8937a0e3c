import Foundation
import Frames
import GSM7
import Crypto
import Protocol
import Support
import Testing

/// What was not sent as it came is refused, whatever keys lie ready, and leaves all as it was.
@Suite struct ForgeryTests {
    /// Two people in the middle of a conversation: each has an offer out, a retired chain and kept keys.
    private func conversation() throws -> (Person, Person) {
        let (amina, bela) = try Person.pair()
        for round in 0..<3 {
            let sent = try (0..<4).map { try amina.send("Message \(round) \($0)") }
            for ciphertext in [sent[3], sent[1]] { #expect(try bela.receives(ciphertext)) }
            #expect(try amina.receives(try bela.send("Answer \(round)")))
        }
        return (amina, bela)
    }

    /// All of them against the very keys that would open the ciphertext: the first of the window.
    @Test func everyChangeOfOneSymbol() throws {
        let (amina, bela) = try conversation()
        let ciphertext = try amina.send("The road is clear. Come at dawn.")
        let before = bela.state
        var accepted = 0
        for place in ciphertext.indices {
            for shift in 1..<125 {
                var altered = ciphertext
                altered[place] = UInt8((Int(altered[place]) + shift) % 125)
                if try bela.receives(altered, window: 1, alsoLate: false) { accepted += 1 }
            }
            #expect(bela.state == before, "symbol \(place)")
        }
        #expect(accepted == 0)
        #expect(try bela.receives(ciphertext))
    }

    @Test func everyExchangeOfTwoSymbols() throws {
        let (amina, bela) = try conversation()
        let ciphertext = try amina.send("Two by two")
        let before = bela.state
        var accepted = 0
        for one in ciphertext.indices {
            for other in ciphertext.indices.dropFirst(one + 1)
            where ciphertext[one] != ciphertext[other] {
                var altered = ciphertext
                altered.swapAt(one, other)
                if try bela.receives(altered, window: 1, alsoLate: false) { accepted += 1 }
            }
        }
        #expect(accepted == 0)
        #expect(bela.state == before)
        #expect(try bela.receives(ciphertext))
    }

    /// Every cut between two ciphertexts under the keys of both.
    @Test func splices() throws {
        let (amina, bela) = try conversation()
        let (one, other) = (try amina.send("Come at dawn"), try amina.send("Stay at home"))
        let before = bela.state
        var accepted = 0
        for cut in 1..<Ciphertext.length {
            for (head, tail) in [(one, other), (other, one)] {
                let spliced = Array(head[..<cut] + tail[cut...])
                if spliced == one || spliced == other { continue }
                if try bela.receives(spliced, window: 3, alsoLate: false) { accepted += 1 }
            }
        }
        #expect(accepted == 0)
        #expect(bela.state == before)
        for ciphertext in [one, other] { #expect(try bela.receives(ciphertext)) }
    }

    /// The full search, behind and ahead: a sample of all of these, and messages of others.
    @Test func fullSearch() throws {
        let (amina, bela) = try conversation()
        let (stranger, _) = try conversation()
        let read = try amina.send("Read before")
        #expect(try bela.receives(read))
        let (one, other) = (try amina.send("Come at dawn"), try amina.send("Stay at home"))
        var generator = Generator(seed: Campaign.seed)
        var forged = [read, try bela.send("My own"), try stranger.send("Hello")]
        forged += [[UInt8](repeating: 0, count: 160), generator.bytes(160).map { $0 % 125 }]
        forged.append(Array(one.reversed()))
        forged.append(Array(one[..<80] + other[80...]))
        forged.append(Array(one[6...] + one[..<6]))
        for _ in 0..<4 {
            var altered = one
            altered[generator.number(below: 160)] ^= 1
            forged.append(altered.map { $0 % 125 })
        }
        let before = bela.state
        for ciphertext in forged where ciphertext != one {
            #expect(try !bela.receives(ciphertext))
            #expect(bela.state == before)
        }
        for ciphertext in [other, one] { #expect(try bela.receives(ciphertext)) }
    }

    /// A sample through the tool, which also sees to lengths: nothing in the keyring changes.
    @Test func throughTheTool() throws {
        let bench = try Bench()
        for person in ["amina", "bela", "carol"] { try bench.add(person: person) }
        try bench.introduce("amina", "bela")
        let lines = try bench.encipher(["One", "Two", "Three", "Four"], from: "amina", to: "bela")
            .split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
        try #require(lines.count == 4)
        let first = try bench.run(
            "smsenc-pad", ["-dc", "amina"], as: "bela", input: Array((lines[0] + "\n").utf8))
        try #require(first.status == 0)
        let own = try bench.encipher(["Mine"], from: "bela", to: "amina")

        var generator = Generator(seed: Campaign.seed)
        let symbols = lines[1].map { String($0) }
        var forged = [lines[0], String(decoding: own.dropLast(), as: UTF8.self)]
        forged.append(symbols.dropLast().joined())
        forged.append(symbols.dropFirst().joined())
        forged.append(lines[1] + "x")
        forged.append("x" + lines[1])
        forged.append(lines[1] + lines[2])
        forged.append((symbols[..<80] + lines[2].map { String($0) }[80...]).joined())
        for _ in 0..<8 {
            var altered = symbols
            let place = generator.number(below: 160)
            altered[place] = altered[place] == "a" ? "b" : "a"
            forged.append(altered.joined())
            altered = symbols
            let other = generator.number(below: 160)
            if altered[place] == altered[other] { continue }
            altered.swapAt(place, other)
            // A blank at either end is lost on the way like any other.
            forged.append(altered.joined())
        }
        let before = try bench.run("smsenc-keyring", ["list"], as: "bela").outputText
        let file = try bench.contents(bench.keyring(of: "bela"))
        let input = forged.map { $0 + "\n" }.joined()
        let refused = try bench.run(
            "smsenc-pad", ["-dc", "amina"], as: "bela", input: Array(input.utf8))
        #expect(refused.status == 1 && refused.output.isEmpty, "seed \(Campaign.seed)")
        #expect(refused.complaints.count == forged.count, "\(refused.errorText)")
        #expect(try bench.contents(bench.keyring(of: "bela")) == file)
        #expect(try bench.run("smsenc-keyring", ["list"], as: "bela").outputText == before)
        let genuine = try bench.run(
            "smsenc-pad", ["-dc", "amina"], as: "bela",
            input: Array((lines[1...].joined(separator: "\n") + "\n").utf8))
        #expect(genuine.status == 0 && genuine.errors.isEmpty, "\(genuine.errorText)")
    }
}

/// One side of a conversation.
private final class Person {
    private var conversation: Conversation
    private var skipped = SkippedKeys()
    private var cipher: Cipher

    private init(_ conversation: consuming Conversation) throws {
        self.conversation = conversation
        cipher = Cipher()
    }

    /// Two people in step.
    static func pair() throws -> (Person, Person) {
        let one = try Random.bytes(32)
        let other = try Random.bytes(32)
        let theirs = Offer(publicKey: X25519.publicKey(of: other))
        let own = Offer(publicKey: X25519.publicKey(of: one))
        var cipher = Cipher()
        let agreement = try Agreement(secret: one, theirs: theirs)
        let mirrored = try Agreement(secret: other, theirs: own)
        return try (
            Person(agreement.conversation(&cipher)), Person(mirrored.conversation(&cipher))
        )
    }

    func send(_ message: String) throws -> [UInt8] {
        let utf8 = Array(message.utf8)
        var ciphertext = try [UInt8](atMost: Frame.length) { (frame: inout OutputSpan<UInt8>) in
            try Frame.layOut(utf8.span, newline: .lineFeed, into: &frame)
        }
        var span = ciphertext.mutableSpan
        let sent = try conversation.send(&span, limit: 100, &cipher)
        try #require(sent.isWritten)
        return ciphertext
    }

    /// True when a ciphertext is taken for genuine.
    func receives(
        _ ciphertext: [UInt8], window: Int = Conversation.window, alsoLate: Bool = true
    ) throws -> Bool {
        var frame = ciphertext
        var span = frame.mutableSpan
        let next = conversation.receiveNext(
            &span, window: window, at: 0, skipped: &skipped, &cipher)
        if next != nil { return true }
        guard alsoLate else { return false }
        let kept = conversation.receiveKept(&span, at: 0, skipped: &skipped, &cipher)
        if kept != nil { return true }
        let retired = conversation.receiveRetired(&span, at: 0, skipped: &skipped, &cipher)
        return retired != nil
    }

    /// Everything that a refused message must leave as it was.
    var state: [UInt8] {
        var record = SecretWriter(capacity: Conversation.recordSize)
        conversation.write(to: &record)
        var state = bytes(of: record.finish())
        for index in 0..<skipped.kept.count { state += bytes(of: skipped.kept[index].key.bytes) }
        for index in 0..<skipped.retired.count {
            state += bytes(of: skipped.retired[index].chain.bytes)
        }
        return state
    }

    private func bytes(of secret: borrowing SecretBytes) -> [UInt8] {
        secret.withSpan { span in span.indices.map { span[$0] } }
    }
}
