import Crypto
import Foundation
import Support
import TestPeople
import Testing

@testable import Keyring
@testable import Protocol

/// Opens, uses and continues keyrings that an earlier version of the tools has written. This detects
/// accidental changes of labels, checksums, tags and record layouts. After an intentional change, run the
/// tests with SMSENC_STORE=1 to recreate the files.
@Suite(
    .measured, .serialized,
    .enabled(if: Scrypt.account != .released, "they are a test build's: run scripts/test"))
struct StoredKeyringTests {
    init() throws {
        if ProcessInfo.processInfo.environment["SMSENC_STORE"] != nil {
            try StoredKeyring.make(in: StoredKeyring.folder)
        }
    }

    /// Opens a stored keyring with the password and adopts it.
    private func person(_ name: String, contact: String) throws -> Person {
        let folder = try makeTemporaryFolder()
        try FileManager.default.copyItem(
            atPath: StoredKeyring.folder.appendingPathComponent(name).path,
            toPath: folder.path + "/keyring")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: folder.path + "/keyring")
        let keyring = try keyring(in: folder)
        try keyring.adoptMoved(isComplete: true)
        let token = hex(try keyring.openSession(seconds: 1_000_000))
        try keyring.file.close()
        return Person(folder, token: token, contact: contact)
    }

    private func keyring(in folder: URL) throws -> Keyring {
        let password = secret(TestKeyrings.password)
        return try KeyringFile(
            path: folder.path + "/keyring", places: Person.places(in: folder),
            clocks: TestClock().clocks()
        ).unlock(password: password)
    }

    @Test func storedKeyringsAreReadCompletely() throws {
        let amina = try person("amina", contact: "Bela")
        let facts = try StoredKeyring.facts()
        var states: [String: ContactState.Status] = [:]
        try amina.open().eachContact { (contact, state) in states[contact.name] = state.status }
        #expect(states["Old"] == .restored && states["Bela"] == .verified && states.count == 4)
        let keyring = try amina.open()
        let bela = try keyring.state(of: try keyring.contact(named: "Bela"))
        // Each field of the record must be read from its own place. Only the number of missing messages
        // depends on chance, because a few keys are discarded.
        #expect((bela.sent, bela.received, bela.unconfirmed) == (4, 5, 0))
        #expect((2...4).contains(bela.missing) && bela.keysToReadAgain == 0 && bela.read == 0)
        #expect((bela.lastUse, bela.lastHeard) == (1_900_000_000, 1_900_000_000))
        #expect(bela.lastSynchronisation == 1_900_000_000 && bela.waiting.messages == 5)
        #expect(bela.recentlySent.runs.map(\.chain) == [1, 2, 3])
        #expect(try keyring.check { Issue.record("\($0)") } == 0)
        #expect(try keyring.fileKey().recipient == facts["file key"])
        #expect(try keyring.contact(named: "+27 82 123 4567").name == "Bela")
        try keyring.act(as: "work")
        #expect(try keyring.contact(named: "082 999 8888").name == "Femi")
        #expect(try keyring.identities().map(\.kind) == [.real, .partial])
    }

    @Test func storedConversationsContinue() throws {
        let amina = try person("amina", contact: "Bela")
        let facts = try StoredKeyring.facts()
        func read(_ names: String...) throws -> [Read] {
            try amina.receive(
                names.map { StoredKeyring.symbols(try #require(facts[$0])) })
        }
        // These are a skipped message key, and a key of a chain that was replaced long ago.
        #expect(try read("round 1 0", "round 1 2") == [.late("1 one"), .late("1 three")])
        #expect(try read("more 1", "more 2") == [.again("Again"), "Next"])
        amina.close()
        #expect(try read("round 1 0", "more 1") == [.refused, .refused])
        let bela = try person("bela", contact: Person.names.amina)
        // The key that the dead process had in flight remains lost, but does not prevent further messages.
        #expect(try bela.receive(try amina.send("On we go")) == ["On we go"])
        #expect(try bela.receive([StoredKeyring.symbols(facts["lost 0"] ?? "")]) == [.late("Lost")])
        #expect(try amina.receive(try bela.send("Yes")) == ["Yes"])
        #expect(try amina.open().check { Issue.record("\($0)") } == 0)
    }

    @Test func keysAndOffersUsedBeforeAreRefused() throws {
        let amina = try person("amina", contact: "Bela")
        let facts = try StoredKeyring.facts()
        let keyring = try amina.open()
        let bela = try amina.contact(in: keyring)
        _ = try keyring.resynchronise(bela, renew: false)
        for (name, fault) in [
            ("used key", SyncFault.keyUsed("Bela")), ("own key", .ownKeyEntered("Bela")),
        ] {
            #expect(throws: KeyringError.sync(fault)) {
                try amina.synchronise(with: try #require(facts[name]))
            }
        }
        let own = try keyring.offer(try keyring.contact(named: "Emeka"), renew: false)
        #expect(own.text == facts["own offer"])
        #expect(throws: KeyringError.sync(.ownOfferEntered("Bela"))) {
            _ = try keyring.prepare(bela, with: own, force: true)
        }
    }

    @Test func theStoredBackupCanBeImported() throws {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let lines = try String(
            contentsOf: StoredKeyring.folder.appendingPathComponent("backup"), encoding: .utf8
        ).split(separator: "\n").map { Array($0.utf8) }
        let restoration = try BackupImporter(
            of: lines[0], lines[1], at: folder.path + "/keyring",
            places: Person.places(in: folder))
        let password = secret(TestKeyrings.password)
        try restoration.unlock(password: password)
        for line in lines[2...] { try restoration.read(line) }
        try restoration.finish()
        let keyring = try keyring(in: folder)
        var contacts: [String: String?] = [:]
        try keyring.eachContact { (contact, state) in
            contacts[contact.name] = contact.number
            #expect(state.status == .restored)
        }
        #expect(contacts == ["Old": nil, "Bela": "+27821234567", "Dora": nil, "Emeka": nil])
        #expect(try keyring.fileKey().recipient == (try StoredKeyring.facts()["file key"]))
        let bela = try keyring.contact(named: "Bela")
        _ = try keyring.resynchronise(bela, renew: false)
        let used = try StoredKeyring.facts()["used key"] ?? ""
        #expect(throws: KeyringError.sync(.keyUsed("Bela"))) {
            _ = try keyring.prepare(bela, with: try SyncKey(reading: Array(used.utf8).span))
        }
    }
}
