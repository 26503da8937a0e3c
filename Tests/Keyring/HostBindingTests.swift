import Foundation
import Support
import TestPeople
import Testing

@testable import Keyring
@testable import System

/// Tests that a machine that was renamed is distinguished from a keyring that was copied.
@Suite(.measured) struct HostBindingTests {
    private let stored = HostBinding(machine: "one", file: "birth 1.2")

    @Test func aBindingIsStoredAs32Bytes() {
        #expect(stored.bytes.count == 32 && HostBinding.size == 32)
        #expect(HostBinding(stored: stored.bytes) == stored)
    }

    @Test func onlyAMachineThatChangedWithItsNoteIsNoCopy() {
        let renamed = HostBinding(machine: "two", file: "birth 1.2")
        let copied = HostBinding(machine: "one", file: "birth 1.3")
        let moved = HostBinding(machine: "two", file: "birth 1.3")
        #expect(stored.fault(whenFound: stored, noteAgrees: false) == nil)
        #expect(stored.fault(whenFound: renamed, noteAgrees: true) == .machineChanged)
        #expect(stored.fault(whenFound: renamed, noteAgrees: false) == .moved)
        for other in [copied, moved] {
            #expect(stored.fault(whenFound: other, noteAgrees: true) == .moved)
        }
    }

    @Test func aRenamedMachineIsReportedUntilTheKeyringIsAdopted() throws {
        let (amina, _) = try Person.pair()
        let file = try File.identity(of: amina.path)
        try amina.open().change(.adoption) { (store) throws(KeyringError) in
            store.header.home = HostBinding(machine: "another", file: file)
        }
        let error = KeyringError.copy(.machineChanged)
        #expect(throws: error) { _ = try amina.send("Hello") }
        #expect(throws: error) { try amina.open().checkCanBeChanged() }
        let keyring = try amina.open()
        let count = try keyring.reading { $0.header.commits }
        for other in [count - 1, count + 1] {
            try note(other, of: amina, keyring)
            let error = KeyringError.copy(.moved)
            #expect(throws: error) { try amina.another().checkCanBeChanged() }
        }
        try note(count, of: amina, keyring)
        try amina.open().adoptMoved(isComplete: true)
        #expect(try amina.send("Hello").count == 1)
    }

    private func note(_ count: UInt64, of person: Person, _ keyring: Keyring) throws {
        let text = String(repeating: "0", count: 20 - String(count).count) + "\(count)\n"
        let path = person.places.state + "/" + hex(keyring.account.keyring)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    @Test func emptyAndUninitialisedFilesAreNoMachineIDs() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/ids-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let contents = ["", "\n", "uninitialized\n", "desk\n", "chair\n"]
        let paths = try contents.enumerated().map { (index, text) throws in
            let path = "\(folder)/\(index)"
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            return path
        }
        #expect(MachineID.read(from: [folder + "/missing"] + paths) == "desk")
        #expect(MachineID.read(from: Array(paths.prefix(3))) == "unnamed")
    }
}
