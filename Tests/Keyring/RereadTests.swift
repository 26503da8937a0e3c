import Crypto
import Foundation
import Protocol
import Support
import System
import TestPeople
import Testing

@testable import Keyring

/// Tests which messages an open session can decrypt again. Everything that is needed for it is in the
/// session's file.
@Suite(.measured) struct RereadTests {
    /// Opens a session, and uses this session from then on.
    @discardableResult
    private func begin(_ person: Person, seconds: Int64 = 3600) throws -> String {
        person.token = hex(try person.open().openSession(seconds: seconds))
        try person.open()
        return person.token
    }

    /// Creates two synchronised people, of whom the second has a session.
    private func pair() throws -> (amina: Person, bela: Person) {
        let (amina, bela) = try Person.pair()
        try begin(bela)
        return (amina, bela)
    }

    /// Decrypts ciphertexts with `--reread`. For each ciphertext, returns the message or the reason of
    /// refusal.
    private func reread(_ ciphertexts: [[UInt8]], at person: Person) throws -> [String] {
        let keyring = try person.open()
        let contact = try person.contact(in: keyring).id
        var rereading = try Rereading(with: keyring, searching: 128)
        var outcomes: [String] = []
        for ciphertext in ciphertexts {
            var frame = ciphertext
            var span = frame.mutableSpan
            let outcome = try rereading.decrypt(&span, of: contact)
            if case .reread(let message) = Person.read(outcome, frame) {
                outcomes.append(message)
            } else {
                outcomes.append("\(outcome)")
            }
        }
        try rereading.commit()
        return outcomes
    }

    /// Returns the number of chains and of single keys in the session's file.
    private func kept(_ person: Person) throws -> [Int] {
        let kept = try #require(try person.open().reread)
        return [kept.chains.count, try kept.keys().count]
    }

    private func sessionFile(of person: Person) throws -> String {
        try person.places.sessions + "/"
            + Session(token: person.token, folder: person.places.sessions).name
    }

    /// Sends a reply, so that the contact's next message begins a new chain.
    private func startNewChain(_ amina: Person, _ bela: Person) throws {
        _ = try amina.receive(try bela.send("Go on"))
    }

    @Test func allMessagesReadInTheSessionCanBeReread() throws {
        let (amina, bela) = try Person.pair()
        let sent = try amina.encrypt((0..<8).map { "Message \($0)" }).ciphertexts
        // Message 1 is skipped before the session begins.
        _ = try bela.receive([sent[0], sent[2]])
        try begin(bela)
        #expect(try bela.receive([sent[3], sent[5]]) == ["Message 3", "Message 5"])
        #expect(try bela.receive([sent[1], sent[4]]) == [.late("Message 1"), .late("Message 4")])
        try startNewChain(amina, bela)
        let more = try amina.send("New 0", "New 1", "New 2")
        #expect(try bela.receive([more[0], more[2]]) == ["New 0", "New 2"])
        // This message belongs to a chain that was replaced.
        #expect(try bela.receive([sent[6]]) == [.late("Message 6")])
        #expect(try bela.receive([more[1]]) == [.late("New 1")])
        try startNewChain(amina, bela)
        let last = try amina.send("Last")
        #expect(try bela.receive(last) == ["Last"])
        let due = [
            "readElsewhere", "Message 1", "readElsewhere", "Message 3", "Message 4", "Message 5",
            "Message 6", "new", "New 0", "New 1", "New 2", "Last",
        ]
        bela.close()
        let (note, file) = (try bela.note(), try Data(contentsOf: URL(fileURLWithPath: bela.path)))
        #expect(try reread(sent + more + last, at: bela) == due)
        #expect(try reread((sent + more + last).reversed(), at: bela) == due.reversed())
        bela.close()
        #expect(try bela.note() == note)
        #expect(try Data(contentsOf: URL(fileURLWithPath: bela.path)) == file)
        #expect(try bela.receive([sent[7]]) == [.late("Message 7")])
        #expect(try reread([sent[7]], at: bela) == ["Message 7"])
        #expect(try bela.isSound())
    }

    /// The first message of a chain needs its own key, because the chain is only known with this message.
    @Test func aChainNeedsOneEntryAndOneKey() throws {
        let (amina, bela) = try pair()
        for round in 0..<3 {
            for number in 0..<4 {
                _ = try bela.receive(try amina.send("Message \(number)"))
                #expect(try kept(bela) == [round == 0 || number > 0 ? round + 1 : round, round])
            }
            try startNewChain(amina, bela)
        }
    }

    @Test func nothingCanBeRereadWithoutASession() throws {
        let (amina, bela) = try Person.pair()
        let sent = try amina.send("One")
        let keyring = try bela.another(bootID: "other boot")
        _ = try bela.receive(sent, with: keyring)
        #expect(throws: KeyringError.session(.needed)) {
            _ = try Rereading(with: keyring, searching: 128)
        }
    }

    /// Messages that were possibly never printed are not lost, although they can be reread: they are decrypted
    /// again as new messages.
    @Test func unwrittenMessagesAreNotLost() throws {
        let (amina, bela) = try pair()
        let sent = try amina.encrypt((0..<4).map { "Message \($0)" }).ciphertexts
        _ = try bela.receive([sent[0]])
        _ = try bela.receive([sent[2]], written: 0)
        #expect(try reread(sent, at: bela) == ["Message 0", "new", "Message 2", "new"])
        bela.close()
        _ = try bela.mark(as: "1 0 another boot")
        #expect(try reread([sent[2]], at: bela) == ["Message 2"])
        // The next transaction that writes moves the keys of the dead process.
        _ = try bela.open().add(name: "Chidi", number: nil)
        #expect(try reread(sent, at: bela) == ["Message 0", "new", "new", "new"])
        #expect(
            try bela.receive([sent[2], sent[1], sent[3]])
                == [.again("Message 2"), .late("Message 1"), "Message 3"])
        #expect(try reread(sent, at: bela) == (0..<4).map { "Message \($0)" })
        var altered = sent[0]
        altered[80] = (altered[80] + 1) % 125
        #expect(try reread([altered], at: bela) == ["noKey"])
    }

    /// A session can reread messages that other sessions later decrypted with the same chain.
    @Test func twoSessionsCanRereadIndependently() throws {
        let (amina, bela) = try Person.pair()
        let sent = try amina.encrypt((0..<5).map { "Message \($0)" }).ciphertexts
        let (one, other) = (try begin(bela), try begin(bela))
        func read(_ number: Int, in session: String) throws {
            bela.token = session
            bela.close()
            #expect(try bela.receive([sent[number]]) == ["Message \(number)"])
        }
        try read(0, in: one)
        try read(1, in: other)
        try read(2, in: one)
        let password = secret(TestKeyrings.password)
        let keyring = try KeyringFile(
            path: bela.path, places: bela.places, clocks: bela.clock.clocks()
        ).unlock(password: password)
        #expect(try bela.receive([sent[3]], with: keyring) == ["Message 3"])
        try keyring.file.close()
        bela.close()
        #expect(
            try reread(sent, at: bela)
                == ["Message 0", "Message 1", "Message 2", "Message 3", "new"])
        bela.token = other
        #expect(
            try reread(sent, at: bela)
                == ["readElsewhere", "Message 1", "Message 2", "Message 3", "new"])
        // Ending one session does not end the other session.
        bela.token = one
        #expect(try Session(token: one, folder: bela.places.sessions).end())
        bela.token = other
        #expect(try reread([sent[1]], at: bela) == ["Message 1"])
    }

    /// Nothing of a session is in the keyring. A process that continues after the session has ended keeps
    /// no more keys, and does not create the session's file again.
    @Test(arguments: ["locked", "expired"]) func aSessionThatHasEndedKeepsNoKeys(_ end: String)
        throws
    {
        let (amina, bela) = try pair()
        let file = try sessionFile(of: bela)
        let sent = try amina.send("One", "Two", "Three")
        let keyring = try bela.open()
        #expect(try bela.receive([sent[0]], with: keyring) == ["One"])
        let before = try Data(contentsOf: URL(fileURLWithPath: file))
        if end == "locked" {
            #expect(try Session(token: bela.token, folder: bela.places.sessions).end())
        } else {
            bela.clock.turn(by: 3600)
        }
        #expect(
            try bela.receive([sent[2], sent[1]], with: keyring) == ["Three", .late("Two")])
        let after = try? Data(contentsOf: URL(fileURLWithPath: file))
        #expect(after == nil || (end == "expired" && after == before))
    }

    @Test func aNewPasswordEndsOtherSessions() throws {
        let (amina, bela) = try Person.pair()
        let one = try begin(bela)
        _ = try bela.receive(try amina.send("One"))
        try begin(bela)
        _ = try bela.receive(try amina.send("Two"))
        let name = try Session(token: one, folder: bela.places.sessions).name
        let password = secret(TestKeyrings.password)
        try bela.open().changePassword(user: "Somebody", password: password, keeping: name)
        #expect(throws: KeyringError.session(.ended)) { try bela.open() }
        bela.token = one
        #expect(try kept(bela) == [1, 0])
        #expect(try bela.isSound())
    }

    /// The entries of a conversation that was replaced or ended are not used. They are removed when the
    /// session keeps keys of this contact again.
    @Test(arguments: ["sync", "accept", "lost", "remove", "restored"])
    func anEndedConversationCannotBeReread(_ command: String) throws {
        let (amina, bela) = try pair()
        let sent = try amina.send("One", "Two", "Three")
        _ = try bela.receive([sent[0], sent[2], sent[1]])
        let theirs = try amina.syncKey()
        let own = try bela.syncKey()
        #expect(try kept(bela) == [1, 1])
        #expect(try reread(sent, at: bela) == ["One", "Two", "Three"])
        let keyring = try bela.open()
        let contact = try bela.contact(in: keyring)
        switch command {
        case "sync":
            try bela.synchronise(with: theirs)
            try amina.synchronise(with: own)
        case "accept":
            let other = try amina.open()
            let peer = try amina.contact(in: other)
            let offer = try other.offer(peer, renew: false)
            let pending = try keyring.prepare(contact, with: offer, force: true)
            _ = try keyring.synchronise(pending, Agreement(pending.exchange))
        case "lost": try keyring.loseKeys(of: [contact]) { (_, _) in }
        case "remove":
            try keyring.remove(contact)
            // Another contact with the same name is not the same contact.
            _ = try keyring.add(name: contact.name, number: nil)
        default: try keyring.adoptRestored()
        }
        let outcomes = try reread(sent, at: bela)
        if ["sync", "accept"].contains(command) {
            #expect(outcomes == sent.map { _ in "readElsewhere" })
        } else {
            #expect(outcomes.allSatisfy { $0.hasPrefix("notReady") })
            #expect(try kept(bela) == [0, 0])
        }
        guard command == "sync" else { return }
        let next = try amina.send("Next")
        #expect(try bela.receive(next) == ["Next"])
        #expect(try kept(bela) == [1, 0])
        #expect(try reread(next, at: bela) == ["Next"])
        #expect(try bela.isSound())
    }

    /// An older copy of the session's file does not bring keys of an old conversation back into use.
    @Test func anOlderSessionFileIsHarmless() throws {
        let (amina, bela) = try pair()
        let sent = try amina.send("One")
        _ = try bela.receive(sent)
        let file = URL(fileURLWithPath: try sessionFile(of: bela))
        let older = try Data(contentsOf: file)
        let (own, theirs) = (try bela.syncKey(), try amina.syncKey())
        try bela.synchronise(with: theirs)
        try amina.synchronise(with: own)
        let next = try amina.send("Two")
        _ = try bela.receive(next)
        bela.close()
        try overwrite(file.path, older)
        #expect(try reread(sent + next, at: bela) == ["readElsewhere", "readElsewhere"])
        #expect(try bela.receive(try amina.send("Three")) == ["Three"])
    }

    /// The copies of chains that the contact no longer has are not used. The first message of each chain has
    /// its own key.
    @Test func erasedChainsCannotBeReread() throws {
        let (amina, bela) = try pair()
        var sent: [[UInt8]] = []
        for round in 0..<67 {
            sent += try amina.send("Round \(round)", "Again \(round)")
            #expect(try bela.receive(Array(sent.suffix(2))).count == 2)
            try startNewChain(amina, bela)
        }
        let outcomes = try reread(sent, at: bela)
        #expect(Array(outcomes.prefix(4)) == ["noKey", "noKey", "Round 1", "noKey"])
        #expect(
            Array(outcomes.dropFirst(4)) == (2..<67).flatMap { ["Round \($0)", "Again \($0)"] })
    }
}
