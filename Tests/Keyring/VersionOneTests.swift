import Foundation
import GSM7
import Protocol
import Testing

@testable import Keyring

/// Keyrings that the tools of version 1 left (Vectors/keyring-1, whose README says what is in them).
@Suite struct VersionOneTests {
    private static let stored = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Vectors/keyring-1")

    /// A copy of a stored keyring in a folder of its own.
    private func copy(_ name: String) throws -> URL {
        let folder = try Template.newFolder()
        let path = folder.path + "/keyring"
        try FileManager.default.copyItem(
            atPath: Self.stored.appendingPathComponent(name).path, toPath: path)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: path)
        return folder
    }

    private func keyring(in folder: URL) throws -> Keyring {
        try Keyring(
            path: folder.path + "/keyring", places: Template.places(in: folder),
            clocks: TestClock().clocks())
    }

    /// A stored keyring that was unlocked, and is at home where it is.
    private func person(_ name: String, contact: String) throws -> Person {
        let folder = try copy(name)
        let keyring = try keyring(in: folder)
        let password = secret(Template.password)
        try keyring.unlock(password: password)
        try keyring.adoptMoved()
        let token = hex(try keyring.openSession(seconds: 1_000_000))
        try keyring.closeFile()
        return Person(folder, token: token, contact: contact)
    }

    /// Bela's messages, by what became of them.
    private func messages() throws -> [String: [[UInt8]]] {
        let url = Self.stored.appendingPathComponent("messages.txt")
        var found: [String: [[UInt8]]] = [:]
        for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
            let parts = line.split(separator: "\t", maxSplits: 1)
            let symbols = (0..<125).map { Alphabet.scalar(of: UInt8($0)) }
            found[String(parts[0]), default: []].append(
                parts[1].unicodeScalars.compactMap { symbols.firstIndex(of: $0) }.map(UInt8.init))
        }
        return found
    }

    @Test func allThatWasThereIsThere() throws {
        let amina = try person("amina", contact: "Bela")
        var states: [String: Link.State] = [:]
        try amina.open().eachContact { (contact, link) in states[contact.name] = link.state }
        #expect(
            states == ["Old": .restored, "Bela": .verified, "Dora": .waiting, "Emeka": .offered])
        let keyring = try amina.open()
        try keyring.act(as: "work")
        #expect(try keyring.link(of: try keyring.contact(named: "0829998888")).state == .offered)
        try amina.open().lookAtAll()
        let sent = try messages()
        let read = { (name: String, places: [Int]) throws in
            try amina.receive(places.map { sent[name]?[$0] ?? [] })
        }
        #expect(try read("next", [0]) == ["Next"])
        #expect(try read("late", [0]) == [.late("Early 1")])
        #expect(try read("older", [0, 1]) == [.late("3"), .late("4")].map { early($0) })
        #expect(try read("again", [0]) == [.again("Again")])
        #expect(try read("r1", [0, 1, 2]) == [.late("Round 1 1"), .late("Round 1 2"), .refused])
        amina.close()
        for name in ["next", "late", "again"] { #expect(try read(name, [0]) == [.refused]) }
        let bela = try person("bela", contact: "Amina")
        #expect(try bela.receive(try amina.send("On we go")) == ["On we go"])
        #expect(try amina.receive(try bela.send("Yes")) == ["Yes"])
        try amina.open().lookAtAll()
    }

    private func early(_ read: Read) -> Read {
        if case .late(let number) = read { .late("Early \(number)") } else { read }
    }

    @Test func keysAndOffersOfBeforeAreRefused() throws {
        let amina = try person("amina", contact: "Bela")
        let keyring = try amina.open()
        let bela = try amina.contact(in: keyring)
        _ = try keyring.resynchronise(bela, renew: false)
        #expect(throws: KeyringError.sync(.keyUsed("Bela"))) {
            try amina.synchronise(with: "SAJ9Z-N0SR3")
        }
        let emeka = try keyring.contact(named: "Emeka")
        let own = try keyring.offer(emeka, renew: false)
        #expect(own.text.hasPrefix("smsenc1-KXT5YY00DSCEV3XF124SMTX8PXDBJJNJKM0PMK"))
        #expect(throws: KeyringError.sync(.ownOfferEntered("Bela"))) {
            _ = try keyring.accept(own, from: bela, anyway: true)
        }
    }

    @Test func bringingOverIsOneCommit() throws {
        let folder = try copy("amina")
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.path + "/keyring"
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let wrong = secret("Wrong horse!")
        #expect(throws: KeyringError.self) {
            try keyring(in: folder).unlock(password: wrong)
        }
        #expect(try version(path) == 1)
        // A key is missing: nothing of it is brought over.
        let database = try Database(path: path)
        try database.execute("DELETE FROM kept WHERE number = (SELECT min(number) FROM kept)")
        try database.close()
        let right = secret(Template.password)
        #expect(throws: KeyringError.store(.damaged("keys of a contact are missing"))) {
            try keyring(in: folder).unlock(password: right)
        }
        #expect(try version(path) == 1)
        try before.write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        try keyring(in: folder).unlock(password: right)
        #expect(try version(path) == 2)
        try keyring(in: folder).unlock(password: right)
    }

    private func version(_ path: String) throws -> Int64? {
        try Database(path: path).statement("PRAGMA user_version").first { $0.integer(0) }
    }
}
