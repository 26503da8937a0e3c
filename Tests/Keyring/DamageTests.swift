import Foundation
import Support
import TestPeople
import System
import Testing

@testable import Keyring

/// Tests that a damaged keyring is either reported as damaged or works as before. No damage may crash a
/// tool.
@Suite(.measured) struct DamageTests {
    /// Creates a keyring with records of every kind.
    private func furnished() throws -> (amina: Person, bela: Person, next: [[UInt8]]) {
        let (amina, bela) = try Person.pair()
        let first = try amina.encrypt(["One", "Two", "Three"]).ciphertexts
        _ = try bela.receive([first[2]])
        _ = try amina.receive(try bela.send("Go on"))
        let second = try amina.encrypt(["Four", "Five"]).ciphertexts
        _ = try bela.receive([second[0]])
        _ = try bela.receive([second[1]], written: 0)
        try bela.mark(as: "1 0 another boot")
        return (amina, bela, try amina.send("Next"))
    }

    private func write(_ bytes: Data, over person: Person) throws {
        try overwrite(person.path, bytes)
        try? FileManager.default.removeItem(atPath: person.path + "-wal")
        try? FileManager.default.removeItem(atPath: person.path + "-shm")
    }

    /// Reads everything and decrypts a message. Returns what was read, or the error.
    private func use(_ person: Person, _ next: [[UInt8]]) -> Result<[String], KeyringError> {
        defer { person.close() }
        // Write a note that is older than any keyring.
        if let note = try? person.notePath() {
            try? Data("00000000000000000000\n".utf8).write(to: URL(fileURLWithPath: note))
        }
        do {
            let keyring = try person.open()
            var shown: [String] = []
            _ = try keyring.file.lockedFor()
            _ = try keyring.file.failedTries()
            try keyring.eachContact { (contact, state) in
                shown.append(
                    "\(contact.name) \(contact.number ?? "-") \(state.status) \(state.sent)")
            }
            shown.append("\(try person.receive(next))")
            var strange = next[0]
            strange[0] = (strange[0] + 1) % 125
            shown.append("\(try person.receive([strange]))")
            shown.append("\(try person.send("Answer").count)")
            return .success(shown)
        } catch let error as KeyringError {
            return .failure(error)
        } catch {
            Issue.record("\(error)")
            return .success([])
        }
    }

    @Test(arguments: [UInt64(1), 2])
    func everyFlippedByteIsDetectedOrHarmless(seed: UInt64) throws {
        let (_, bela, next) = try furnished()
        let whole = try Data(contentsOf: URL(fileURLWithPath: bela.path))
        let sound = try use(bela, next).get()
        #expect(sound.count == 4)
        var generator = Generator(seed: seed)
        var noticed = 0
        let used = whole.indices.filter { whole[$0] != 0 }
        for round in 0..<150 {
            // Damage the header and the schema first, and after them random offsets that are in use.
            let place = round < 20 ? 5 * round : used[generator.number(below: used.count)]
            var altered = whole
            altered[place] ^= UInt8(1 << generator.number(below: 8))
            try write(altered, over: bela)
            switch use(bela, next) {
            case .success(let shown): #expect(shown == sound, "byte \(place)")
            case .failure(.store(.damaged)), .failure(.store(.notAKeyring)),
                .failure(.store(.otherVersion)):
                noticed += 1
            case .failure(let error): Issue.record("byte \(place): \(error)")
            }
        }
        #expect(noticed > 20)
        try write(whole, over: bela)
        #expect(try use(bela, next).get() == sound)
    }

    /// The two bytes say which versions of SQLite can write and read the file (SQLite's file format, section
    /// 1.3.3). If only a newer version could write the file, SQLite would call it read-only.
    @Test(arguments: [18, 19], [0, 1, 3, 255] as [UInt8])
    func anotherVersionOfSQLitesFormatIsReportedAsDamage(place: Int, value: UInt8) throws {
        let (_, bela, next) = try furnished()
        var altered = try Data(contentsOf: URL(fileURLWithPath: bela.path))
        #expect(altered[place] == 2)
        altered[place] = value
        try write(altered, over: bela)
        switch use(bela, next) {
        case .failure(.store(.damaged)), .failure(.store(.notAKeyring)): break
        case let other: Issue.record("\(other)")
        }
    }

    /// The account is protected only by its digest. The offsets are those of its fields: the ID, the
    /// lockout, scrypt's parameters, the salt, the master key and the user name.
    @Test(arguments: [0, 16, 31, 38, 47, 55, 56, 60, 72, 80, 132, 134])
    func anAlteredAccountIsDetected(place: Int) throws {
        let (_, bela, _) = try furnished()
        try alter(
            bela,
            """
            UPDATE account SET record = CAST(
                substr(record, 1, \(place))
                || CASE substr(record, \(place) + 1, 1) WHEN x'ee' THEN x'ef' ELSE x'ee' END
                || substr(record, \(place) + 2) AS BLOB)
            """)
        #expect(throws: KeyringError.store(.damaged("the account was altered"))) { try bela.open() }
    }

    @Test(arguments: ["x''", "substr(record, 1, 100)", "CAST(record || x'00' AS BLOB)"])
    func anAccountOfAnotherLengthIsDetected(_ record: String) throws {
        let (_, bela, _) = try furnished()
        try alter(bela, "UPDATE account SET record = \(record)")
        #expect(throws: KeyringError.store(.damaged("the account was altered"))) { try bela.open() }
    }

    /// Anybody who can write to the file can write any state of the lockout.
    @Test(
        arguments: [
            (UInt16.max, 0, "", ""), (3, 0, "first boot", ""), (3, .max, "first boot", ""),
            (3, .min, "first boot", ""), (0, 0, "", "-1 -1 first boot"),
        ] as [(UInt16, Int64, String, String)])
    func anAlteredLockoutNeverLocksForLongerThanItMay(
        _ tries: UInt16, _ until: Int64, _ boot: String, _ holder: String
    ) throws {
        let (_, bela, _) = try furnished()
        var state = Array(bigEndian: tries) + Array(bigEndian: until)
        for text in [boot, holder] {
            state += Array(bigEndian: UInt16(text.utf8.count)) + Array(text.utf8)
        }
        let hex = state.map { String(format: "%02x", $0) }.joined()
        try alter(bela, "UPDATE account SET lockout = x'\(hex)'")
        let keyring = try bela.open()
        #expect(try keyring.file.lockedFor() ?? 0 <= 300)
        bela.clock.turn(by: 300)
        let password = secret("Wrong horse!")
        #expect {
            _ = try keyring.file.masterKey(password: password)
        } throws: { error in
            // The damage must not cause waiting for a lock, either.
            error as? KeyringError != .store(.busy)
        }
    }

    @Test(arguments: [
        "x''", "zeroblob(13)", "zeroblob(15)", "x'0000000000000000000005'", "randomblob(100)",
    ])
    func aMalformedLockoutIsDetected(_ lockout: String) throws {
        let (_, bela, _) = try furnished()
        try alter(bela, "UPDATE account SET lockout = \(lockout)")
        let password = secret(TestKeyrings.password)
        expectDamage { _ = try bela.open().file.lockedFor() }
        expectDamage { _ = try bela.open().file.masterKey(password: password) }
        #expect(try !bela.isSound())
    }

    @Test func aTruncatedFileIsDetected() throws {
        let (_, bela, next) = try furnished()
        let whole = try Data(contentsOf: URL(fileURLWithPath: bela.path))
        let sound = try use(bela, next).get()
        for count in [0, 1, 99, 100, 4096, 8192, whole.count / 2, whole.count - 1] {
            try write(whole.prefix(count), over: bela)
            switch use(bela, next) {
            case .failure(.store(.damaged)), .failure(.store(.notAKeyring)): break
            // The last byte is possibly not used.
            case .success(sound) where count == whole.count - 1: break
            case let other: Issue.record("\(count) bytes: \(other)")
            }
        }
    }

    @Test func otherFilesAreRefused() throws {
        let (_, bela, _) = try furnished()
        for version in [2, 4] {
            try alter(bela, "PRAGMA user_version = \(version)")
            #expect(throws: KeyringError.store(.otherVersion(version))) { try bela.open() }
        }
        try alter(bela, "PRAGMA application_id = 1")
        #expect(throws: KeyringError.store(.notAKeyring(bela.path))) { try bela.open() }
        try write(Data("This is not a keyring, it is a letter.\n".utf8), over: bela)
        #expect(throws: KeyringError.store(.notAKeyring(bela.path))) { try bela.open() }
        try FileManager.default.removeItem(atPath: bela.path)
        #expect(throws: KeyringError.file(.missing(bela.path))) { try bela.open() }
        try FileManager.default.createSymbolicLink(
            atPath: bela.path, withDestinationPath: "/dev/null")
        #expect(throws: KeyringError.file(.symbolicLink(bela.path, target: "/dev/null"))) {
            try bela.open()
        }
    }
}
