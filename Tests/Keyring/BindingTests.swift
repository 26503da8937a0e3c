import Crypto
import Foundation
import Protocol
import Support
import TestPeople
import System
import Support
import Testing

@testable import Keyring

/// Tests attacks on rows. The attacker has the file, but no key, and exchanges rows or replaces them with
/// older rows.
@Suite(.measured) struct BindingTests {
    @Test(arguments: [
        "UPDATE contacts SET ring = 99", "UPDATE contacts SET card_version = 2",
        "UPDATE contacts SET number_tag = NULL", "DELETE FROM used_keys",
        "UPDATE rings SET version = version + 1", "DELETE FROM contacts WHERE id = 2",
    ])
    func forgedRowsAreNotListed(_ change: String) throws {
        let (amina, _) = try Person.pair()
        _ = try amina.open().add(name: "Chidi", number: "082 999 8888")
        try alter(amina, change)
        expectDamage { try amina.open().eachContact { (_, _) in } }
    }

    /// A second row must never be read instead of the keyring's own row.
    @Test(arguments: ["account", "lockout", "ledger"], [-5, 7])
    func secondRowIsRefused(table: String, id: Int) throws {
        let (amina, _) = try Person.pair()
        try alter(
            amina,
            """
            PRAGMA ignore_check_constraints = ON; CREATE TEMP TABLE held AS SELECT * FROM \(table);
            UPDATE held SET id = \(id); INSERT INTO \(table) SELECT * FROM held
            """)
        expectDamage { _ = try amina.open() }
    }

    @Test func changedSettingsOfTheAccountAreDetected() throws {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = try Person.createKeyring(in: folder)
        let right = secret(TestKeyrings.password)
        let master = try file.masterKey(password: right)
        let forged = try file.account.with(country: "44", lockout: nil).changed(
            master: master, password: right)
        let database = try Database(path: folder.path + "/keyring")
        try forged.write(to: database)
        expectDamage {
            _ = try LockedKeyring(
                path: folder.path + "/keyring", places: Person.places(in: folder),
                clocks: TestClock().clocks()
            ).unlock(password: right)
        }
    }

    private func setMode(_ mode: Int, of path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    @Test func exchangedNamesAreDetected() throws {
        let (amina, _) = try Person.pair()
        _ = try amina.open().add(name: "Chidi", number: "082 999 8888")
        try alter(
            amina,
            """
            CREATE TEMP TABLE held AS SELECT id, name_tag FROM contacts;
            UPDATE contacts SET name_tag = randomblob(16);
            UPDATE contacts SET name_tag = (SELECT name_tag FROM held WHERE held.id = 3 - contacts.id)
            """)
        expectDamage { _ = try amina.send("For Bela only") }
        expectDamage { _ = try amina.open().contact(named: "Chidi") }
    }

    @Test(arguments: [
        "TRIGGER more AFTER UPDATE ON contacts BEGIN SELECT 1; END",
        "VIEW more AS SELECT 1", "TABLE more (x)", "INDEX more ON contacts (ring)",
    ])
    func foreignSchemaObjectsAreRefused(_ thing: String) throws {
        let (amina, _) = try Person.pair()
        try alter(amina, "CREATE " + thing)
        expectDamage { _ = try amina.open() }
    }

    @Test func restoredSkippedKeysAndRetiredChainsAreDetected() throws {
        let (amina, bela) = try Person.pair()
        let sent = try amina.send("One", "Two", "Three")
        _ = try bela.receive([sent[2]])
        bela.close()
        let older = bela.path + "-older"
        try FileManager.default.copyItem(atPath: bela.path, toPath: older)
        #expect(try bela.receive([sent[0]]) == [.late("One")])
        try alter(
            bela,
            """
            ATTACH '\(older)' AS older; DELETE FROM main.kept;
            INSERT INTO main.kept SELECT * FROM older.kept ORDER BY number LIMIT 1
            """)
        expectDamage { _ = try bela.receive([sent[0]]) }
    }

    @Test func restoredKeysOfUnwrittenMessagesAreDetected() throws {
        let (amina, bela) = try Person.pair()
        let sent = try amina.send("One")
        #expect(try bela.receive(sent, written: 0) == ["One"])
        bela.close()
        let older = bela.path + "-older"
        try FileManager.default.copyItem(atPath: bela.path, toPath: older)
        _ = try bela.mark(as: "1 0 another boot")
        #expect(try bela.receive(sent) == [.again("One")])
        try alter(
            bela,
            """
            ATTACH '\(older)' AS older; INSERT INTO main.unwritten SELECT * FROM older.unwritten;
            UPDATE main.unwritten SET process = x''
            """)
        expectDamage { _ = try bela.receive(sent) }
    }

    /// An attacker restores old rows. They must not be treated as rows of a crashed process, regardless of
    /// which process wrote last.
    @Test(arguments: [false, true])
    func forgottenKeysOfUnwrittenMessagesCannotBeRestored(_ isStillAtWork: Bool) throws {
        let (amina, bela) = try Person.pair()
        let sent = try amina.send("One")
        #expect(try bela.receive(sent, written: 0) == ["One"])
        _ = try bela.mark(as: "1 0 another boot")
        let keyring = try bela.open()
        let older = bela.path + "-older"
        try keyring.file.close()
        try FileManager.default.copyItem(atPath: bela.path, toPath: older)
        let reader = try bela.open()
        try reader.change(.cleanup) { (store) throws(KeyringError) in
            for row in try store.transit.unwrittenRows(inRing: 1) { try store.delete(row) }
        }
        if !isStillAtWork { try reader.file.close() }
        let database = try Database(path: bela.path)
        try database.execute(
            """
            ATTACH '\(older)' AS older; REPLACE INTO main.ledger SELECT * FROM older.ledger;
            INSERT INTO main.unwritten SELECT * FROM older.unwritten
            """)
        try database.close()
        #expect(throws: KeyringError.copy(.behind)) {
            _ = try bela.receive(sent, with: isStillAtWork ? reader : try bela.open())
        }
    }

    @Test func aRestoredContactStateIsDetected() throws {
        let (amina, _) = try Person.pair()
        amina.close()
        let older = amina.path + "-older"
        try FileManager.default.copyItem(atPath: amina.path, toPath: older)
        _ = try amina.send("One")
        try alter(
            amina,
            """
            ATTACH '\(older)' AS older; UPDATE contacts SET (state, state_version) =
                (SELECT state, state_version FROM older.contacts)
            """)
        expectDamage { _ = try amina.send("One") }
    }

    @Test func aRestoredIdentityIsDetected() throws {
        let (amina, _) = try Person.pair()
        try amina.open().addIdentity("work", .partial)
        amina.close()
        let older = amina.path + "-older"
        try FileManager.default.copyItem(atPath: amina.path, toPath: older)
        try amina.open().renameIdentity("work", to: "play")
        try alter(
            amina,
            "ATTACH '\(older)' AS older; REPLACE INTO main.rings SELECT * FROM older.rings WHERE id = 2"
        )
        expectDamage { _ = try amina.open() }
        expectDamage { _ = try amina.send("One") }
    }

    /// The rows are authentic, so only the checksum in the ledger reveals them.
    @Test func restoredRowsOfKeysInFlightAreDetected() throws {
        let (amina, bela) = try Person.pair()
        let sent = try amina.encrypt(["One"])
        #expect(try bela.receive(sent.ciphertexts, written: 0) == ["One"])
        for (person, table, end) in [
            (amina, "flights", { try sent.finish() }),
            (bela, "unwritten", { _ = try bela.mark(as: "1 0 another boot") }),
        ] as [(Person, String, () throws -> Void)] {
            let copy = try Database(path: person.path)
            let older = person.path + "-older"
            try copy.execute("VACUUM INTO '\(older)'")
            try copy.close()
            try end()
            try alter(
                person,
                "ATTACH '\(older)' AS older; DELETE FROM main.\(table); "
                    + "INSERT INTO main.\(table) SELECT * FROM older.\(table)")
            expectDamage { _ = try person.send("Two") }
        }
    }

    /// If a keyring has more contacts than a commit verifies, the rows of one contact are still bound to
    /// each other.
    @Test func aRestoredContactCardIsDetectedAmongMany() throws {
        let (amina, _) = try Person.pair()
        let keyring = try amina.open()
        for number in 0..<Verification.fewContacts {
            _ = try keyring.add(name: "Contact \(number)", number: nil)
        }
        try keyring.file.close()
        let older = amina.path + "-older"
        try FileManager.default.copyItem(atPath: amina.path, toPath: older)
        let again = try amina.open()
        try again.edit(try amina.contact(in: again), name: nil, number: "082 000 0000")
        try alter(
            amina,
            """
            ATTACH '\(older)' AS older; UPDATE contacts SET (card, card_version, number_tag) =
                (SELECT card, card_version, number_tag FROM older.contacts AS o WHERE o.id = 1)
            WHERE id = 1
            """)
        expectDamage { _ = try amina.send("To the old number") }
    }

    /// The ledger contains the number of rows, so missing rows are detected.
    @Test(arguments: [(64, true), (65, false)])
    func everyCommitVerifiesAllOf64Contacts(_ count: Int64, _ isNoticed: Bool) throws {
        let (amina, _) = try Person.pair()
        try amina.open().reading { (store) throws(KeyringError) in
            while store.header[.contacts].count < count {
                store.header.count(.card, nil, MultisetHash())
            }
            if isNoticed {
                expectDamage { try store.verify() }
            } else {
                try store.verify()
            }
        }
    }

    @Test func offersAreVerifiedInFull() throws {
        let (amina, _) = try Person.pair()
        let keyring = try amina.open()
        _ = try keyring.add(name: "Chidi", number: nil)
        let (bela, chidi) = (try amina.contact(in: keyring), try keyring.contact(named: "Chidi"))
        let own = try keyring.offer(chidi, renew: false)
        #expect(throws: KeyringError.sync(.ownOfferEntered(bela.name))) {
            _ = try keyring.prepare(bela, with: own, force: true)
        }
        var bytes = own.publicKey
        bytes[31] |= 0x80
        let other = Offer(publicKey: bytes)
        let most = Offer(publicKey: [0xED] + [UInt8](repeating: 0xFF, count: 30) + [0x7F])
        for offer in [other, most] {
            #expect(throws: KeyringError.sync(.badOffer(bela.name))) {
                _ = try keyring.prepare(bela, with: offer, force: true)
            }
        }
        try alter(amina, "DELETE FROM used_keys")
        expectDamage {
            let keyring = try amina.open()
            _ = try keyring.prepare(try amina.contact(in: keyring), with: own, force: true)
        }
        expectDamage { try amina.open().export { _ in } }
    }

    @Test func foldersThatOtherUsersCanWriteToAreRefused() throws {
        let (amina, _) = try Person.pair()
        amina.close()
        try setMode(0o1777, of: amina.folder.path)
        #expect(throws: KeyringError.file(.exposed(amina.folder.path, .othersCanWriteFolder))) {
            try amina.open()
        }
        try setMode(0o700, of: amina.folder.path)
        for suffix in ["-wal", "-shm", "-journal"] {
            let path = amina.path + suffix
            _ = FileManager.default.createFile(
                atPath: path, contents: nil, attributes: [.posixPermissions: 0o666])
            try setMode(0o666, of: path)
            #expect(throws: KeyringError.self) { try amina.open() }
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createSymbolicLink(
                atPath: path, withDestinationPath: "/dev/null")
            #expect(throws: KeyringError.file(.exposed(path, .foreign))) { try amina.open() }
            try FileManager.default.removeItem(atPath: path)
            // The attacker tries to have this file overwritten.
            let other = amina.folder.path + "/other"
            try Data("mine".utf8).write(to: URL(fileURLWithPath: other))
            try FileManager.default.linkItem(atPath: other, toPath: path)
            #expect(throws: KeyringError.file(.exposed(path, .foreign))) { try amina.open() }
            try FileManager.default.removeItem(atPath: path)
        }
        _ = try amina.open()
    }

    /// SQLite deletes the file that a journal names as its super-journal. That can be any file of the
    /// user, such as the rollback note.
    @Test func hotJournalsAreIgnored() throws {
        let (amina, _) = try Person.pair()
        amina.close()
        let other = amina.folder.path + "/other"
        try Data("mine".utf8).write(to: URL(fileURLWithPath: other))
        let magic = Data([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])
        func word(_ number: Int) -> Data {
            Data([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) })
        }
        var journal = magic
        for number in [0, 0, 1, 512, 4096] { journal += word(number) }
        journal += Data(count: 512 - journal.count) + word((1 << 18) + 1) + Data(other.utf8)
        journal += word(other.utf8.count) + word(other.utf8.reduce(0) { $0 + Int($1) }) + magic
        let path = amina.path + "-journal"
        try journal.write(to: URL(fileURLWithPath: path))
        try setMode(0o600, of: path)
        #expect(throws: KeyringError.file(.exposed(path, .foreign))) { try amina.open() }
        #expect(FileManager.default.fileExists(atPath: other))
        try FileManager.default.removeItem(atPath: path)
        try alter(amina, "PRAGMA journal_mode = DELETE")
        expectDamage { _ = try amina.open() }
    }
}
