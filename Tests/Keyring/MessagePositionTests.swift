import Foundation
import FrameLayout
import Protocol
import Support
import Testing

@testable import Keyring

/// Tests the positions that the keyring returns for messages, and messages that only a newer version can read.
@Suite(.measured) struct MessagePositionTests {
    private func positions(
        of ciphertexts: [[UInt8]], at person: Person, written: Int? = nil
    ) throws -> [Position?] {
        try person.decrypt(ciphertexts, written: written).map {
            if case .done(_, _, let position) = $0.outcome { position } else { nil }
        }
    }

    private func rereadPositions(of ciphertexts: [[UInt8]], at person: Person) throws
        -> [Position?]
    {
        let keyring = try person.open()
        let contact = try person.contact(in: keyring).id
        var rereading = try Rereading(with: keyring, searching: Conversation.window)
        var found: [Position?] = []
        for ciphertext in ciphertexts {
            var frame = ciphertext
            var span = frame.mutableSpan
            let outcome = try rereading.decrypt(&span, of: contact)
            if case .done(_, _, let position) = outcome {
                found.append(position)
            } else {
                found.append(nil)
            }
        }
        try rereading.commit()
        return found
    }

    @Test func bothSidesHaveTheSamePositions() throws {
        let (amina, bela) = try Person.pair()
        bela.token = hex(try bela.open().openSession(seconds: 3600))
        try bela.open()
        var all: [Position] = []
        for round in 0..<5 {
            let sent = try amina.encrypt((0..<6).map { "Message \($0)" })
            try sent.finish()
            #expect(sent.positions.count == 6)
            #expect(sent.positions.allSatisfy { $0.chain == round })
            all += sent.positions
            // Messages in order, late ones, and one of a retired chain.
            let order = [0, 2, 1, 4, 3]
            #expect(
                try positions(of: order.map { sent.ciphertexts[$0] }, at: bela)
                    == order.map { sent.positions[$0] })
            let answer = try bela.encrypt(["Answer"])
            try answer.finish()
            all += answer.positions
            #expect(try positions(of: answer.ciphertexts, at: amina) == answer.positions)
            let next = try amina.encrypt(["Next chain"])
            try next.finish()
            #expect(try positions(of: next.ciphertexts, at: bela) == next.positions)
            #expect(try positions(of: [sent.ciphertexts[5]], at: bela) == [sent.positions[5]])
            #expect(
                try rereadPositions(of: sent.ciphertexts + next.ciphertexts, at: bela)
                    == sent.positions + next.positions)
            all += next.positions
        }
        #expect(Set(all).count == all.count)
        #expect(Set(all.map(\.direction)).count == 2)
    }

    @Test func aMessageThatIsReadAgainHasItsPosition() throws {
        let (amina, bela) = try Person.pair()
        let sent = try amina.encrypt((0..<5).map { "Message \($0)" })
        #expect(try positions(of: sent.ciphertexts, at: bela, written: 2) == sent.positions)
        try bela.mark(as: "a process of another boot")
        #expect(
            try positions(of: Array(sent.ciphertexts[2...]), at: bela)
                == Array(sent.positions[2...]))
    }

    @Test func noPositionIsHandedOutTwiceToWrittenOutput() throws {
        let (amina, bela) = try Person.pair()
        var generator = Generator(seed: 54)
        var written: [Position: [UInt8]] = [:]
        /// Positions of messages that were not written.
        var unseen: Set<Position> = []
        for round in 0..<60 {
            let other = round % 3 == 0 ? try amina.another() : nil
            let messages = (0..<1 + generator.number(below: 9)).map { "Round \(round), \($0)" }
            let sent = try amina.encrypt(messages)
            // Another process moves the chain, so that the keys cannot be taken back.
            let between = try other.map { try amina.encrypt(["Between \(round)"], with: $0) }
            let count = generator.number(below: sent.ciphertexts.count + 1)
            try sent.finish(written: count)
            try between?.finish()
            unseen.formUnion(sent.positions[count...])
            let seen =
                Array(zip(sent.positions, sent.ciphertexts).prefix(count))
                + (between.map { Array(zip($0.positions, $0.ciphertexts)) } ?? [])
            for (position, ciphertext) in seen {
                #expect(written.updateValue(ciphertext, forKey: position) == nil)
            }
            let came = seen.map(\.1).shuffled(using: &generator)
            #expect(
                try positions(of: came, at: bela)
                    == came.map { ciphertext in seen.first { $0.1 == ciphertext }?.0 })
            if round % 7 == 0 { _ = try amina.receive(try bela.send("Answer")) }
        }
        #expect(written.count > 100 && unseen.contains { written[$0] != nil })
    }

    /// Uses a model that this version does not have (Tests/Vectors/frames.json).
    private func newerFrame() -> [UInt8] {
        StoredKeyring.symbols(
            "cos731\u{F1}" + String(repeating: "@", count: 143) + String(repeating: " ", count: 10))
    }

    private func newerFrame(withReceipt receipt: [UInt8]) -> [UInt8] {
        let digits = newerFrame()[Frame.text].dropLast(receipt.count + 1)
        return StoredKeyring.symbols("cos732") + [UInt8(receipt.count)] + receipt + digits
            + newerFrame()[Frame.nextKey]
    }

    @Test(arguments: [true, false])
    func theKeyOfAMessageOfANewerVersionRemains(_ hasReceipt: Bool) throws {
        let newer = hasReceipt ? newerFrame(withReceipt: [0, 1, 0]) : newerFrame()
        var (amina, bela) = try Person.pair()
        func send() throws -> (ciphertexts: [[UInt8]], positions: [Position])? {
            let sent = try amina.encrypt(["One"])
            try sent.finish()
            // The last message must not look as if the key before it had been discarded for it.
            let trial = try amina.encrypt(frames: [newer, newer], commits: false)
            guard trial.positions.map(\.key) == [1, 2] else { return nil }
            let rest = try amina.encrypt(
                frames: [newer, amina.frame("Two"), newer, amina.frame("Three")])
            try rest.finish()
            return (sent.ciphertexts + rest.ciphertexts, sent.positions + rest.positions)
        }
        // A discarded key would count as a missing message.
        var found = try send()
        while found?.positions.map(\.key) != [0, 1, 2, 3, 4] {
            (amina, bela) = try Person.pair()
            found = try send()
        }
        let sent = try #require(found)
        let ciphertexts = sent.ciphertexts
        #expect(try bela.receive(Array(ciphertexts[..<2])) == ["One", .newer])
        // It is neither missing, nor waiting to be written, nor remembered as read.
        #expect(try bela.state().received == 1 && bela.state().missing == 0)
        #expect(try bela.busyRecords() == 0)
        #expect(
            try bela.past().skipped.contains { $0.position.key == sent.positions[1].key })
        // The chain has moved, and the key remains if the message comes again.
        #expect(try bela.receive([ciphertexts[4]]) == ["Three"])
        let skipped = try bela.past().skipped.map(\.position)
        bela.close()
        #expect(try bela.receive([ciphertexts[1], ciphertexts[3]]) == [.newer, .newer])
        #expect(try bela.past().skipped.map(\.position).sorted() == skipped.sorted())
        #expect(try bela.state().missing == 1)
        #expect(try bela.receive([ciphertexts[2]]) == [.late("Two")])
        #expect(try bela.state().missing == 0)
        // An updated program reads both messages.
        let keyring = try bela.open()
        let contact = try bela.contact(in: keyring).id
        var receiving = try Receiving(with: keyring)
        for index in [1, 3] {
            var frame = ciphertexts[index]
            var span = frame.mutableSpan
            guard case .done(_, let info?, let position) = try receiving.decrypt(&span, of: contact)
            else {
                Issue.record("message \(index) was not decrypted")
                continue
            }
            #expect(info.arrival == .late && position == sent.positions[index])
        }
        try receiving.commit()
        try receiving.finish()
        #expect(try bela.receive([ciphertexts[1]]) == [.refused])
        #expect(try bela.state().received == 5)
    }

    /// A batch in which no message is written must nevertheless be committed.
    @Test func aMessageOfANewerVersionConfirmsAndMovesTheChain() throws {
        let (amina, bela) = try Person.pair()
        _ = try amina.receive(try bela.send("Hello"))
        #expect(try bela.state().unconfirmed == 1)
        let sent = try amina.encrypt(frames: [newerFrame()])
        #expect(try bela.receive(sent.ciphertexts) == [.newer])
        bela.close()
        #expect(try bela.state().unconfirmed == 0 && bela.isSound())
        #expect(try bela.past().retired.count == 1)
        // With --reread, the message may be new.
        bela.token = hex(try bela.open().openSession(seconds: 3600))
        #expect(try rereadPositions(of: sent.ciphertexts, at: bela) == [nil])
        #expect(try bela.receive(sent.ciphertexts) == [.newer])
    }

    @Test func hashesDependOnTheKeyringAndTheText() throws {
        let (amina, bela) = try Person.pair()
        let texts = ["", "a", "7\tBela\tThe clinic opens at 8"]
        func hashes(of person: Person) throws -> [String] {
            let keyring = try person.open()
            return texts.map { keyring.hash(of: Array($0.utf8).span) }
        }
        let all = try hashes(of: amina) + hashes(of: bela)
        #expect(Set(all).count == 6)
        #expect(all.allSatisfy { $0.count == 32 && $0.allSatisfy(\.isHexDigit) })
        #expect(try hashes(of: amina) == Array(all[..<3]))
    }
}
