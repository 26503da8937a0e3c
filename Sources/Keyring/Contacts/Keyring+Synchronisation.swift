internal import Crypto
package import Protocol
internal import System

/// Synchronises with contacts (smsenc-protocol(7), Beginning a conversation). For this purpose, two people
/// exchange either sync keys or offers. Offers can be sent by SMS.
extension Keyring {
    /// A synchronisation that was checked by `prepare`. The caller then runs scrypt (`Agreement`) outside any
    /// transaction, and calls `synchronise`.
    package struct Pending: ~Copyable, Sendable {
        package let contact: Contact
        package let exchange: KeyExchange
        /// The user's own offer if `prepare` generated it, otherwise nil. A new offer must still be sent to
        /// the contact.
        package let newOffer: Offer?
        /// The status of the contact when the synchronisation was checked.
        package let status: ContactState.Status
        /// The verification codes of the old conversation.
        fileprivate let codes: VerificationCodes
    }

    /// Checks that a contact's sync key can be accepted.
    ///
    /// - Throws: `noOwnKey`, `ownKeyEntered`, `keyUsed`.
    package func prepare(
        _ contact: Contact, with theirs: borrowing SyncKey
    ) throws(KeyringError) -> Pending {
        try reading { (store) throws(KeyringError) in
            try store.checkCanBeRead()
            let state = try store.contacts.state(of: contact)
            try store.usedKeys.checkUnused(theirs.bytes, .keys, by: contact)
            guard let own = state.ownKey?.duplicate() else {
                throw .sync(.noOwnKey(contact.name))
            }
            return Pending(
                contact: contact, exchange: KeyExchange(own: own, theirs: theirs), newOffer: nil,
                status: state.status, codes: state.codes)
        }
    }

    /// Selects the first offer that is not the user's own offer, and checks that this offer can be accepted.
    /// The contact may have quoted the user's offer before their own offer.
    ///
    /// - Parameter offers: at least one offer.
    /// - Throws: the errors of `prepare(_:with:force:)`.
    package func prepare(
        _ contact: Contact, withFirstOf offers: [Offer], force: Bool
    ) throws(KeyringError) -> Pending {
        for offer in offers.dropLast() {
            do throws(KeyringError) {
                return try prepare(contact, with: offer, force: force)
            } catch .sync(.ownOfferEntered) {
                continue
            }
        }
        return try prepare(contact, with: offers[offers.count - 1], force: force)
    }

    /// Checks that a contact's offer can be accepted. If the user has no offer for this contact yet,
    /// generates an offer. The method `synchronise` records this offer.
    ///
    /// An unexpected offer is refused unless `force` is true, because it may come from a thief of the
    /// contact's phone. An offer is unexpected if the user has not sent an offer, but has or had a
    /// conversation with the contact.
    ///
    /// - Parameter force: true to accept an unexpected offer.
    /// - Throws: `ownOfferEntered`, `offerUsed`, `badOffer`, `unasked`.
    package func prepare(
        _ contact: Contact, with theirs: Offer, force: Bool
    ) throws(KeyringError) -> Pending {
        try reading { (store) throws(KeyringError) in
            try store.checkCanBeRead()
            let state = try store.contacts.state(of: contact)
            let theirKey = SecretBytes(copying: theirs.publicKey.span)
            try store.usedKeys.checkUnused(theirKey, .offers, by: contact)
            let isNew = state.ownOffer == nil
            if isNew, !force, ![.initial, .waiting].contains(state.status) {
                throw .sync(.unasked(contact.name, state.status))
            }
            let secret =
                if let own = state.ownOffer?.duplicate() { own } else {
                    try randomSecret(X25519.size)
                }
            guard let exchange = try? KeyExchange(secret: secret, theirs: theirs) else {
                throw .sync(.badOffer(contact.name))
            }
            let newOffer = isNew ? Offer(publicKey: X25519.publicKey(of: secret)) : nil
            return Pending(
                contact: contact, exchange: exchange, newOffer: newOffer, status: state.status,
                codes: state.codes)
        }
    }

    /// Replaces a contact's conversation with the new conversation in one commit. Erases the skipped keys,
    /// the retired chains, and the user's own sync key and offer.
    ///
    /// - Throws: `changed` if another process has changed or synchronised this contact since the check.
    package func synchronise(
        _ pending: borrowing Pending, _ agreement: borrowing Agreement
    ) throws(KeyringError) -> VerificationCodes {
        let contact = pending.contact
        let kind = pending.exchange.kind
        return try change { (store) throws(KeyringError) in
            let state = try store.contacts.state(of: contact)
            try store.usedKeys.checkUnused(pending.exchange.theirs, kind, by: contact)
            guard state.codes == pending.codes, state.isLost == (pending.status == .lost),
                state.isUnchanged(for: pending)
            else {
                throw .sync(.changed(contact.name))
            }
            if let new = pending.newOffer {
                try store.usedKeys.record(SecretBytes(copying: new.publicKey.span), as: .ownOffer)
            }
            var cipher = Cipher()
            let codes = agreement.codes(of: pending.exchange, &cipher)
            let conversation = agreement.conversation(of: pending.exchange, &cipher)
            try store.contacts.begin(conversation, codes, with: state)
            try store.usedKeys.record(pending.exchange.theirs, as: kind == .keys ? .key : .offer)
            return codes
        }
    }

    /// Returns the user's pending sync key for a contact. If no sync key is pending, generates a new sync
    /// key. The old conversation remains usable until `synchronise` replaces it.
    ///
    /// - Parameter renew: true to replace a pending sync key.
    package func resynchronise(_ contact: Contact, renew: Bool) throws(KeyringError) -> SyncKey {
        try change { (store) throws(KeyringError) in
            let state = try store.contacts.state(of: contact)
            if !renew, let own = state.ownKey?.duplicate() { return own }
            return try store.contacts.newSyncKey(for: state)
        }
    }

    /// Returns the user's pending offer to a contact. If no offer is pending, generates a new offer. The old
    /// conversation remains usable until `synchronise` replaces it.
    ///
    /// - Parameter renew: true to replace a pending offer.
    package func offer(_ contact: Contact, renew: Bool) throws(KeyringError) -> Offer {
        try change { (store) throws(KeyringError) in
            let state = try store.contacts.state(of: contact)
            if !renew, let offer = state.offer { return offer }
            return try store.contacts.newOffer(for: state)
        }
    }

    /// Erases all keys of the given contacts, because their devices were lost or seized. Generates a new sync
    /// key for each of these contacts in the same commit. Until the user and a contact have synchronised
    /// again, they cannot exchange messages.
    ///
    /// - Parameter body: called with each contact and its new sync key, before the commit.
    package func loseKeys(
        of contacts: [Contact],
        _ body: (Contact, borrowing SyncKey) -> Void
    ) throws(KeyringError) {
        try change { (store) throws(KeyringError) in
            for contact in contacts {
                let state = try store.contacts.state(of: contact)
                try store.contacts.eraseConversation(of: state)
                state.isLost = true
                state.wasVerifiedOrLost = true
                body(contact, try store.contacts.newSyncKey(for: state))
            }
        }
    }

    /// Removes the user's pending sync key and offer for a contact. The hashes of the sync key and offer
    /// remain stored, so the sync key and offer are never accepted as the keys of a contact. The
    /// conversation continues as before.
    ///
    /// - Throws: `nothingOut`.
    package func cancelResynchronisation(with contact: Contact) throws(KeyringError) {
        try change { (store) throws(KeyringError) in
            let state = try store.contacts.state(of: contact)
            guard state.pending != .nothing else { throw .sync(.nothingOut(contact.name)) }
            state.ownKey = nil
            state.ownOffer = nil
            try store.contacts.save(state)
        }
    }

    /// Marks a contact as verified.
    ///
    /// - Parameter codes: the codes that were compared.
    /// - Throws: `changed` if the contact has other codes now.
    package func markVerified(
        _ contact: Contact, having codes: VerificationCodes
    ) throws(KeyringError) {
        try change { (store) throws(KeyringError) in
            let state = try store.contacts.state(of: contact)
            guard state.hasConversation, state.codes == codes else {
                throw .sync(.changed(contact.name))
            }
            state.isVerified = true
            state.wasVerifiedOrLost = true
            try store.contacts.save(state)
        }
    }
}

extension ContactState {
    /// Returns true if the user's own sync key or offer has not changed since `prepare` checked it.
    fileprivate func isUnchanged(for pending: borrowing Keyring.Pending) -> Bool {
        if pending.newOffer != nil { return ownOffer == nil }
        switch pending.exchange.kind {
        case .keys:
            guard let own = ownKey?.duplicate() else { return false }
            return own.bytes == pending.exchange.own
        case .offers:
            guard let own = offer else { return false }
            return SecretBytes(copying: own.publicKey.span) == pending.exchange.own
        }
    }
}
