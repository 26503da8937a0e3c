import Foundation
import Crypto
import System
import Support
import Synchronization
import Testing

@testable import Keyring

/// Tests which keyring a session opens, and when the session ends.
@Suite(.measured) struct SessionTests {
    private func unlock(_ person: Person, _ token: String, bootID: String = "first boot") throws {
        let clocks = person.clock.clocks(bootID: bootID)
        let keyring = try KeyringFile(path: person.path, places: person.places, clocks: clocks)
            .unlock(with: try Session(token: token, folder: person.places.sessions))
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
        #expect(throws: KeyringError.session(.ended)) { try unlock(amina, token) }
        Session.removeExpired(in: amina.places.sessions, clocks: amina.clock.clocks())
        #expect(try files(amina) == before)
        #expect(throws: KeyringError.session(.ended)) { try unlock(amina, token) }
    }

    @Test func aSessionEndsWithARestart() throws {
        let (amina, _) = try Person.pair()
        let token = try newSession(amina)
        #expect(throws: KeyringError.session(.ended)) {
            try unlock(amina, token, bootID: "second boot")
        }
        Session.removeExpired(
            in: amina.places.sessions, clocks: amina.clock.clocks(bootID: "second boot"))
        #expect(throws: KeyringError.session(.ended)) { try unlock(amina, token) }
    }

    @Test func anyToolRemovesExpiredSessions() throws {
        let (amina, bela) = try Person.pair()
        let folder = amina.places.sessions
        let usual = try files(amina)
        _ = try newSession(amina, seconds: 100)
        let first = try files(amina).subtracting(usual)
        _ = try newSession(amina, seconds: 200)
        let second = try files(amina).subtracting(usual).subtracting(first)
        let name = try #require(first.first)
        let manager = FileManager.default
        // Another keyring's session, a draft that a killed process left, and files that are not sessions.
        let others = try files(bela)
        _ = try newSession(bela, seconds: 100)
        let foreign = try #require(try files(bela).subtracting(others).first)
        try manager.copyItem(
            atPath: bela.places.sessions + "/" + foreign, toPath: folder + "/" + foreign)
        try manager.copyItem(atPath: folder + "/" + name, toPath: folder + "/" + name + ".new")
        try manager.createSymbolicLink(
            atPath: folder + "/link", withDestinationPath: folder + "/" + name)
        try Data("smsenc1t".utf8 + [UInt8](repeating: 0, count: 99)).write(
            to: URL(fileURLWithPath: folder + "/other"))
        let kept = usual.union(["link", "other"])
        let before = try files(amina)
        #expect(before.count == usual.count + 6)

        amina.clock.turn(by: 99)
        Session.removeExpired(in: folder, clocks: amina.clock.clocks())
        #expect(try files(amina) == before)
        // A tool that cannot read the boot ID does not know which sessions have expired.
        amina.clock.turn(by: 1)
        Session.removeExpired(in: folder, clocks: amina.clock.clocks(bootID: Clocks.unknownBoot))
        #expect(try files(amina) == before)
        Session.removeExpired(in: folder, clocks: amina.clock.clocks())
        #expect(try files(amina) == kept.union(second))
        Session.removeExpired(in: folder, clocks: amina.clock.clocks(bootID: "second boot"))
        #expect(try files(amina) == ["link", "other"])
    }

    /// A service without /proc/sys cannot read the boot ID.
    @Test func aProcessThatCannotReadTheBootIDUsesAndKeepsSessions() throws {
        let (amina, _) = try Person.pair()
        let token = try newSession(amina, seconds: 100)
        let before = try files(amina)
        try unlock(amina, token, bootID: Clocks.unknownBoot)
        amina.clock.turn(by: 100)
        #expect(throws: KeyringError.session(.ended)) {
            try unlock(amina, token, bootID: Clocks.unknownBoot)
        }
        #expect(try files(amina) == before)

        // Its own session is not ended by others.
        let own = try amina.another(bootID: Clocks.unknownBoot).openSession(seconds: 100)
        try unlock(amina, hex(own))
        Session.removeExpired(in: amina.places.sessions, clocks: amina.clock.clocks())
        try unlock(amina, hex(own))
    }

    private func transient(_ id: Int64) -> IdentityRecord { IdentityRecord(transient: id, in: "") }

    @Test func theContentOfASessionCanBeChanged() throws {
        let (amina, _) = try Person.pair()
        let keyring = try amina.open().account.keyring
        let session = try Session(token: try newSession(amina), folder: amina.places.sessions)
        let clocks = amina.clock.clocks()
        let master = try session.contents(of: keyring, clocks: clocks).master.duplicate()
        for count in [5000, 0, 1] {
            try session.update(of: keyring, clocks: clocks) { (contents) in
                contents.transients = (0..<count).map { transient(Int64($0)) }
            }
            let contents = try session.contents(of: keyring, clocks: clocks)
            let isSame =
                contents.transients.map(\.id) == (0..<count).map(Int64.init)
                && contents.master == master
            #expect(isSame)
        }
        #expect(throws: KeyringError.session(.otherKeyring)) {
            try session.update(of: Array(keyring.reversed()), clocks: clocks) { (_) in }
        }
    }

    @Test func aSessionThatHasEndedIsNotWrittenAgain() throws {
        let (amina, _) = try Person.pair()
        let keyring = try amina.open().account.keyring
        let before = try files(amina)
        let clocks = amina.clock.clocks()
        func session() throws -> Session {
            try Session(token: try newSession(amina), folder: amina.places.sessions)
        }
        let locked = try session()
        #expect(locked.end())
        let expired = try session()
        amina.clock.turn(by: 100)
        for session in [locked, expired] {
            #expect(throws: KeyringError.session(.ended)) {
                try session.update(of: keyring, clocks: clocks) { (_) in }
            }
        }
        #expect(try files(amina) == before)
        // The file is removed even if a process was stopped while it held the lock.
        let stopped = try session()
        #expect(throws: KeyringError.session(.ended)) {
            try stopped.update(of: keyring, clocks: clocks) { (_) in _ = stopped.end() }
        }
        #expect(try files(amina) == before)
    }

    private final class Counter: Sendable { let value = Atomic(0) }

    /// The lock belongs to an open file, so it works between threads as it does between processes.
    @Test func aSessionThatIsEndedWhileItIsWrittenDoesNotComeBack() throws {
        let (amina, _) = try Person.pair()
        let keyring = try amina.open().account.keyring
        let before = try files(amina)
        let (clocks, folder) = (amina.clock.clocks(), amina.places.sessions)
        let master = SecretBytes(count: 32)
        for round in 0..<1000 {
            let token = hex(
                try Session.open(
                    master: master, keyring: keyring, seconds: 100, folder: folder, clocks: clocks))
            // The number of completed writes, or -1 after the last write.
            let writes = Counter()
            let writer = Thread {
                do throws(KeyringError) {
                    let session = try Session(token: token, folder: folder)
                    for _ in 0..<100 {
                        try session.update(of: keyring, clocks: clocks) { (_) in }
                        writes.value.add(1, ordering: .relaxed)
                    }
                } catch {
                    #expect(error == .session(.ended))
                }
                writes.value.store(-1, ordering: .relaxed)
            }
            writer.start()
            while (0...round % 5).contains(writes.value.load(ordering: .relaxed)) {}
            #expect(try Session(token: token, folder: folder).end())
            while writes.value.load(ordering: .relaxed) >= 0 {
                MonotonicClock.pause(milliseconds: 1)
            }
            #expect(try files(amina) == before)
        }
    }

    @Test func concurrentChangesAreNotLost() async throws {
        let (amina, _) = try Person.pair()
        let keyring = try amina.open().account.keyring
        let (clocks, folder) = (amina.clock.clocks(), amina.places.sessions)
        let token = try newSession(amina)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    try await onBlockingThread {
                        let session = try Session(token: token, folder: folder)
                        for _ in 0..<100 {
                            try session.update(of: keyring, clocks: clocks) { (contents) in
                                contents.transients.append(self.transient(0))
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let session = try Session(token: token, folder: folder)
        #expect(try session.contents(of: keyring, clocks: clocks).transients.count == 400)
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

    @Test func aSessionFolderThatOthersCanReadIsRefused() throws {
        let (amina, _) = try Person.pair()
        let (keyring, folder) = (try amina.open(), amina.places.sessions)
        for (mode, isTaken) in [(0o750, false), (0o701, false), (0o700, true)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder)
            let before = try files(amina)
            do throws(KeyringError) {
                _ = try keyring.openSession(seconds: 100)
                #expect(isTaken)
            } catch {
                #expect(!isTaken && error == .session(.exposed(folder)))
            }
            #expect(try (files(amina) != before) == isTaken)
        }
    }

    /// The folder also contains a session of another keyring.
    @Test func allSessionsOfAKeyringCanBeEndedTogether() throws {
        let (amina, bela) = try Person.pair()
        let other = try #require(try files(bela).first)
        try FileManager.default.copyItem(
            atPath: bela.places.sessions + "/" + other, toPath: amina.places.sessions + "/" + other)
        let tokens = try (0..<3).map { _ in try newSession(amina) }
        // There are three new sessions, and the session that the tests use.
        #expect(try amina.open().file.endSessions() == 4)
        for token in tokens {
            #expect(throws: KeyringError.session(.ended)) { try unlock(amina, token) }
        }
        #expect(try files(amina) == [other])
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
        #expect(throws: KeyringError.session(.ended)) { try unlock(amina, token) }
    }

    @Test func anInvalidSessionIsRefused() throws {
        let (amina, _) = try Person.pair()
        for token in ["", "abc", String(repeating: "g", count: 32), "0123456789abcdef"] {
            #expect(throws: KeyringError.session(.malformed)) { try unlock(amina, token) }
        }
        let stranger = String(repeating: "0", count: 32)
        #expect(throws: KeyringError.session(.ended)) { try unlock(amina, stranger) }
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
