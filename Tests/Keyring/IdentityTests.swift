import Crypto
import Foundation
import Protocol
import Support
import System
import Testing

@testable import Keyring

/// Tests transient identities, and identities that are removed while another process uses them.
@Suite(.measured) struct IdentityTests {
    /// The path of the session's file shows when the session has ended, so the keyring stores the whole path.
    @Test(arguments: [255, 300])
    func aTransientIdentityKeepsTheWholePathOfItsSession(_ length: Int) throws {
        let (amina, _) = try Person.pair()
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: amina.places.sessions).first)
        var folder = amina.folder.path + "/"
        folder += String(repeating: "s", count: length - folder.utf8.count - 1 - name.utf8.count)
        try FileManager.default.moveItem(atPath: amina.places.sessions, toPath: folder)
        amina.places = StandardPaths(state: amina.places.state, sessions: folder)
        let keyring = try amina.open()
        try keyring.addIdentity("mask", .transient)
        try amina.open().purgeTransients()
        #expect(try amina.open().identities().map(\.name) == ["real", "mask"])
        #expect(try amina.isSound())
    }

    @Test func anIdentityIsRemovedWithTheUnwrittenMessagesOfAnotherProcess() throws {
        let (amina, _) = try Person.pair()
        try amina.open().addIdentity("work", .partial)
        let other = try amina.anotherLiving()
        try other.act(as: "work")
        _ = try other.add(name: "Chidi", number: nil)
        let contact = try other.contact(named: "Chidi").id
        var stored = SecretReader(SecretBytes(count: 16 + SpentKey.size))
        let key = try StoredMessageKey(from: &stored)
        let message = StoredMessageKey(
            key.key, in: ReceivingDirection(of: contact, key.direction.name))
        try other.change { (store) throws(KeyringError) in try store.runs.add([], [message]) }
        #expect(try amina.count(.run) == 2)
        try amina.open().removeIdentity("work")
        #expect(try amina.count(.run) == 1)
        #expect(try amina.isSound())
        try other.change(.cleanup) { (store) throws(KeyringError) in
            try store.runs.delete([message.place])
        }
        #expect(try amina.isSound())
        #expect(try amina.busyRecords() == 0)
        // The next process uses the record again.
        try amina.encrypt(["Hello"]).finish()
        #expect(try amina.count(.run) == 1)
        #expect(try amina.isSound())
    }

    /// No message to the contacts of a removed identity will ever free the records of the dead process.
    @Test func aDeadProcessLeavesNothingOfARemovedIdentity() throws {
        let (amina, _) = try Person.pair()
        try amina.open().addIdentity("work", .partial)
        let other = try amina.another()
        try other.act(as: "work")
        _ = try other.add(name: "Chidi", number: nil)
        let contact = try other.contact(named: "Chidi").id
        try other.change { (store) throws(KeyringError) in
            try store.runs.saveInFlight([contact: 2])
        }
        try amina.mark(as: "1 0 another boot")
        try amina.open().removeIdentity("work")
        #expect(try amina.busyRecords() == 1)
        try amina.encrypt(["Hello"]).finish()
        #expect(try amina.busyRecords() == 0)
        #expect(try amina.isSound())
    }
}
