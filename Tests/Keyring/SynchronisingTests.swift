import Keyring
import Crypto
import Protocol
import Testing

/// What sync keys are taken, and what becomes of the old conversation.
@Suite(.serialized) struct SynchronisingTests {
    private func prepare(
        _ person: Person, _ name: String = Template.names.bela, with key: String
    ) throws {
        let keyring = try person.open()
        let theirs = try SyncKey(reading: Array(key.utf8).span)
        _ = try keyring.prepare(try keyring.contact(named: name), with: theirs)
    }

    private func resynchronise(_ person: Person, renew: Bool = false) throws -> String {
        let keyring = try person.open()
        let key = try keyring.resynchronise(try person.contact(in: keyring), renew: renew)
        return text(of: key)
    }

    private func newKey() throws -> String {
        let key = try SyncKey.generate()
        return text(of: key)
    }

    @Test func keyWithoutOneOfOnesOwnIsRefused() throws {
        let (amina, _) = try Template.pair()
        #expect(throws: KeyringError.sync(.noOwnKey(Template.names.bela))) {
            try prepare(amina, with: try newKey())
        }
    }

    @Test func ownKeyAndUsedOnesAreRefused() throws {
        let (amina, _) = try Template.pair()
        let own = try resynchronise(amina)
        #expect(try amina.link().state == .ready && amina.link().out == .key)
        #expect(throws: KeyringError.sync(.ownKeyEntered(Template.names.bela))) {
            try prepare(amina, with: own.lowercased())
        }
        // This contact gave it before.
        let used = try Template.usedKeys.bela
        #expect(throws: KeyringError.sync(.keyUsed(Template.names.bela))) {
            try prepare(amina, with: used)
        }
        // So it is if another one gives it.
        let keyring = try amina.open()
        _ = try keyring.add(name: "Chipo", number: nil)
        #expect(throws: KeyringError.sync(.keyUsed("Chipo"))) {
            try prepare(amina, "Chipo", with: used)
        }
        try prepare(amina, with: try newKey())
    }

    @Test func keyIsShownAgainUntilItIsRenewed() throws {
        let (amina, _) = try Template.pair()
        let first = try resynchronise(amina)
        #expect(try resynchronise(amina) == first)
        let second = try resynchronise(amina, renew: true)
        #expect(second != first)
        #expect(try resynchronise(amina) == second)
    }

    @Test func oldStateWorksUntilTheKeysAreThere() throws {
        let (amina, bela) = try Template.pair()
        let early = try amina.send("Sent before, read after")
        let (own, theirs) = (try resynchronise(amina), try resynchronise(bela))
        #expect(try bela.receive(try amina.send("One")) == [.message("One")])
        #expect(try amina.receive(try bela.send("Two")) == [.message("Two")])
        let codes = try amina.synchronise(with: theirs)
        #expect(try amina.link().state == .ready)
        let mirrored = try bela.synchronise(with: own)
        #expect(
            mirrored == VerificationCodes(kind: .keys, yours: codes.theirs, theirs: codes.yours))
        #expect(try bela.receive(early) == [.refused])
        #expect(try bela.receive(try amina.send("Three")) == [.message("Three")])
        #expect(try amina.receive(try bela.send("Four")) == [.message("Four")])
    }

    @Test func synchronisingTwiceAtOnceIsRefused() throws {
        let (amina, _) = try Template.pair()
        _ = try resynchronise(amina)
        let keyring = try amina.open()
        let contact = try amina.contact(in: keyring)
        #expect(throws: KeyringError.sync(.changed(contact.name))) {
            // While scrypt runs, another process makes a new key.
            try amina.synchronise(with: try newKey()) {
                _ = try keyring.resynchronise(contact, renew: true)
            }
        }
        #expect(try amina.link().state == .ready && amina.link().out == .key)
    }

    @Test func verifiedMarkGoesWithTheKeys() throws {
        let (amina, bela) = try Template.pair()
        let keyring = try amina.open()
        let contact = try amina.contact(in: keyring)
        let codes = try amina.link().codes
        try keyring.markVerified(contact, having: codes)
        #expect(try amina.link().state == .verified)
        let wrong = VerificationCodes(kind: .keys, yours: codes.theirs, theirs: codes.yours)
        #expect(throws: KeyringError.sync(.changed(contact.name))) {
            try keyring.markVerified(contact, having: wrong)
        }
        _ = try resynchronise(amina)
        try amina.synchronise(with: try resynchronise(bela))
        #expect(try amina.link().state == .ready)
    }
}
