import Crypto
import Foundation
import Protocol
import Support
import System
import TestPeople
import Testing

@testable import Keyring

/// Tests which messages an open session can decrypt again, and what erases the keys that the session
/// keeps.
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
            if case .not(let why) = outcome {
                outcomes.append("\(why)")
            } else if case .reread(let message) = Person.read(outcome, frame) {
                outcomes.append(message)
            } else {
                outcomes.append("\(outcome)")
            }
        }
        try rereading.commit()
        return outcomes
    }

    private func rows(_ person: Person) throws -> Int64 {
        try person.open().database.statement("SELECT count(*) FROM reread")
            .first { $0.integer(0) } ?? 0
    }

    private func isSound(_ person: Person) throws -> Bool {
        var isSound = true
        _ = try person.open().check { _ in isSound = false }
        return isSound
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
        let version = try bela.state().version
        bela.close()
        let note = try bela.note()
        #expect(try reread(sent + more + last, at: bela) == due)
        #expect(try reread((sent + more + last).reversed(), at: bela) == due.reversed())
        bela.close()
        #expect(try bela.note() == note)
        #expect(try bela.state().version == version)
        #expect(try bela.receive([sent[7]]) == [.late("Message 7")])
        #expect(try reread([sent[7]], at: bela) == ["Message 7"])
        #expect(try isSound(bela))
    }

    @Test func rereadingAChainNeedsOneRow() throws {
        let (amina, bela) = try pair()
        for round in 0..<3 {
            for number in 0..<4 {
                _ = try bela.receive(try amina.send("Message \(number)"))
                #expect(try rows(bela) == Int64(round + 1))
            }
            try startNewChain(amina, bela)
        }
    }

    /// Messages that were possibly never printed cannot be reread.
    @Test func unwrittenMessagesCannotBeReread() throws {
        let (amina, bela) = try pair()
        let sent = try amina.encrypt((0..<4).map { "Message \($0)" }).ciphertexts
        _ = try bela.receive([sent[0]])
        _ = try bela.receive([sent[2]], written: 0)
        #expect(try reread(sent, at: bela) == ["Message 0", "new", "Message 2", "new"])
        _ = try bela.mark(as: "1 0 another boot")
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
        #expect(try rows(bela) == 2)
        let password = secret(TestKeyrings.password)
        let keyring = try LockedKeyring(
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
        try Session(token: bela.token, folder: bela.places.sessions).end()
        bela.token = other
        #expect(try reread([sent[1]], at: bela) == ["Message 1"])
    }

    @Test func aNewPasswordEndsOtherSessions() throws {
        let (amina, bela) = try Person.pair()
        let one = try begin(bela)
        _ = try bela.receive(try amina.send("One"))
        try begin(bela)
        _ = try bela.receive(try amina.send("Two"))
        #expect(try rows(bela) == 2)
        let name = try Session(token: one, folder: bela.places.sessions).name
        let password = secret(TestKeyrings.password)
        try bela.open().changePassword(user: "Somebody", password: password, keeping: name)
        bela.token = one
        #expect(try rows(bela) == 1)
        #expect(try isSound(bela))
    }

    /// Replacing or ending a contact's chains erases the contact's rows of all sessions, and no other
    /// rows.
    @Test(arguments: ["sync", "accept", "lost", "remove", "restored"])
    func theEndOfAConversationErasesItsRows(_ command: String) throws {
        let (amina, bela) = try Person.pair()
        try begin(bela)
        let sent = try amina.send("One", "Two")
        _ = try bela.receive([sent[0]])
        try begin(bela)
        _ = try bela.receive([sent[1]])
        #expect(try rows(bela) == 2)
        let theirs = try amina.syncKey()
        _ = try bela.syncKey()
        #expect(try rows(bela) == 2)
        #expect(try reread([sent[1]], at: bela) == ["Two"])
        let keyring = try bela.open()
        let contact = try bela.contact(in: keyring)
        switch command {
        case "sync": try bela.synchronise(with: theirs)
        case "accept":
            let offer = try amina.open().offer(try amina.contact(in: amina.open()), renew: false)
            let pending = try keyring.prepare(contact, with: offer, force: true)
            _ = try keyring.synchronise(pending, Agreement(pending.exchange))
        case "lost": try keyring.loseKeys(of: [contact]) { (_, _) in }
        case "remove": try keyring.remove(contact)
        default: try keyring.adoptRestored()
        }
        #expect(try rows(bela) == 0)
        #expect(try isSound(bela))
    }

    @Test(arguments: [Identity.Kind.partial, .transient])
    func removingAnIdentityErasesItsRows(_ kind: Identity.Kind) throws {
        let (amina, bela) = try pair()
        let keyring = try bela.open()
        try keyring.addIdentity("work", kind)
        try keyring.act(as: "work")
        let other = try amina.open()
        try TestKeyrings.synchronise(
            (other, "Other", "082 777 6666"), (keyring, "Amina at work", "082 777 5555"))
        let name = bela.contactName
        amina.contactName = "Amina at work"
        bela.contactName = "Other"
        _ = try bela.receive(try amina.send("At work"), with: keyring)
        amina.contactName = Person.names.bela
        bela.contactName = name
        let sent = try amina.send("At home")
        _ = try bela.receive(sent, with: bela.open())
        #expect(try rows(bela) == 2)
        try bela.open().removeIdentity("work")
        #expect(try rows(bela) == 1)
        #expect(try reread(sent, at: bela) == ["At home"])
        #expect(try isSound(bela))
    }

    /// The next commit erases the rows of sessions that belong to another boot. A missing
    /// session file does not prove that a session has ended.
    @Test(arguments: ["another boot", "file gone"])
    func theNextCommitErasesRowsOfEndedSessions(_ end: String) throws {
        let (amina, bela) = try Person.pair()
        let long = bela.token
        try begin(bela)
        _ = try bela.receive(try amina.send("One"))
        try begin(bela, seconds: 10_000)
        _ = try bela.receive(try amina.send("Two"))
        let (_, file) = (
            bela.close(), try Session(token: bela.token, folder: bela.places.sessions)
        )
        bela.token = long
        let next = try amina.send("Three")
        switch end {
        case "another boot":
            let other = try bela.another(bootID: "next boot")
            let count: () throws -> Int64? = {
                try other.database.statement("SELECT count(*) FROM reread").first { $0.integer(0) }
            }
            #expect(try count() == 2)
            _ = try bela.receive(next, with: other)
            #expect(try count() == 0)
        default:
            file.end()
            _ = try bela.receive(next)
            #expect(try rows(bela) == 3)
        }
        #expect(try isSound(bela))
    }

    @Test(arguments: [
        "DELETE FROM reread WHERE number = 0", "UPDATE reread SET number = 7 WHERE number = 0",
        "UPDATE reread SET ring = 2", "UPDATE reread SET session = randomblob(56)",
        "INSERT INTO reread SELECT contact + 1, session, number, ring, record FROM reread",
        "UPDATE reread SET record = (SELECT record FROM kept)",
    ])
    func forgedRowsAreDetected(_ change: String) throws {
        let (amina, bela) = try pair()
        let sent = try amina.send("One", "Two", "Three")
        _ = try bela.receive([sent[2], sent[0]])
        #expect(try rows(bela) == 2)
        try alter(bela, change)
        expectDamage { _ = try reread(sent, at: bela) }
        #expect(try !isSound(bela))
        // New messages can still be decrypted.
        #expect(try bela.receive([sent[1]]) == [.late("Two")])
    }

    @Test func restoredRowsAreDetected() throws {
        let (amina, bela) = try pair()
        let sent = try amina.send("One")
        _ = try bela.receive(sent)
        bela.close()
        let older = bela.path + "-older"
        try FileManager.default.copyItem(atPath: bela.path, toPath: older)
        let theirs = try amina.syncKey()
        _ = try bela.syncKey()
        try bela.synchronise(with: theirs)
        try alter(
            bela, "ATTACH '\(older)' AS older; INSERT INTO main.reread SELECT * FROM older.reread")
        expectDamage { _ = try reread(sent, at: bela) }
        #expect(try !isSound(bela))
    }

    /// The keys kept for rereading can be decrypted only with the session's file, not with the keyring's
    /// keys.
    @Test func onlyTheSessionDecryptsItsRows() throws {
        let (amina, bela) = try pair()
        _ = try bela.receive(try amina.send("One"))
        let keyring = try bela.open()
        let keys = keyring.keys
        try keyring.reading { (store) throws(KeyringError) in
            guard let stored = try store.database.first(.reread, of: 1) else {
                return #expect(Bool(false))
            }
            #expect(throws: KeyringError.self) {
                try stored.read(keys.masterKeys.sealingKey) { (_) in }
            }
            #expect(throws: KeyringError.self) { try stored.read(keys.ring.sealingKey) { (_) in } }
            try stored.read(try keyring.rereadKey().sealingKey) { (_) in }
        }
    }

    /// The limit on retired chains for late messages also applies to rereading.
    @Test func erasedChainsCannotBeReread() throws {
        let (amina, bela) = try pair()
        var sent: [[UInt8]] = []
        for round in 0..<67 {
            sent += try amina.send("Round \(round)")
            #expect(try bela.receive([sent[round]]) == ["Round \(round)"])
            try startNewChain(amina, bela)
        }
        let outcomes = try reread(sent, at: bela)
        #expect(outcomes.prefix(2) == ["noKey", "noKey"])
        #expect(Array(outcomes.dropFirst(2)) == (2..<67).map { "Round \($0)" })
    }
}
