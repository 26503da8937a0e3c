import Crypto
import Protocol
import Support
import TestPeople
import Testing

@testable import Keyring

/// Tests which sync keys are accepted, and what happens to the previous conversation.
@Suite(.measured, .serialized) struct SynchronisingTests {
    private func prepare(
        _ person: Person, _ name: String = Person.names.bela, with key: String
    ) throws {
        let keyring = try person.open()
        let theirs = try SyncKey(reading: Array(key.utf8).span)
        _ = try keyring.prepare(try keyring.contact(named: name), with: theirs)
    }

    private func newKey() throws -> String {
        let key = try SyncKey.generate()
        return text(of: key)
    }

    @Test func aSyncKeyIsRefusedIfTheUserHasGeneratedNone() throws {
        let (amina, _) = try Person.pair()
        #expect(throws: KeyringError.sync(.noOwnKey(Person.names.bela))) {
            try prepare(amina, with: try newKey())
        }
    }

    @Test func ownAndUsedSyncKeysAreRefused() throws {
        let (amina, _) = try Person.pair()
        _ = try amina.syncKey()
        let used = try newKey()
        try amina.synchronise(with: used)
        let own = try amina.syncKey()
        #expect(try amina.state().status == .unverified && amina.state().pending == .syncKey)
        #expect(throws: KeyringError.sync(.ownKeyEntered(Person.names.bela))) {
            try prepare(amina, with: own.lowercased())
        }
        // This contact already used the same key.
        #expect(throws: KeyringError.sync(.keyUsed(Person.names.bela))) {
            try prepare(amina, with: used)
        }
        // The key is also refused if another contact used it.
        let keyring = try amina.open()
        _ = try keyring.add(name: "Chipo", number: nil)
        #expect(throws: KeyringError.sync(.keyUsed("Chipo"))) {
            try prepare(amina, "Chipo", with: used)
        }
        try prepare(amina, with: try newKey())
    }

    @Test func theSameSyncKeyIsShownUntilItIsRenewed() throws {
        let (amina, _) = try Person.pair()
        let first = try amina.syncKey()
        #expect(try amina.syncKey() == first)
        let second = try amina.syncKey(renew: true)
        #expect(second != first)
        #expect(try amina.syncKey() == second)
    }

    @Test func theOldConversationWorksUntilTheSyncKeyIsEntered() throws {
        let (amina, bela) = try Person.pair()
        let early = try amina.send("Sent before, read after")
        let (own, theirs) = (try amina.syncKey(), try bela.syncKey())
        #expect(try bela.receive(try amina.send("One")) == [.message("One")])
        let answer = try #require(try bela.send("Two").first)
        #expect(try amina.receive([answer]) == [.message("Two")])
        _ = try amina.send("Lost")
        let codes = try amina.synchronise(with: theirs)
        // When a conversation ends, counts and hashes of messages that were read before are kept
        // (smsenc-keyring(5)).
        let state = try amina.state()
        #expect(state.status == .unverified && state.pending == .nothing)
        #expect(
            state.sent == 3 && state.received == 1 && state.unconfirmed == 0 && state.missing == 0)
        #expect(state.readMessages.hasText(state.ring.hash(ofMessage: answer.span)) == true)
        let mirrored = try bela.synchronise(with: own)
        #expect(
            mirrored == VerificationCodes(kind: .keys, yours: codes.theirs, theirs: codes.yours))
        #expect(try bela.receive(early) == [.refused])
        #expect(try bela.receive(try amina.send("Three")) == [.message("Three")])
        #expect(try amina.receive(try bela.send("Four")) == [.message("Four")])
    }

    /// Two processes find the same key unused, and run scrypt. The process that commits second is refused.
    @Test func changesByAnotherProcessDuringScryptAreDetected() throws {
        let (amina, _) = try Person.pair()
        _ = try amina.syncKey()
        let keyring = try amina.open()
        let contact = try amina.contact(in: keyring)
        let other = try amina.another()
        let theirs = try SyncKey.generate()
        let pending = try keyring.prepare(contact, with: theirs)
        let agreement = try Agreement(pending.exchange)
        // The other process enters the same key, for any contact.
        try other.change { (store) throws(KeyringError) in
            try store.usedKeys.record(theirs.bytes, as: .key)
        }
        #expect(throws: KeyringError.sync(.keyUsed(contact.name))) {
            _ = try keyring.synchronise(pending, agreement)
        }
        // The other process generates a new key for the contact.
        let next = try keyring.prepare(contact, with: try SyncKey.generate())
        _ = try other.resynchronise(contact, renew: true)
        #expect(throws: KeyringError.sync(.changed(contact.name))) {
            _ = try keyring.synchronise(next, Agreement(next.exchange))
        }
        #expect(try amina.state().status == .unverified && amina.state().pending == .syncKey)
    }

    /// Anyone can send an offer, so receiving an offer must not end the conversation.
    @Test func anUnrequestedOfferDoesNotEndAConversation() throws {
        let (amina, _) = try Person.pair()
        let keyring = try amina.open()
        let contact = try amina.contact(in: keyring)
        let secret = SecretBytes(copying: [UInt8](repeating: 7, count: X25519.size).span)
        let offer = Offer(publicKey: X25519.publicKey(of: secret))
        for isVerified in [false, true] {
            if isVerified { try keyring.markVerified(contact, having: try amina.state().codes) }
            let state: ContactState.Status = isVerified ? .verified : .unverified
            #expect(throws: KeyringError.sync(.unasked(contact.name, state))) {
                _ = try keyring.prepare(contact, with: offer, force: false)
            }
        }
        #expect(try amina.state().status == .verified && amina.state().pending == .nothing)
    }

    /// A thief can send an offer from the phone.
    @Test func anOfferFromALostPhoneIsRefused() throws {
        let (amina, _) = try Person.pair()
        let keyring = try amina.open()
        let contact = try amina.contact(in: keyring)
        try keyring.loseKeys(of: [contact]) { (_, _) in }
        let offer = Offer(publicKey: X25519.publicKey(of: try Random.bytes(X25519.size)))
        #expect(throws: KeyringError.sync(.unasked(contact.name, .lost))) {
            _ = try keyring.prepare(contact, with: offer, force: false)
        }
        let forced = try keyring.prepare(contact, with: offer, force: true)
        _ = try keyring.synchronise(forced, Agreement(forced.exchange))
        #expect(try amina.state().status == .changed)
    }

    @Test func markingAContactLostErasesItsKeysAtOnce() throws {
        let (amina, bela) = try Person.pair()
        let early = try bela.send("Not read yet")
        let keyring = try amina.open()
        let contact = try amina.contact(in: keyring)
        _ = try keyring.offer(contact, renew: false)
        try keyring.markVerified(contact, having: try amina.state().codes)
        var key = ""
        try keyring.loseKeys(of: [contact]) { (_, new) in key = text(of: new) }
        #expect(try amina.state().status == .lost && amina.state().pending == .syncKey)
        #expect(try amina.state().method == .nothing)
        #expect(try amina.encrypt(["Hello"]).ciphertexts.isEmpty)
        #expect(try amina.receive(early) == [.refused])
        #expect(try amina.syncKey() == key)

        let again = try amina.open()
        try again.cancelResynchronisation(with: contact)
        #expect(try amina.state().status == .lost && amina.state().pending == .nothing)
        let (own, theirs) = (try amina.syncKey(), try bela.syncKey())
        #expect(own != key)
        #expect(try amina.state().status == .lost)
        try amina.synchronise(with: theirs)
        try bela.synchronise(with: own)
        #expect(try amina.state().status == .changed)
        #expect(try bela.receive(try amina.send("One")) == [.message("One")])
    }

    /// Two rows of a table, or two processes, may prepare the same contact at the same time.
    @Test func anOfferCannotBeAcceptedTwiceAtOnce() throws {
        let (amina, _) = try Person.pair()
        let keyring = try amina.open()
        let contact = try amina.contact(in: keyring)
        let offers = try (0..<2).map { _ in
            Offer(publicKey: X25519.publicKey(of: try Random.bytes(X25519.size)))
        }
        #expect(throws: KeyringError.sync(.unasked(contact.name, .unverified))) {
            _ = try keyring.prepare(contact, with: offers[0], force: false)
        }
        let first = try keyring.prepare(contact, with: offers[0], force: true)
        let second = try keyring.prepare(contact, with: offers[1], force: true)
        let same = try keyring.prepare(contact, with: offers[0], force: true)
        _ = try keyring.synchronise(first, Agreement(first.exchange))
        #expect(throws: KeyringError.sync(.changed(contact.name))) {
            _ = try keyring.synchronise(second, Agreement(second.exchange))
        }
        #expect(throws: KeyringError.sync(.offerUsed(contact.name))) {
            _ = try keyring.synchronise(same, Agreement(same.exchange))
        }
        let newOffer = first.newOffer
        let made = try #require(newOffer)
        #expect(throws: KeyringError.sync(.ownOfferEntered(contact.name))) {
            _ = try keyring.prepare(contact, with: made, force: true)
        }
        // The user's own offer is skipped, as is a second copy of it, but not a used offer of the contact.
        let pending = try keyring.prepare(
            contact, withFirstOf: [made, made, offers[1], offers[0]], force: true)
        let theirs = pending.exchange.theirs.withSpan { (key) in key.indices.map { key[$0] } }
        #expect(theirs == offers[1].publicKey)
        #expect(throws: KeyringError.sync(.ownOfferEntered(contact.name))) {
            _ = try keyring.prepare(contact, withFirstOf: [made, made], force: true)
        }
        #expect(throws: KeyringError.sync(.offerUsed(contact.name))) {
            _ = try keyring.prepare(
                contact, withFirstOf: [made, offers[0], offers[1]], force: true)
        }
    }

    @Test func newKeysMakeAVerifiedContactChanged() throws {
        let (amina, bela) = try Person.pair()
        let keyring = try amina.open()
        let contact = try amina.contact(in: keyring)
        let codes = try amina.state().codes
        try keyring.markVerified(contact, having: codes)
        #expect(try amina.state().status == .verified)
        let wrong = VerificationCodes(kind: .keys, yours: codes.theirs, theirs: codes.yours)
        #expect(throws: KeyringError.sync(.changed(contact.name))) {
            try keyring.markVerified(contact, having: wrong)
        }
        _ = try amina.syncKey()
        try amina.synchronise(with: try bela.syncKey())
        #expect(try amina.state().status == .changed)
        try keyring.markVerified(contact, having: try amina.state().codes)
        #expect(try amina.state().status == .verified)
    }
}
