import Foundation
import Support
import TestPeople
import System
import Support
import Testing

@testable import Keyring

/// Tests the creation of a keyring, unlocking, passwords, and the lockout after wrong passwords. scrypt
/// needs 128 MiB for each password, so these tests run one after the other.
@Suite(.measured, .serialized) struct AccountTests {
    @discardableResult
    private func unlock(_ file: KeyringFile, _ password: String) throws -> Keyring {
        let password = secret(password)
        return try file.unlock(password: password)
    }

    @Test func aKeyringIsCreatedOnceAndCompletely() throws {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let keyring = try Person.createKeyring(in: folder)
        #expect(keyring.account.user == "Somebody")
        #expect(throws: KeyringError.file(.exists(folder.path + "/keyring"))) {
            _ = try Person.createKeyring(in: folder)
        }
        _ = try unlock(keyring, TestKeyrings.password).identities()
        #expect(try keyring.contactCount() == 0)
    }

    @Test func wrongPasswordsLockTheKeyringForATime() throws {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let clock = TestClock()
        let keyring = try Person.createKeyring(
            in: folder, lockTries: 2, lockSeconds: 60, clock: clock)
        #expect(throws: KeyringError.account(.wrongPassword(triesLeft: 1, lockSeconds: 60))) {
            try unlock(keyring, "Wrong horse!")
        }
        #expect(try keyring.failedTries() == 1)
        // The correct password resets the count.
        try unlock(keyring, TestKeyrings.password)
        #expect(try keyring.failedTries() == 0)
        for left in [1, 0] {
            #expect(throws: KeyringError.account(.wrongPassword(triesLeft: left, lockSeconds: 60)))
            {
                try unlock(keyring, "Wrong horse!")
            }
        }
        #expect(throws: KeyringError.account(.lockedOut(seconds: 60))) {
            try unlock(keyring, TestKeyrings.password)
        }
        clock.turn(by: 59)
        #expect(throws: KeyringError.account(.lockedOut(seconds: 1))) {
            try unlock(keyring, TestKeyrings.password)
        }
        // Setting the clock back does not make the lockout longer than it was at its beginning.
        clock.turn(by: -10_000)
        #expect(try keyring.lockedFor() == 60)
        clock.turn(by: 10_001)
        #expect(try keyring.lockedFor() == nil)
        // The count begins again after the lockout.
        #expect(throws: KeyringError.account(.wrongPassword(triesLeft: 1, lockSeconds: 60))) {
            try unlock(keyring, "Wrong horse!")
        }
        try unlock(keyring, TestKeyrings.password)
        #expect(try keyring.failedTries() == 0)
    }

    @Test func aRestartBeginsTheLockoutAgain() throws {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let clock = TestClock()
        _ = try? unlock(
            try Person.createKeyring(in: folder, lockTries: 1, lockSeconds: 60, clock: clock),
            "Wrong")
        clock.turn(by: -99_000)
        let places = Person.places(in: folder)
        let restarted = try KeyringFile(
            path: folder.path + "/keyring", places: places,
            clocks: clock.clocks(bootID: "second boot"))
        #expect(throws: KeyringError.account(.lockedOut(seconds: 60))) {
            try unlock(restarted, TestKeyrings.password)
        }
        clock.turn(by: 30)
        #expect(throws: KeyringError.account(.lockedOut(seconds: 30))) {
            try unlock(restarted, TestKeyrings.password)
        }
        clock.turn(by: 30)
        try unlock(restarted, TestKeyrings.password)
    }

    /// Otherwise, the older settings or the older password would come back.
    @Test func anAccountThatAnotherProcessHasChangedIsNotReplaced() throws {
        let (amina, _) = try Person.pair()
        let (late, later) = (try amina.another(), try amina.another())
        try amina.another().changeSettings(lockout: (tries: 9, seconds: 99))
        #expect(throws: KeyringError.store(.busy)) { try late.changeSettings(country: "49") }
        let password = secret("Another horse!")
        #expect(throws: KeyringError.store(.busy)) {
            try later.changePassword(user: "Nobody", password: password, keeping: nil)
        }
        // The sessions have not ended.
        let account = try amina.open().account
        #expect(account.user == "Somebody" && account.country == "27")
        #expect(account.lockTries == 9 && account.lockSeconds == 99)
        let file = try KeyringFile(
            path: amina.path, places: amina.places, clocks: amina.clock.clocks())
        try unlock(file, TestKeyrings.password)
        #expect(try amina.isSound())

        try amina.another().changePassword(user: "Somebody", password: password, keeping: nil)
        #expect(throws: KeyringError.store(.busy)) {
            try late.changeSettings(lockout: (tries: 1, seconds: 1))
        }
        let changed = try KeyringFile(
            path: amina.path, places: amina.places, clocks: amina.clock.clocks())
        try unlock(changed, "Another horse!")
        #expect(changed.account.lockTries == 9)
    }

    @Test func foldersAndFilesOfOtherUsersAreRefused() throws {
        let (amina, _) = try Person.pair()
        amina.close()
        let files = FileManager.default
        try files.setAttributes([.posixPermissions: 0o640], ofItemAtPath: amina.path)
        #expect(throws: KeyringError.file(.exposed(amina.path, .othersCanRead))) {
            try amina.open()
        }
        try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: amina.path)
        try files.setAttributes([.posixPermissions: 0o770], ofItemAtPath: amina.folder.path)
        #expect(throws: KeyringError.file(.exposed(amina.folder.path, .othersCanWriteFolder))) {
            try amina.open()
        }
        try files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: amina.folder.path)
        try amina.open()
    }
}
