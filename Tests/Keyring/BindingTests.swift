import Crypto
import Foundation
import Protocol
import Support
import TestPeople
import System
import Support
import Testing

@testable import Keyring

/// Tests attacks on the tables, the schema and the files beside the keyring. The attacker can write to the file,
/// but has no key. `TamperingTests` tests attacks on records.
@Suite(.measured) struct BindingTests {
    /// A second row must never be read instead of the keyring's own row.
    @Test(arguments: [-5, 7])
    func aSecondAccountIsIgnored(id: Int) throws {
        let (amina, _) = try Person.pair()
        let user = try amina.open().account.user
        let ignoring = "PRAGMA ignore_check_constraints = ON; "
        try alter(
            amina,
            ignoring + "INSERT INTO account SELECT \(id), zeroblob(200), zeroblob(12) FROM account")
        #expect(try amina.open().account.user == user)
        #expect(try amina.send("Hello").count == 1)
        #expect(try !amina.isSound())
        try alter(amina, ignoring + "DELETE FROM account WHERE id = 1")
        expectDamage { _ = try amina.open() }
    }

    @Test(arguments: [
        "7, 1, randomblob(16)", "0, 1, randomblob(16)", "-1, 1, randomblob(16)",
        "3, -1, randomblob(16)", "3, 1 << 62, randomblob(16)", "3, ~(1 << 63), randomblob(16)",
        "3, 1, randomblob(15)", "3, 1, randomblob(41)",
    ])
    func strangeRowsOfTheListAreRefused(_ row: String) throws {
        let (amina, _) = try Person.pair()
        try alter(amina, "INSERT INTO tags VALUES (\(row))")
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
            _ = try KeyringFile(
                path: folder.path + "/keyring", places: Person.places(in: folder),
                clocks: TestClock().clocks()
            ).unlock(password: right)
        }
    }

    private func setMode(_ mode: Int, of path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    @Test(arguments: [
        "TRIGGER more AFTER UPDATE ON records BEGIN SELECT 1; END",
        "VIEW more AS SELECT 1", "TABLE more (x)", "INDEX more ON records (id)",
    ])
    func foreignSchemaObjectsAreRefused(_ thing: String) throws {
        let (amina, _) = try Person.pair()
        try alter(amina, "CREATE " + thing)
        expectDamage { _ = try amina.open() }
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

/// Tests attacks on records of every kind, in keyrings of any size. The attacker can write to the file, but has no
/// key. An altered record is never used, and no message key is used twice.
@Suite(.measured, .serialized) struct TamperingTests {
    /// Uses the keyring after an attack. Returns true if the attack was detected.
    private func isDetected(_ tampered: TamperedKeyring, _ attack: String) throws -> Bool {
        do {
            let ciphertext = try tampered.use()
            #expect(!tampered.written.contains(ciphertext), "\(attack): a key was used twice")
            return false
        } catch KeyringError.store(.damaged), KeyringError.store(.notAKeyring) {
            return true
        }
    }

    @Test(arguments: [12, 500, 5000])
    func alteredRecordsAreRefused(_ contacts: Int) throws {
        let tampered = try TamperedKeyring(contacts: contacts)
        #expect(try tampered.bela.open().file.contactCount() == contacts)
        for target in tampered.targets {
            #expect(tampered.records[target] != nil, "\(target)")
            let isOlder = tampered.records[target] != tampered.olderRecords[target]
            #expect(isOlder, "\(target)")
            for attack in TamperedKeyring.Attack.allCases {
                for place in TamperedKeyring.Place.allCases {
                    try tampered.restore()
                    try tampered.run(attack, on: target, in: place)
                    let isHarmless =
                        switch (attack, place) {
                        // A record that is not in the list does not exist.
                        case (.added, .records): true
                        // There is one header, which is not in the list.
                        case (.swapped, .records), (.removed, .tags): target == .header
                        default: false
                        }
                    let attack = "\(attack) \(target) in \(place)"
                    #expect(try isDetected(tampered, attack) != isHarmless, "\(attack)")
                }
            }
        }
    }

    /// SQLite never compares two b-trees, and the pages of a b-tree belong to no other.
    @Test(arguments: [12, 500, 5000])
    func olderPagesAreRefused(_ contacts: Int) throws {
        let tampered = try TamperedKeyring(contacts: contacts)
        let trees = try tampered.changedPagesOfTrees()
        for name in ["records", "sqlite_autoindex_records_1", "tags"] {
            try tampered.restore()
            try tampered.putBack(pages: try #require(trees[name]))
            #expect(try isDetected(tampered, name), "\(name)")
        }
        // A single page usually damages a b-tree, or does nothing.
        for page in tampered.changedPages {
            try tampered.restore()
            try tampered.putBack(pages: [page])
            _ = try isDetected(tampered, "page \(page)")
        }
        try tampered.restore()
        #expect(try !isDetected(tampered, "nothing"))
    }

    /// The process has verified the list before, and knows the records that it has written.
    @Test(arguments: [12, 500])
    func recordsThatAreAlteredBetweenTransactionsAreRefused(_ contacts: Int) throws {
        let tampered = try TamperedKeyring(contacts: contacts)
        func run(_ attack: String, at moment: Int, _ body: () throws -> Void) throws {
            try tampered.restore()
            var written = tampered.written
            do {
                try tampered.send { (now) in
                    if now == moment { try body() }
                } _: { (ciphertext) in
                    #expect(
                        written.insert(ciphertext).inserted,
                        "\(attack), \(moment): a key was used twice")
                }
                #expect(
                    try written.insert(tampered.use()).inserted,
                    "\(attack), \(moment): a key was used twice")
            } catch KeyringError.store(.damaged), KeyringError.store(.notAKeyring),
                KeyringError.copy(.behind)
            {
            }
        }
        for moment in 0..<TamperedKeyring.moments {
            for target in tampered.targets {
                for place in TamperedKeyring.Place.allCases {
                    for sealed in [tampered.records[target], tampered.olderRecords[target], nil] {
                        try run("\(target) in \(place)", at: moment) {
                            try tampered.put(sealed, as: target, in: place)
                        }
                    }
                }
            }
            try run("everything", at: moment) { try tampered.putBackEverything() }
            for page in tampered.changedPages {
                try run("page \(page)", at: moment) { try tampered.putBack(pages: [page]) }
            }
        }
    }

    /// Everything but the rollback note is older.
    @Test func anOlderCopyOfAllRecordsIsRefused() throws {
        let tampered = try TamperedKeyring(contacts: 12)
        try tampered.restore()
        try tampered.putBackEverything()
        #expect(throws: KeyringError.copy(.behind)) { _ = try tampered.bela.send("Hello") }
        #expect(throws: KeyringError.copy(.behind)) { _ = try tampered.bela.state() }
    }

    /// A check opens every record, also those that no command would read.
    @Test func aCheckFindsEveryAlteredRecord() throws {
        let tampered = try TamperedKeyring(contacts: 12)
        try tampered.restore()
        #expect(try !tampered.hasFaults())
        for name in tampered.records.keys {
            let others = [
                tampered.olderRecords[name], nil,
                tampered.foreignRecords.first { $0.key.kind == name.kind }?.value,
            ]
            for sealed in others where sealed != tampered.records[name] {
                for place in TamperedKeyring.Place.allCases
                where name != .header || place == .records {
                    try tampered.restore()
                    try tampered.put(sealed, as: name, in: place)
                    #expect(try tampered.hasFaults(), "\(name) in \(place)")
                }
            }
        }
        try tampered.restore()
        try tampered.run(.added, on: tampered.targets[3], in: .records)
        #expect(try tampered.hasFaults())
    }
}
