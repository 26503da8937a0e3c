internal import Crypto
package import Protocol
internal import System

/// Synchronising with a contact by sync keys (smsenc(7), Sync keys).
extension Keyring {
    /// A contact whose key or offer can be taken. The caller runs scrypt, outside any commit.
    package struct Pending: ~Copyable, Sendable {
        package let contact: Contact
        package let exchange: KeyExchange
        /// Your own offer, if it was made only now: the contact needs it.
        package let madeOffer: Offer?
        /// How the contact stands.
        package let state: Link.State
        /// The codes of the conversation that ends.
        fileprivate let codes: VerificationCodes

        init(
            _ contact: Contact, _ link: Link, _ exchange: consuming KeyExchange,
            madeOffer: Offer? = nil
        ) {
            self.contact = contact
            self.exchange = exchange
            self.madeOffer = madeOffer
            (state, codes) = (link.state, link.codes)
        }
    }

    /// Checks that a contact's key can be taken.
    ///
    /// - Throws: `noOwnKey`, `ownKeyEntered`, `keyUsed`.
    package func prepare(
        _ contact: Contact, with theirs: borrowing SyncKey
    ) throws(KeyringError) -> Pending {
        try reading { (transaction) throws(KeyringError) in
            try transaction.verify()
            let link = try transaction.link(of: contact)
            try theirs.bytes.withSpan { (key) throws(KeyringError) in
                try transaction.checkUnused(key, .keys, by: contact)
            }
            guard let own = link.ownKey?.duplicate() else {
                throw .sync(.noOwnKey(contact.name))
            }
            return Pending(contact, link, KeyExchange(own: own, theirs: theirs))
        }
    }

    /// Begins the conversation that was agreed upon, in one commit: chains are replaced, what was
    /// kept is emptied, the keys are erased.
    ///
    /// - Throws: `changed` when another process has changed or synchronised this contact meanwhile.
    package func synchronise(
        _ pending: borrowing Pending, _ agreement: borrowing Agreement
    ) throws(KeyringError) -> VerificationCodes {
        let contact = pending.contact
        let kind = pending.exchange.kind
        return try commit { (transaction) throws(KeyringError) in
            let link = try transaction.link(of: contact)
            try pending.exchange.theirs.withSpan { (theirs) throws(KeyringError) in
                try transaction.checkUnused(theirs, kind, by: contact)
            }
            guard link.codes == pending.codes, link.isLost == (pending.state == .lost),
                link.isUnchanged(for: pending)
            else {
                throw .sync(.changed(contact.name))
            }
            if let made = pending.madeOffer {
                try transaction.record(made.publicKey.span, as: .ownOffer)
            }
            var cipher = Cipher()
            let codes = agreement.codes(&cipher)
            try transaction.begin(agreement.conversation(&cipher), codes, with: link)
            try pending.exchange.theirs.withSpan { (theirs) throws(KeyringError) in
                try transaction.record(theirs, as: kind == .keys ? .key : .offer)
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

    /// Erases at once all that encrypts for contacts and decrypts what they send, whose device was lost, and
    /// makes a new sync key for each: one commit.
    ///
    /// - Parameter body: is shown each contact with its key, before the commit.
    package func loseKeys(
        of contacts: [Contact],
        _ body: (Contact, borrowing SyncKey) -> Void
    ) throws(KeyringError) {
        try commit { (transaction) throws(KeyringError) in
            for contact in contacts {
                let link = try transaction.link(of: contact)
                link.forget()
                link.isLost = true
                try transaction.clear(link)
                let key = try transaction.newOwnKey(for: link)
                try transaction.put(link)
                body(contact, key)
            }
        }
    }

    /// Takes back the sync key, or the offer, that is out to a contact: all is as it was before. It stays on
    /// record as one's own.
    ///
    /// - Throws: `nothingOut`.
    package func cancelResynchronisation(with contact: Contact) throws(KeyringError) {
        try commit { (transaction) throws(KeyringError) in
            let link = try transaction.link(of: contact)
            guard link.pending != .nothing else { throw .sync(.nothingOut(contact.name)) }
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
            guard link.hasConversation, link.codes == codes else {
                throw .sync(.changed(contact.name))
            }
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

    /// Refuses a contact's sync key or offer that is on record, whoever's it was.
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

    /// Begins a new conversation with a contact; what was kept of the old one is erased.
    func begin(
        _ conversation: consuming Conversation, _ codes: VerificationCodes, with link: Link
    ) throws(KeyringError) {
        link.forget()
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

extension Link {
    /// True while the own key or offer that was exchanged is still the one that is out.
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

    /// Erases everything that encrypts or decrypts; the two must synchronise again.
    func forget() {
        conversation = nil
        ownKey = nil
        ownOffer = nil
        isVerified = false
        unconfirmed = 0
        skipped = Skipped(nextNumber: skipped.nextNumber)
    }
}
