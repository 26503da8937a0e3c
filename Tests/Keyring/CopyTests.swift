import Crypto
import Foundation
import Keyring
import Support
import TestPeople
import System
import Support
import Testing

@testable import Keyring

/// Tests that a keyring that was copied or restored detects this, and refuses to encrypt and decrypt
/// (smsenc-protocol(7), Stored state).
@Suite(.measured, .serialized) struct CopyTests {
    /// If another process commits while a state is being read, the state must not count as outdated.
    @Test func otherProcessesCanCommitWhileAStateIsRead() throws {
        let (amina, _) = try Person.pair()
        let keyring = try amina.open()
        let other = try amina.another()
        try keyring.reading { (store) throws(KeyringError) in
            #expect(throws: KeyringError.contact(.unknown("Chidi"))) {
                _ = try store.contacts.contact(named: "Chidi")
            }
            _ = try other.add(name: "Chidi", number: nil)
            #expect(throws: KeyringError.contact(.unknown("Dayo"))) {
                _ = try store.contacts.contact(named: "Dayo")
            }
        }
        #expect(try keyring.contact(named: "Chidi").name == "Chidi")
    }

    /// Overwrites the existing file, like cp(1).
    private func copy(_ bytes: Data, over person: Person) throws {
        person.close()
        try overwrite(person.path, bytes)
    }

    private func bytes(of person: Person) throws -> Data {
        person.close()
        return try Data(contentsOf: URL(fileURLWithPath: person.path))
    }

    private func expectRefusal(_ person: Person, _ error: KeyringError) throws {
        #expect(throws: error) { _ = try person.send("Hello") }
        #expect(throws: error) { _ = try person.receive([[UInt8](repeating: 1, count: 160)]) }
        #expect(throws: error) { try person.open().readingOriginal(toCommit: false) { (_) in } }
        guard error == .copy(.moved) else {
            // The state could be outdated, so it must not be read.
            #expect(throws: error) { _ = try person.state() }
            #expect(throws: error) { try person.open().eachContact { (_, _) in } }
            #expect(throws: error) { try person.open().eachCard { _ in } }
            return
        }
        // Reading is allowed.
        #expect(try person.state().status == .unverified)
        var names: [String] = []
        try person.open().eachContact { (contact, _) in names.append(contact.name) }
        #expect(names.count == 1)
        // Changes are refused.
        #expect(throws: error) { _ = try person.open().add(name: "Chipo", number: nil) }
    }

    @Test func aCopiedFileIsDetected() throws {
        let (amina, bela) = try Person.pair()
        for person in [amina, bela] {
            person.close()
            let copy = person.path + "-copy"
            try FileManager.default.copyItem(atPath: person.path, toPath: copy)
            try FileManager.default.removeItem(atPath: person.path)
            try FileManager.default.moveItem(atPath: copy, toPath: person.path)
        }
        try expectRefusal(amina, .copy(.moved))
        try expectRefusal(bela, .copy(.moved))
        try amina.open().adoptMoved(isComplete: true)
        try bela.open().adoptMoved(isComplete: true)
        #expect(try bela.receive(try amina.send("Here I am")) == ["Here I am"])
    }

    @Test func aRenamedFileIsNotACopy() throws {
        let (amina, _) = try Person.pair()
        amina.close()
        let other = amina.path + "-other"
        try FileManager.default.moveItem(atPath: amina.path, toPath: other)
        try FileManager.default.moveItem(atPath: other, toPath: amina.path)
        #expect(try amina.send("Hello").count == 1)
    }

    @Test func anOlderFileIsDetected() throws {
        let (amina, _) = try Person.pair()
        let older = try bytes(of: amina)
        _ = try amina.send("One")
        try copy(older, over: amina)
        try expectRefusal(amina, .copy(.behind))
        // The keyring still counts as restored, regardless of what else is done with it.
        for number in 0..<5 {
            _ = try? amina.open().add(name: "Contact \(number)", number: nil)
            let keyring = try amina.open()
            _ = try? keyring.resynchronise(try amina.contact(in: keyring), renew: true)
        }
        #expect(throws: KeyringError.copy(.behind)) { _ = try amina.send("Hello") }
    }

    @Test func anOlderFileCannotBeAdoptedAsMoved() throws {
        let (amina, _) = try Person.pair()
        let older = try bytes(of: amina)
        _ = try amina.send("One")
        try copy(older, over: amina)
        #expect(throws: KeyringError.copy(.behind)) {
            try amina.open().adoptMoved(isComplete: true)
        }
        #expect(throws: KeyringError.copy(.behind)) { _ = try amina.send("Two") }
        try amina.open().adoptRestored()
        #expect(try amina.state().status == .restored)
    }

    /// Until the count has been increased, no other process can read the note for a commit, even under
    /// another name of the keyring.
    @Test func theNoteIsLockedDuringACommit() throws {
        let (amina, _) = try Person.pair()
        let keyring = try amina.open()
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: amina.places.state).first {
                $0.count == 32
            })
        let note = try File(updating: amina.places.state + "/" + name, createsMissing: false)
        try keyring.change { (_) throws(KeyringError) in #expect((try? note.lock()) == false) }
        #expect(try note.lock())
        note.unlock()
        try keyring.reading { (_) throws(KeyringError) in #expect((try? note.lock()) == true) }
    }

    /// A process raises the note to the count of its last cleanup when it closes the keyring, and never lowers
    /// the note, although another process has committed meanwhile.
    @Test func theNoteIsRaisedWhenTheKeyringIsClosed() throws {
        let (amina, _) = try Person.pair()
        func count() throws -> Int {
            try amina.another().reading { (store) throws(KeyringError) in
                Int(store.header.commits)
            }
        }
        try amina.encrypt(["One"]).finish()
        #expect(try amina.note() < count())
        amina.close()
        #expect(try amina.note() == count())
        try amina.encrypt(["Two"]).finish()
        _ = try amina.another().add(name: "Chidi", number: nil)
        let last = try count()
        #expect(try amina.note() == last)
        amina.close()
        #expect(try amina.note() == last)
    }

    @Test func overwritingTheFileWithItselfIsNotARollback() throws {
        let (amina, bela) = try Person.pair()
        let sent = try amina.send("One")
        try copy(try bytes(of: amina), over: amina)
        #expect(try bela.receive(sent + amina.send("Two")) == ["One", "Two"])
    }

    @Test func adoptingARestoredKeyringErasesItsChains() throws {
        let (amina, bela) = try Person.pair()
        _ = try bela.receive(try amina.send("One", "Two"))
        let older = try bytes(of: bela)
        let sent = try amina.encrypt(["Three", "Four"]).ciphertexts
        #expect(try bela.receive([sent[1]]) == ["Four"])
        try copy(older, over: bela)
        #expect(throws: KeyringError.copy(.behind)) { _ = try bela.receive(sent) }
        try bela.open().adoptRestored()
        #expect(try bela.state().status == .restored)
        #expect(try bela.receive(sent) == [.refused, .refused])
        #expect(try bela.encrypt(["Hello"]).ciphertexts.isEmpty)
        // Both people synchronise again and continue.
        let keys = try [amina, bela].map { try $0.syncKey() }
        #expect(try bela.state().status == .restored)
        try amina.synchronise(with: keys[1])
        try bela.synchronise(with: keys[0])
        #expect(try amina.receive(try bela.send("Back again")) == ["Back again"])
    }

    /// The log of a keyring that is an older copy is kept, but the changes of an adoption must be written
    /// to the file.
    @Test func adoptionIsWrittenToTheFile() throws {
        let (amina, _) = try Person.pair()
        let older = try bytes(of: amina)
        _ = try amina.send("One")
        try copy(older, over: amina)
        let keyring = try amina.open()
        #expect(throws: KeyringError.copy(.behind)) {
            try keyring.readingOriginal(toCommit: false) { (_) in }
        }
        try keyring.adoptRestored()
        try keyring.file.close()
        #expect(!FileManager.default.fileExists(atPath: amina.path + "-wal"))
    }

    /// The reasons why a note counts as missing.
    enum NoteLoss: CaseIterable {
        case removed, folderRemoved, emptied, cut, lengthened, digitAdded, altered, tooLarge,
            elsewhere

        func apply(to person: Person) throws -> StandardPaths {
            let places = person.places
            guard let path = try person.notePath() else { return places }
            switch self {
            case .removed: try FileManager.default.removeItem(atPath: path)
            case .folderRemoved: try FileManager.default.removeItem(atPath: places.state)
            case .emptied: try Data().write(to: URL(fileURLWithPath: path))
            case .cut: try Data("0000000007\n".utf8).write(to: URL(fileURLWithPath: path))
            case .lengthened:
                try Data("00000000000000000007\n\n".utf8).write(to: URL(fileURLWithPath: path))
            case .digitAdded:
                try Data("000000000000000000007\n".utf8).write(to: URL(fileURLWithPath: path))
            case .altered:
                try Data("+0000000000000000007\n".utf8).write(to: URL(fileURLWithPath: path))
            case .tooLarge:
                try Data("09999999999999999999\n".utf8).write(to: URL(fileURLWithPath: path))
            case .elsewhere:
                return StandardPaths(state: places.state + "-of-cron", sessions: places.sessions)
            }
            return places
        }
    }

    /// A keyring without its rollback note may have been rolled back. Until its owner states what
    /// happened, commands can read the keyring but not change it.
    @Test(arguments: NoteLoss.allCases) func aMissingNoteIsDetected(_ loss: NoteLoss) throws {
        let (amina, bela) = try Person.pair()
        let sms = try bela.send("Hello")
        _ = try amina.send("One")
        amina.close()
        let before = try bytes(of: amina)
        amina.places = try loss.apply(to: amina)
        let names = amina.stateFiles()
        let error = KeyringError.copy(
            .noteMissing(keyring: amina.path, folder: amina.places.state))
        #expect(throws: error) { _ = try amina.send("Two") }
        #expect(throws: error) { _ = try amina.receive(sms) }
        #expect(throws: error) { _ = try amina.open().add(name: "Chidi", number: nil) }
        #expect(throws: error) { try amina.open().addIdentity("Mask", .partial) }
        #expect(throws: error) { try amina.open().readingOriginal(toCommit: true) { (_) in } }
        try amina.open().readingOriginal(toCommit: false) { (_) in }
        #expect(try amina.state().status == .unverified)
        try amina.open().eachContact { (_, _) in }
        #expect(try amina.open().check { Issue.record("\($0)") } == 0)
        #expect(try bytes(of: amina) == before)
        #expect(amina.stateFiles() == names)
        try amina.open().adoptMoved(isComplete: true)
        #expect(try amina.receive(sms) == ["Hello"])
        #expect(try bela.receive(try amina.send("Two")) == ["Two"])
    }

    /// An interrupted adoption has no effect, because the note is created only after a durable commit.
    @Test func anInterruptedAdoptionHasNoEffect() throws {
        let (amina, _) = try Person.pair()
        let older = try bytes(of: amina)
        _ = try amina.send("One")
        try copy(older, over: amina)
        _ = try NoteLoss.removed.apply(to: amina)
        let error = KeyringError.copy(
            .noteMissing(keyring: amina.path, folder: amina.places.state))
        for _ in 0..<2 {
            _ = try WriteTransaction(amina.open(), .adoption)
            #expect(throws: error) { _ = try amina.send("Two") }
        }
        try amina.open().adoptRestored()
        #expect(try amina.state().status == .restored)
    }

    /// A failed import or `init` leaves no note.
    @Test func aFailedImportLeavesNoNote() throws {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let places = Person.places(in: folder)
        let password = secret(TestKeyrings.password)
        let master = try randomSecret(32)
        let account = try Account(
            keyring: [UInt8](repeating: 7, count: 16), user: "Amina", country: "", lockTries: 3,
            lockSeconds: 300, master: master, password: password)
        do {
            _ = try KeyringBuilder(
                at: folder.path + "/k/keyring", account, master: master, places: places)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: places.state).isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/k").isEmpty)
    }

    @Test func severalKeyringsHaveSeparateNotes() throws {
        let (amina, bela) = try Person.pair()
        for person in [amina, bela] {
            let notes = try FileManager.default.contentsOfDirectory(atPath: person.places.state)
                .filter { $0.count == 32 }
            #expect(notes.count == 1)
            let note = try String(
                contentsOfFile: person.places.state + "/" + notes[0], encoding: .utf8)
            #expect(Int(note.dropLast()) ?? 0 > 0)
        }
    }

    /// Returns a backup of a keyring, and a new keyring that is being restored from it.
    private func backup(
        of person: Person
    ) throws -> (head: [UInt8], records: [[UInt8]], restoration: BackupImporter) {
        let keyring = try person.open()
        var lines: [[UInt8]] = []
        try keyring.export { lines.append($0) }
        // The account is used again to save the time of scrypt, so the note needs a different folder.
        let places = StandardPaths(
            state: person.folder.path + "/other", sessions: person.places.sessions)
        let restoration = try BackupImporter(
            of: lines[0], lines[1], at: person.path + "-restored", places: places)
        try restoration.begin(keyring.account, master: keyring.masterKeys.master)
        return (try #require(Base64.decoded(lines[1])), Array(lines[2...]), restoration)
    }

    @Test func aTruncatedBackupIsRefused() throws {
        let (amina, _) = try Person.pair()
        let (_, records, restoration) = try backup(of: amina)
        for record in records.dropLast() { try restoration.read(record) }
        // There are the two unencrypted lines and all records except one. The line of the missing record
        // is reported.
        let missing = KeyringError.backup(.damaged(line: Int64(records.count) + 2))
        #expect(throws: missing) { try restoration.finish() }
        #expect(!FileManager.default.fileExists(atPath: amina.path + "-restored"))
    }

    /// Anyone with the password could create such a line.
    @Test(arguments: [
        ("Bela", String(repeating: "1", count: 300)),
        (String(repeating: "n", count: 256), "+49171"),
        ("e\u{301}", "+491711234567"), ("", "+491711234567"), ("Bela", "0171/1234567"),
    ])
    func aContactThatCannotBeStoredIsRefused(name: String, number: String) throws {
        let (amina, _) = try Person.pair()
        let (head, records, restoration) = try backup(of: amina)
        try restoration.read(records[0])
        let record = BackupRecord.contact(
            try amina.open().ring.id, Contact(id: ContactID(256), name: name, number: number),
            getsReceipts: false)
        let line = Base64.encoded(
            try Backup.sealingKey(amina.open().masterKeys.master).seal(
                record.encoded(), in: Backup.context(head, 2)))
        #expect(throws: KeyringError.backup(.damaged(line: 4))) { try restoration.read(line) }
    }

    /// Anyone with the password could append such a line.
    @Test func aBackupWithExtraLinesIsRefused() throws {
        let (amina, _) = try Person.pair()
        let (head, records, restoration) = try backup(of: amina)
        for record in records { try restoration.read(record) }
        let next = Int64(records.count) + 1
        let line = Base64.encoded(
            try Backup.sealingKey(amina.open().masterKeys.master).seal(
                BackupRecord.usedKeys([]).encoded(), in: Backup.context(head, next)))
        #expect(throws: KeyringError.backup(.damaged(line: next + 2))) {
            try restoration.read(line)
        }
    }

    /// Contents of backups that only somebody with the password could create.
    enum CraftedBackup: CaseIterable {
        case empty, onlyPartial, transient, twoReal, sameIdentity, sameContact, sameContactLater
        case blockOfTwoIdentities, blockInTwoParts, sameName, sameNumber

        func records() throws -> [BackupRecord] {
            func identity(_ id: Int64, _ kind: Identity.Kind) throws -> BackupRecord {
                .identity(Identity(id: id, kind: kind, name: "Identity \(id)"), try .drawn())
            }
            func contact(
                _ identity: Int64, _ id: Int64, _ name: String, _ number: String? = nil
            ) -> BackupRecord {
                let contact = Contact(id: ContactID(id), name: name, number: number)
                return .contact(identity, contact, getsReceipts: false)
            }
            let (real, work) = (try identity(7, .real), try identity(8, .partial))
            return switch self {
            case .empty: [.end]
            case .onlyPartial: [work, .end]
            case .transient: [real, try identity(9, .transient), .end]
            case .twoReal: [real, try identity(9, .real), .end]
            case .sameIdentity: [real, work, work, .end]
            case .sameContact: [real, contact(7, 256, "A"), contact(7, 256, "B"), .end]
            case .sameContactLater:
                [real, contact(7, 256, "A"), contact(7, 257, "B"), contact(7, 256, "C"), .end]
            case .blockOfTwoIdentities:
                [real, contact(7, 256, "A"), work, contact(8, 257, "B"), .end]
            case .blockInTwoParts:
                [
                    real, contact(7, 256, "A"), contact(7, 512, "B"), contact(7, 257, "C"), .end,
                ]
            case .sameName: [real, contact(7, 256, "A"), contact(7, 512, "A"), .end]
            case .sameNumber:
                [
                    real, contact(7, 256, "A", "+27821234567"),
                    contact(7, 512, "B", "+27821234567"), .end,
                ]
            }
        }

        /// The index of the record that is refused.
        var fault: Int {
            switch self {
            case .empty, .onlyPartial: 0
            case .transient, .twoReal: 1
            case .sameIdentity, .sameContact, .sameName, .sameNumber: 2
            case .sameContactLater, .blockOfTwoIdentities, .blockInTwoParts: 3
            }
        }
    }

    @Test(arguments: CraftedBackup.allCases)
    func aCraftedBackupIsRefused(_ backup: CraftedBackup) throws {
        let (amina, _) = try Person.pair()
        let (head, _, restoration) = try self.backup(of: amina)
        let key = try Backup.sealingKey(amina.open().masterKeys.master)
        let lines = try backup.records().enumerated().map { (index, record) in
            Base64.encoded(
                try key.seal(record.encoded(), in: Backup.context(head, Int64(index + 1))))
        }
        for line in lines[..<backup.fault] { try restoration.read(line) }
        #expect(throws: KeyringError.backup(.damaged(line: Int64(backup.fault) + 3))) {
            try restoration.read(lines[backup.fault])
        }
        #expect(throws: KeyringError.self) { try restoration.finish() }
        #expect(!FileManager.default.fileExists(atPath: amina.path + "-restored"))
    }
}
