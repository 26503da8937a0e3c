internal import Crypto
package import Protocol
internal import System

/// Synchronising with contacts by sync keys (smsenc-protocol(7), Beginning a conversation).
extension Keyring {
    /// A synchronisation that was checked. Before `synchronise`, the caller runs scrypt, outside any
    /// transaction.
    package struct Pending: ~Copyable, Sendable {
        package let contact: Contact
        package let exchange: KeyExchange
        /// Your own offer, if this call generated it. It must still be sent to the contact.
        package let madeOffer: Offer?
        /// The contact's state at the check.
        package let state: ContactState.State
        /// The verification codes of the old conversation.
        fileprivate let codes: VerificationCodes

        init(
            _ contact: Contact, _ link: ContactState, _ exchange: consuming KeyExchange,
            madeOffer: Offer? = nil
        ) {
            self.contact = contact
            self.exchange = exchange
            self.madeOffer = madeOffer
            (state, codes) = (link.state, link.codes)
        }
    }

    /// Checks that a contact's sync key can be accepted.
    ///
    /// - Throws: `noOwnKey`, `ownKeyEntered`, `keyUsed`.
    package func prepare(
        _ contact: Contact, with theirs: borrowing SyncKey
    ) throws(KeyringError) -> Pending {
        try reading { (store) throws(KeyringError) in
            try store.verify()
            let link = try store.link(of: contact)
            try theirs.bytes.withSpan { (key) throws(KeyringError) in
                try store.checkUnused(key, .keys, by: contact)
            }
            guard let own = link.ownKey?.duplicate() else {
                throw .sync(.noOwnKey(contact.name))
            }
            return Pending(contact, link, KeyExchange(own: own, theirs: theirs))
        }
    }

    /// Replaces a contact's conversation by the new one in one commit. Skipped keys and retired chains are
    /// erased, and so are the own sync key and offer.
    ///
    /// - Throws: `changed` if another process has changed or synchronised this contact since the check.
    package func synchronise(
        _ pending: borrowing Pending, _ agreement: borrowing Agreement
    ) throws(KeyringError) -> VerificationCodes {
        let contact = pending.contact
        let kind = pending.exchange.kind
        return try change { (store) throws(KeyringError) in
            let link = try store.link(of: contact)
            try pending.exchange.theirs.withSpan { (theirs) throws(KeyringError) in
                try store.checkUnused(theirs, kind, by: contact)
            }
            guard link.codes == pending.codes, link.isLost == (pending.state == .lost),
                link.isUnchanged(for: pending)
            else {
                throw .sync(.changed(contact.name))
            }
            if let made = pending.madeOffer {
                try store.record(made.publicKey.span, as: .ownOffer)
            }
            var cipher = Cipher()
            let codes = agreement.codes(&cipher)
            try store.begin(agreement.conversation(&cipher), codes, with: link)
            try pending.exchange.theirs.withSpan { (theirs) throws(KeyringError) in
                try store.record(theirs, as: kind == .keys ? .key : .offer)
            }
            return codes
        }
    }

    /// Returns your unanswered sync key for a contact, or a new one. The old conversation works until
    /// `synchronise`.
    ///
    /// - Parameter renew: true to replace an unanswered sync key.
    package func resynchronise(_ contact: Contact, renew: Bool) throws(KeyringError) -> SyncKey {
        try change { (store) throws(KeyringError) in
            let link = try store.link(of: contact)
            if !renew, let own = link.ownKey?.duplicate() {
                store.isNeeded = false
                return own
            }
            let key = try store.newOwnKey(for: link)
            try store.put(link)
            return key
        }
    }

    /// Erases all keys of contacts whose device was lost or seized, and generates a new sync key for each, in
    /// one commit. Nothing can then be encrypted for these contacts or decrypted from them.
    ///
    /// - Parameter body: receives each contact with its new sync key, before the commit.
    package func loseKeys(
        of contacts: [Contact],
        _ body: (Contact, borrowing SyncKey) -> Void
    ) throws(KeyringError) {
        try change { (store) throws(KeyringError) in
            for contact in contacts {
                let link = try store.link(of: contact)
                link.eraseConversation()
                link.isLost = true
                try store.clear(link)
                let key = try store.newOwnKey(for: link)
                try store.put(link)
                body(contact, key)
            }
        }
    }

    /// Removes the unanswered sync key and offer to a contact. The key and the offer stay recorded as your
    /// own. The conversation continues as before.
    ///
    /// - Throws: `nothingOut`.
    package func cancelResynchronisation(with contact: Contact) throws(KeyringError) {
        try change { (store) throws(KeyringError) in
            let link = try store.link(of: contact)
            guard link.pending != .nothing else { throw .sync(.nothingOut(contact.name)) }
            link.ownKey = nil
            link.ownOffer = nil
            try store.put(link)
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
            let link = try store.link(of: contact)
            guard link.hasConversation, link.codes == codes else {
                throw .sync(.changed(contact.name))
            }
            link.isVerified = true
            try store.put(link)
        }
    }
}

extension KeyringStore {
    /// Generates an own sync key for a contact, and records it so that it is never accepted as a contact's
    /// key. The caller must write the contact's state.
    func newOwnKey(for link: ContactState) throws(KeyringError) -> SyncKey {
        let key = try cryptography(SyncKey.generate())
        try key.bytes.withSpan { (key) throws(KeyringError) in try record(key, as: .ownKey) }
        link.ownKey = key.duplicate()
        return key
    }

    /// Checks that a contact's sync key or offer is not recorded for any contact.
    ///
    /// - Throws: `ownKeyEntered`, `keyUsed`, `ownOfferEntered`, `offerUsed`.
    func checkUnused(
        _ theirs: Span<UInt8>, _ kind: VerificationCodes.Kind, by contact: Contact
    ) throws(KeyringError) {
        let name = contact.name
        let uses: [KeyUse] = kind == .keys ? [.ownKey, .key] : [.ownOffer, .offer]
        switch try use(of: theirs, among: uses) {
        case .ownKey: throw .sync(.ownKeyEntered(name))
        case .key: throw .sync(.keyUsed(name))
        case .ownOffer: throw .sync(.ownOfferEntered(name))
        case .offer: throw .sync(.offerUsed(name))
        case nil: break
        }
    }

    /// Begins a new conversation with a contact, and erases the keys of the old one.
    func begin(
        _ conversation: consuming Conversation, _ codes: VerificationCodes, with link: ContactState
    ) throws(KeyringError) {
        link.eraseConversation()
        link.isRestored = false
        link.isLost = false
        link.conversation = consume conversation
        link.codes = codes
        link.lastSynchronisation = timeOfUse
        try clear(link)
        try put(link)
        try recordChange(of: link.contact, in: link.ring)
    }
}

extension ContactState {
    /// Returns true if the own key or offer is still the one that was checked.
    fileprivate func isUnchanged(for pending: borrowing Keyring.Pending) -> Bool {
        if pending.madeOffer != nil { return ownOffer == nil }
        switch pending.exchange.kind {
        case .keys:
            guard let own = ownKey?.duplicate() else { return false }
            return own.bytes == pending.exchange.own
        case .offers:
            guard let own = offer else { return false }
            return SecretBytes(copying: own.publicKey.span) == pending.exchange.own
        }
    }

    /// Erases the conversation, the own sync key and the own offer from the state. The two must synchronise
    /// again.
    func eraseConversation() {
        conversation = nil
        ownKey = nil
        ownOffer = nil
        isVerified = false
        unconfirmed = 0
        skipped = Skipped(nextNumber: skipped.nextNumber)
    }
}
