import Crypto
import Protocol
import Support
import Testing

@testable import Keyring

/// Tests identities that are removed while another process uses them.
@Suite(.measured) struct IdentityTests {
    @Test func anIdentityIsRemovedWithTheUnwrittenMessagesOfAnotherProcess() throws {
        let (amina, _) = try Person.pair()
        try amina.open().addIdentity("work", .partial)
        let other = try amina.anotherLiving()
        try other.act(as: "work")
        _ = try other.add(name: "Chidi", number: nil)
        let contact = try other.contact(named: "Chidi").id
        var stored = SecretReader(SecretBytes(count: StoredMessageKey.size))
        let key = try StoredMessageKey(from: &stored)
        let message = StoredMessageKey(key.key, of: contact, in: key.place.conversation)
        try other.change { (store) throws(KeyringError) in try store.runs.add([message]) }
        #expect(try amina.count(.run) == 2)
        try amina.open().removeIdentity("work")
        #expect(try amina.count(.run) == 1)
        #expect(try amina.isSound())
        try other.change(.cleanup) { (store) throws(KeyringError) in
            try store.runs.delete([message])
        }
        #expect(try amina.isSound())
        #expect(try amina.busyRecords() == 0)
        // The next process uses the record again.
        try amina.encrypt(["Hello"]).finish()
        #expect(try amina.count(.run) == 1)
        #expect(try amina.isSound())
    }
}
