import Foundation
import Keyring
import Crypto
import System
import Support
import Testing

/// Tests which keyring a session opens, and when the session ends.
@Suite(.measured) struct SessionTests {
    private func unlock(_ person: Person, _ token: String, bootID: String = "first boot") throws {
        let keyring = try Keyring.open(
            path: person.path, places: person.places, clocks: person.clock.clocks(bootID: bootID),
            with: try Session(token: token, folder: person.places.sessions))
        _ = try keyring.identities()
    }

    private func newSession(_ person: Person, seconds: Int64 = 100) throws -> String {
        let token = try person.open().openSession(seconds: seconds)
        return hex(token)
    }

    /// Returns the names of session files that did not exist before the call.
    private func files(_ person: Person) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: person.places.sessions))
    }

    @Test func aSessionEndsWhenItExpires() throws {
        let (amina, _) = try Person.pair()
        let before = try files(amina)
        let token = try newSession(amina, seconds: 100)
        let own = try #require(try files(amina).subtracting(before).first)
        #expect(!token.contains(own) && !own.contains(token))
        try unlock(amina, token)
        amina.clock.turn(by: 99)
        try unlock(amina, token)
        amina.clock.turn(by: 1)
        #expect(throws: KeyringError.session(.expired)) { try unlock(amina, token) }
        // The session file was removed.
        #expect(try files(amina) == before)
        #expect(throws: KeyringError.session(.gone)) { try unlock(amina, token) }
    }

    @Test func aSessionEndsWithARestart() throws {
        let (amina, _) = try Person.pair()
        let token = try newSession(amina)
        #expect(throws: KeyringError.session(.expired)) {
            try unlock(amina, token, bootID: "second boot")
        }
        #expect(throws: KeyringError.session(.gone)) { try unlock(amina, token) }
    }

    @Test func aSessionOpensOnlyItsKeyring() throws {
        let (amina, bela) = try Person.pair()
        let token = try newSession(amina)
        let own = try files(amina).subtracting(try files(bela))
        for name in own {
            try FileManager.default.copyItem(
                atPath: amina.places.sessions + "/" + name,
                toPath: bela.places.sessions + "/" + name)
        }
        #expect(throws: KeyringError.session(.otherKeyring)) { try unlock(bela, token) }
        try unlock(amina, token)
    }

    @Test func allSessionsCanBeEndedTogether() throws {
        let (amina, _) = try Person.pair()
        let tokens = try (0..<3).map { _ in try newSession(amina) }
        // There are three new sessions, and the session that the tests use.
        #expect(try amina.open().file.endSessions() == 4)
        for token in tokens {
            #expect(throws: KeyringError.session(.gone)) { try unlock(amina, token) }
        }
    }

    @Test func aSessionFileThatOthersMayHaveChangedIsRefused() throws {
        let (amina, _) = try Person.pair()
        let before = try files(amina)
        let token = try newSession(amina)
        let name = try #require(try files(amina).subtracting(before).first)
        let path = amina.places.sessions + "/" + name
        let manager = FileManager.default
        try manager.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        #expect(throws: KeyringError.session(.exposed(path))) { try unlock(amina, token) }
        try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        try manager.moveItem(atPath: path, toPath: path + "-other")
        try manager.createSymbolicLink(atPath: path, withDestinationPath: path + "-other")
        #expect(throws: KeyringError.session(.gone)) { try unlock(amina, token) }
    }

    @Test func anInvalidSessionIsRefused() throws {
        let (amina, _) = try Person.pair()
        for token in ["", "abc", String(repeating: "g", count: 32), "0123456789abcdef"] {
            #expect(throws: KeyringError.session(.malformed)) { try unlock(amina, token) }
        }
        let stranger = String(repeating: "0", count: 32)
        #expect(throws: KeyringError.session(.gone)) { try unlock(amina, stranger) }
        let before = try files(amina)
        let token = try newSession(amina)
        let name = try #require(try files(amina).subtracting(before).first)
        let file = URL(fileURLWithPath: amina.places.sessions + "/" + name)
        let whole = try Data(contentsOf: file)
        // Every byte is checked: magic, keyring, boot, expiry, and the sealed part.
        for place in whole.indices {
            var altered = whole
            altered[place] ^= 0x01
            try write(altered, over: file)
            #expect(throws: KeyringError.self) { try unlock(amina, token) }
            if !FileManager.default.fileExists(atPath: file.path) {
                try whole.write(to: file)
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o600], ofItemAtPath: file.path)
            }
        }
        for count in [0, 63, whole.count - 1] {
            try write(whole.prefix(count), over: file)
            #expect(throws: KeyringError.session(.damaged)) { try unlock(amina, token) }
        }
        try write(whole, over: file)
        try unlock(amina, token)
    }

    /// Overwrites the existing file, which keeps its mode.
    private func write(_ bytes: Data, over file: URL) throws {
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: bytes)
        try handle.close()
    }
}
