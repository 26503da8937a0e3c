import Foundation
import Keyring
import System
import Testing

/// A keyring that was copied or restored notices, and neither enciphers nor deciphers (smsenc(7),
/// State on disk).
@Suite(.serialized) struct CopyTests {
    /// What another process commits and notes while a state is being read does not make it an old one.
    @Test func othersMayCommitWhileAStateIsRead() throws {
        let (amina, _) = try Template.pair()
        let keyring = try amina.open()
        let other = try amina.another()
        try keyring.reading { (transaction) throws(KeyringError) in
            #expect(throws: KeyringError.contact(.unknown("Chidi"))) {
                _ = try transaction.contact(named: "Chidi")
            }
            _ = try other.add(name: "Chidi", number: nil)
            #expect(throws: KeyringError.contact(.unknown("Dayo"))) {
                _ = try transaction.contact(named: "Dayo")
            }
        }
        #expect(try keyring.contact(named: "Chidi").name == "Chidi")
    }

    /// Writes over the file that is there, as cp(1) does.
    private func copy(_ bytes: Data, over person: Person) throws {
        person.close()
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: person.path))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: bytes)
        try file.close()
    }

    private func bytes(of person: Person) throws -> Data {
        person.close()
        return try Data(contentsOf: URL(fileURLWithPath: person.path))
    }

    private func expectRefusal(_ person: Person, _ error: KeyringError) throws {
        #expect(throws: error) { _ = try person.send("Hello") }
        #expect(throws: error) { _ = try person.receive([[UInt8](repeating: 1, count: 160)]) }
        #expect(throws: error) { try person.open().checkIsOriginal() }
        guard error == .copy(.moved) else {
            // What is shown would be of another day.
            #expect(throws: error) { _ = try person.link() }
            #expect(throws: error) { try person.open().eachContact { (_, _) in } }
            return
        }
        // Looking on is allowed.
        #expect(try person.link().state == .ready)
        var names: [String] = []
        try person.open().eachContact { (contact, _) in names.append(contact.name) }
        #expect(names.count == 1)
    }

    @Test func copiedFileIsNoticed() throws {
        let (amina, bela) = try Template.copies()
        try expectRefusal(amina, .copy(.moved))
        try expectRefusal(bela, .copy(.moved))
        try amina.open().adoptMoved()
        try bela.open().adoptMoved()
        #expect(try bela.receive(try amina.send("Here I am")) == ["Here I am"])
    }

    @Test func fileMovedToAnotherNameIsTheSame() throws {
        let (amina, _) = try Template.pair()
        amina.close()
        let other = amina.path + "-other"
        try FileManager.default.moveItem(atPath: amina.path, toPath: other)
        try FileManager.default.moveItem(atPath: other, toPath: amina.path)
        #expect(try amina.send("Hello").count == 1)
    }

    @Test func olderFileIsNoticed() throws {
        let (amina, _) = try Template.pair()
        let older = try bytes(of: amina)
        _ = try amina.send("One")
        try copy(older, over: amina)
        try expectRefusal(amina, .copy(.behind))
        // Whatever else is done with it, it stays so.
        for number in 0..<5 {
            _ = try? amina.open().add(name: "Contact \(number)", number: nil)
            let keyring = try amina.open()
            _ = try? keyring.resynchronise(try amina.contact(in: keyring), renew: true)
        }
        #expect(throws: KeyringError.copy(.behind)) { _ = try amina.send("Hello") }
    }

    @Test func samefileOfNowIsNot() throws {
        let (amina, bela) = try Template.pair()
        let sent = try amina.send("One")
        try copy(try bytes(of: amina), over: amina)
        #expect(try bela.receive(sent + amina.send("Two")) == ["One", "Two"])
    }

    @Test func restoredKeyringForgetsItsChains() throws {
        let (amina, bela) = try Template.pair()
        _ = try bela.receive(try amina.send("One", "Two"))
        let older = try bytes(of: bela)
        let sent = try amina.encipher(["Three", "Four"]).ciphertexts
        #expect(try bela.receive([sent[1]]) == ["Four"])
        try copy(older, over: bela)
        #expect(throws: KeyringError.copy(.behind)) { _ = try bela.receive(sent) }
        try bela.open().adoptRestored()
        #expect(try bela.link().state == .restored)
        #expect(try bela.receive(sent) == [.refused, .refused])
        #expect(try bela.encipher(["Hello"]).ciphertexts.isEmpty)
        // They synchronise again, and go on.
        let keys = try [amina, bela].map { person in
            let keyring = try person.open()
            let key = try keyring.resynchronise(try person.contact(in: keyring), renew: false)
            return text(of: key)
        }
        #expect(try bela.link().state == .restored)
        try amina.synchronise(with: keys[1])
        try bela.synchronise(with: keys[0])
        #expect(try amina.receive(try bela.send("Back again")) == ["Back again"])
    }

    /// The log is kept of one that is behind; what an adoption changes goes into the file all the same.
    @Test func restoringIsInTheFile() throws {
        let (amina, _) = try Template.pair()
        let older = try bytes(of: amina)
        _ = try amina.send("One")
        try copy(older, over: amina)
        let keyring = try amina.open()
        #expect(throws: KeyringError.copy(.behind)) { try keyring.checkIsOriginal() }
        try keyring.adoptRestored()
        try keyring.closeFile()
        #expect(!FileManager.default.fileExists(atPath: amina.path + "-wal"))
    }

    @Test func notesOfSeveralKeyringsStandSideBySide() throws {
        let (amina, bela) = try Template.pair()
        for person in [amina, bela] {
            let notes = try FileManager.default.contentsOfDirectory(atPath: person.places.state)
                .filter { $0.count == 32 }
            #expect(notes.count == 1)
            let note = try String(
                contentsOfFile: person.places.state + "/" + notes[0], encoding: .utf8)
            #expect(Int(note.dropLast()) ?? 0 > 0)
        }
    }
}
