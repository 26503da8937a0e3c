internal import Crypto
package import Protocol

/// Synchronising by SMS itself (smsenc(7), Sync keys).
extension Keyring {
    /// Makes an own offer for a contact, or hands out the one that is not answered yet; the old state
    /// works until `accept`.
    ///
    /// - Parameter renew: true to replace an offer that is not answered yet.
    package func offer(_ contact: Contact, renew: Bool) throws(KeyringError) -> Offer {
        try commit { (keys, commit) throws(KeyringError) in
            let rows = LinkRows(self, keys, commit.ledger)
            let link = try rows.link(of: contact)
            if !renew, let offer = try link.offer() {
                commit.isNeeded = false
                return offer
            }
            let offer = try newOffer(link, keys, commit.ledger)
            try rows.save(stateOf: link)
            return offer
        }
    }

    /// What came of a contact's offer.
    package struct Acceptance: Sendable {
        package let codes: VerificationCodes
        /// One's own offer, where it was made only now: the contact needs it.
        package let madeOffer: Offer?
        /// True when a conversation has ended.
        package let endedConversation: Bool
        /// True when it was a verified one.
        package let endedVerified: Bool
    }

    /// Takes a contact's offer: the conversation begins, and the secret key is erased, in one commit.
    ///
    /// - Parameter anyway: true to end a conversation though no own offer is out: anybody can send one.
    /// - Throws: `ownOfferEntered`, `offerUsed`, `badOffer`, `unasked`.
    package func accept(
        _ theirs: Offer, from contact: Contact, anyway: Bool
    ) throws(KeyringError) -> Acceptance {
        try commit { (keys, commit) throws(KeyringError) in
            let rows = LinkRows(self, keys, commit.ledger)
            let link = try rows.link(of: contact)
            let own = try link.offer()
            if own == theirs { throw KeyringError.sync(.ownOfferEntered(contact.name)) }
            let tag = tagged(keys.vault.usedKeyTag, "offer", theirs.publicKey.span)
            let ownTag = ownTag(of: theirs, keys)
            switch try used(among: [tag, ownTag], commit.ledger) {
            case .none: break
            case ownTag: throw KeyringError.sync(.ownOfferEntered(contact.name))
            default: throw KeyringError.sync(.offerUsed(contact.name))
            }
            if own == nil, link.hasConversation, !anyway {
                throw KeyringError.sync(.unasked(contact.name, isVerified: link.isVerified))
            }
            let made = own == nil ? try newOffer(link, keys, commit.ledger) : nil
            let (ended, wasVerified) = (link.hasConversation, link.isVerified)
            let codes = try link.agree(on: theirs, with: contact.name)
            try rows.clear(link.contact)
            try rows.save(stateOf: link)
            try record(usedTag: tag, commit.ledger, keys)
            return Acceptance(
                codes: codes, madeOffer: made, endedConversation: ended, endedVerified: wasVerified)
        }
    }

    /// Makes an own offer for a contact, and puts it on record: it is never taken for a contact's.
    private func newOffer(
        _ link: Link, _ keys: Keys, _ ledger: Ledger
    ) throws(KeyringError) -> Offer {
        link.ownOffer = try randomSecret(X25519.size)
        guard let offer = try link.offer() else { preconditionFailure("just made") }
        try record(usedTag: ownTag(of: offer, keys), ledger, keys)
        return offer
    }

    /// The tag under which an own offer is on record.
    func ownTag(of offer: Offer, _ keys: Keys) -> [UInt8] {
        tagged(keys.vault.usedKeyTag, "own offer", offer.publicKey.span)
    }
}

extension Link {
    /// One's own offer that is out, or nil.
    func offer() throws(KeyringError) -> Offer? {
        switch ownOffer {
        case .none: return nil
        case .some(let secret):
            let secret = secret.duplicate()
            return try cryptography { () throws(CryptoError) in
                Offer(publicKey: try X25519.publicKey(of: secret))
            }
        }
    }

    /// Begins the conversation that both offers give.
    fileprivate func agree(
        on theirs: Offer, with name: String
    ) throws(KeyringError) -> VerificationCodes {
        guard let secret = ownOffer.take() else { throw .sync(.noOwnKey(name)) }
        let agreement: Agreement
        do throws(CryptoError) {
            agreement = try Agreement(secret: secret, theirs: theirs)
        } catch {
            throw .sync(.badOffer(name))
        }
        var cipher = try cryptography { () throws(CryptoError) in try Cipher() }
        let codes = agreement.codes(&cipher)
        begin(agreement.conversation(&cipher), codes)
        return codes
    }
}
