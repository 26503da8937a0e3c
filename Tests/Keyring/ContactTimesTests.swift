import Foundation
import Support
import System
import TestPeople
import Testing

@testable import Keyring

/// Tests the times of the last message and of the last synchronisation with a contact, and the record of
/// changes since the last backup.
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

    @Test func aBackupIsRecordedWithWhatHasChangedSince() throws {
        let (amina, _) = try Person.pair()
        let keyring = try amina.open()
        #expect(try keyring.file.lastExport() == nil && keyring.file.changedContactCount() == 1)
        amina.clock.turn(by: 500)
        // A contact is added after the state for the backup has been read.
        let commits = try keyring.export { _ in }
        _ = try keyring.add(name: "Chidi", number: nil)
        try keyring.recordExport(of: commits)
        #expect(try keyring.file.lastExport() == amina.clock.clocks().wall())
        #expect(try keyring.file.changedContactCount() == 1)
        try keyring.recordExport(of: try keyring.export { _ in })
        #expect(try keyring.file.changedContactCount() == 0)
        // Backups do not contain messages.
        _ = try amina.send("One")
        #expect(try keyring.file.changedContactCount() == 0)
        let chidi = try keyring.contact(named: "Chidi")
        try keyring.edit(chidi, name: nil, number: "0841112222")
        try keyring.setReceipts(of: chidi, true)
        #expect(try keyring.file.changedContactCount() == 1)
        try keyring.setReceipts(of: try amina.contact(in: keyring), false)
        #expect(try keyring.file.changedContactCount() == 1)
        _ = try keyring.add(name: "Dora", number: nil)
        try keyring.edit(try keyring.contact(named: "Dora"), name: "Dorah", number: nil)
        try keyring.remove(try keyring.contact(named: "Dorah"))
        #expect(try keyring.file.changedContactCount() == 1)
        _ = try keyring.add(name: "Dora", number: nil)
        try keyring.recordExport(of: try keyring.export { _ in })
        try keyring.remove(try keyring.contact(named: "Dora"))
        #expect(try keyring.file.changedContactCount() == 1)
    }

    @Test func aTransientIdentityChangesNoBackup() throws {
        let (amina, _) = try Person.pair()
        let keyring = try amina.open()
        try keyring.recordExport(of: try keyring.export { _ in })
        try keyring.addIdentity("Errand", .transient)
        try keyring.act(as: "Errand")
        _ = try keyring.add(name: "Ferry", number: nil)
        try keyring.remove(try keyring.contact(named: "Ferry"))
        _ = try keyring.add(name: "Driver", number: nil)
        try keyring.removeIdentity("Errand")
        #expect(try keyring.file.changedContactCount() == 0)
        try keyring.addIdentity("work", .partial)
        try keyring.act(as: "work")
        _ = try keyring.add(name: "Femi", number: nil)
        try keyring.recordExport(of: try keyring.export { _ in })
        try keyring.act(as: nil)
        try keyring.removeIdentity("work")
        #expect(try keyring.file.changedContactCount() == 1)
    }

    @Test(arguments: ["UPDATE backup SET exported = -1", "DELETE FROM backup"])
    func changedUnencryptedValuesAreDetected(_ statement: String) throws {
        let (amina, _) = try Person.pair()
        let keyring = try amina.open()
        try keyring.recordExport(of: try keyring.export { _ in })
        try keyring.database.execute(statement)
        #expect(try keyring.file.lastExport() == nil)
        try keyring.recordExport(of: try keyring.export { _ in })
        #expect(try keyring.file.lastExport() != nil)
        #expect(try keyring.check { Issue.record("\($0)") } == 0)
    }
}
