import Foundation
import Support
import System
import TestPeople
import Testing

@testable import Keyring

/// Tests the times of the last message, of the last synchronisation with a contact, and of the last backup.
@Suite(.measured) struct ContactTimesTests {
    @Test func theTimesOfTheLastMessageAndTheLastUseAreSeparate() throws {
        let (amina, bela) = try Person.pair()
        let start = amina.clock.clocks().wall()
        #expect(try amina.state().lastHeard == 0 && amina.state().lastSynchronisation == start)
        amina.clock.turn(by: 100)
        _ = try amina.send("One")
        #expect(try amina.state().lastHeard == 0 && amina.state().lastUse == start + 100)
        amina.clock.turn(by: 100)
        #expect(try amina.receive(try bela.send("Two")) == ["Two"])
        amina.clock.turn(by: 100)
        _ = try amina.send("Three")
        #expect(try amina.receive([[UInt8](repeating: 1, count: 160)]) == [.refused])
        #expect(try amina.state().lastHeard == start + 200 && amina.state().lastUse == start + 300)
        // Restoring a keyring erases times. This must not count as silence of the contact.
        try amina.open().adoptRestored()
        let state = try amina.state()
        #expect(state.lastHeard == start + 200 && state.lastSynchronisation == start)
    }

    @Test func silenceIsMeasuredFromTheLastMessageOrSynchronisation() throws {
        let (amina, bela) = try Person.pair()
        let start = amina.clock.clocks().wall()
        let fresh = try amina.state()
        #expect(!fresh.isSilent(for: 60, at: start + 59) && fresh.isSilent(for: 60, at: start + 60))
        amina.clock.turn(by: 1000)
        _ = try amina.receive(try bela.send("Hello"))
        let heard = try amina.state()
        #expect(!heard.isSilent(for: 60, at: start + 1059))
        #expect(heard.isSilent(for: 60, at: start + 1060))
        // The clock was wrong at that time, or is wrong now.
        #expect(!heard.isSilent(for: 60, at: start) && !heard.isSilent(for: 60, at: -5))
        let keyring = try amina.open()
        _ = try keyring.add(name: "Chidi", number: nil)
        let never = try keyring.state(of: try keyring.contact(named: "Chidi"))
        #expect(never.isSilent(for: 366 * 86_400, at: start))
    }

    @Test func theTimeOfTheLastBackupIsRecorded() throws {
        let (amina, _) = try Person.pair()
        let keyring = try amina.open()
        #expect(try keyring.lastBackup() == nil)
        amina.clock.turn(by: 500)
        try keyring.export { _ in }
        #expect(try keyring.lastBackup() == nil)
        try keyring.recordExport()
        #expect(try keyring.lastBackup() == amina.clock.wall)
        _ = try amina.send("One")
        #expect(try amina.open().lastBackup() == amina.clock.wall)
    }
}
