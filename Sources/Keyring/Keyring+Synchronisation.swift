internal import Crypto
package import Protocol

/// Synchronising with a contact by sync keys (smsenc(7), Sync keys).
extension Keyring {
    /// What is needed of a contact to synchronise: asked before scrypt runs, outside any commit.
    package struct Pending: ~Copyable, Sendable {
        package let contact: Contact
        package let own: SyncKey
        package let theirs: SyncKey
        /// How the contact stands.
        package let state: Link.State
    }

    /// Checks that a contact's key can be taken.
    ///
    /// - Throws: `noOwnKey`, `ownKeyEntered`, `keyUsed`.
    package func prepare(
        _ contact: Contact, with theirs: borrowing SyncKey
    ) throws(KeyringError) -> Pending {
        let (link, use) = try reading { (transaction) throws(KeyringError) in
            try transaction.verify()
            return (try transaction.link(of: contact), try transaction.use(of: theirs))
        }
        if use == .ownKey { throw .sync(.ownKeyEntered(contact.name)) }
        if use != nil { throw .sync(.keyUsed(contact.name)) }
        guard let own = link.ownKey?.duplicate() else { throw .sync(.noOwnKey(contact.name)) }
        return Pending(
            contact: contact, own: own, theirs: theirs.duplicate(), state: link.state)
    }

    /// Begins the conversation that was agreed upon, in one commit: chains are replaced, what was
    /// kept is emptied, the keys are erased.
    ///
    /// - Throws: `changed` when somebody else has synchronised this contact meanwhile.
    package func synchronise(
        _ pending: borrowing Pending, _ agreement: borrowing Agreement
    ) throws(KeyringError) -> VerificationCodes {
        try commit { (transaction) throws(KeyringError) in
            let name = pending.contact.name
            let link = try transaction.link(of: pending.contact)
            guard let own = link.ownKey?.duplicate(), own == pending.own else {
                throw .sync(.changed(name))
            }
            if try transaction.use(of: pending.theirs) != nil { throw .sync(.keyUsed(name)) }
            var cipher = Cipher()
            let codes = agreement.codes(&cipher)
            try transaction.begin(agreement.conversation(&cipher), codes, with: link)
            try pending.theirs.bytes.withSpan { (key) throws(KeyringError) in
                try transaction.record(key, as: .key)
            }
            return codes
        }
    }

    /// Makes a new sync key of one's own for a contact, or hands out the one that is not answered
    /// yet; the old state works until `synchronise`.
    ///
    /// - Parameter renew: true to replace a key that is not answered yet.
    package func resynchronise(_ contact: Contact, renew: Bool) throws(KeyringError) -> SyncKey {
        try commit { (transaction) throws(KeyringError) in
            let link = try transaction.link(of: contact)
            if !renew, let own = link.ownKey?.duplicate() {
                transaction.isNeeded = false
                return own
            }
            let key = try transaction.newOwnKey(for: link)
            try transaction.put(link)
            return key
        }
    }

    /// Takes back the sync key, or the offer, that is out to a contact: all is as it was before. It stays on
    /// record as one's own.
    ///
    /// - Throws: `nothingOut`.
    package func cancelResynchronisation(with contact: Contact) throws(KeyringError) {
        try commit { (transaction) throws(KeyringError) in
            let link = try transaction.link(of: contact)
            guard link.out != .nothing else { throw .sync(.nothingOut(contact.name)) }
            link.ownKey = nil
            link.ownOffer = nil
            try transaction.put(link)
        }
    }

    /// Marks a contact verified.
    ///
    /// - Parameter codes: what was compared; a contact synchronised again meanwhile is refused.
    package func markVerified(
        _ contact: Contact, having codes: VerificationCodes
    ) throws(KeyringError) {
        try commit { (transaction) throws(KeyringError) in
            let link = try transaction.link(of: contact)
            guard link.codes == codes else { throw .sync(.changed(contact.name)) }
            link.isVerified = true
            try transaction.put(link)
        }
    }
}

extension Transaction {
    /// Draws an own sync key for a contact, and puts it on record: it is never taken for a contact's. The
    /// link is to be written.
    func newOwnKey(for link: Link) throws(KeyringError) -> SyncKey {
        let key = try cryptography(SyncKey.generate())
        try key.bytes.withSpan { (key) throws(KeyringError) in try record(key, as: .ownKey) }
        link.ownKey = key.duplicate()
        return key
    }

    /// What a sync key was used for, whoever's it was; nil where it was not.
    fileprivate func use(of key: borrowing SyncKey) throws(KeyringError) -> KeyUse? {
        try key.bytes.withSpan { (key) throws(KeyringError) in
            try use(of: key, among: [.ownKey, .key])
        }
    }

    /// Begins a new conversation with a contact; what was kept of the old one is erased.
    func begin(
        _ conversation: consuming Conversation, _ codes: VerificationCodes, with link: Link
    ) throws(KeyringError) {
        link.forget()
        link.isRestored = false
        link.conversation = consume conversation
        link.codes = codes
        try clear(link)
        try put(link)
    }
}

extension Link {
    /// Erases everything that enciphers or deciphers; the contact must synchronise again.
    func forget() {
        conversation = nil
        ownKey = nil
        ownOffer = nil
        isVerified = false
        isRestored = true
        unconfirmed = 0
        skipped = Skipped(nextNumber: skipped.nextNumber)
    }
}
