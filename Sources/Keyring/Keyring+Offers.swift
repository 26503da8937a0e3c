internal import Crypto
package import Protocol

/// Synchronising by SMS itself (smsenc(7), Sync keys).
extension Keyring {
    /// Makes an own offer for a contact, or hands out the one that is not answered yet; the old state
    /// works until `accept`.
    ///
    /// - Parameter renew: true to replace an offer that is not answered yet.
    package func offer(_ contact: Contact, renew: Bool) throws(KeyringError) -> Offer {
        try commit { (transaction) throws(KeyringError) in
            let link = try transaction.link(of: contact)
            if !renew, let offer = link.offer {
                transaction.isNeeded = false
                return offer
            }
            let offer = try transaction.newOffer(for: link)
            try transaction.put(link)
            return offer
        }
    }

    /// What came of a contact's offer.
    package struct Acceptance: Sendable {
        package let codes: VerificationCodes
        /// One's own offer, where it was made only now: the contact needs it.
        package let madeOffer: Offer?
        /// How the contact stood before.
        package let before: Link.State
    }

    /// Takes a contact's offer: the conversation begins, and the secret key is erased, in one commit.
    ///
    /// - Parameter anyway: true to end a conversation though no own offer is out: anybody can send one.
    /// - Throws: `ownOfferEntered`, `offerUsed`, `badOffer`, `unasked`.
    package func accept(
        _ theirs: Offer, from contact: Contact, anyway: Bool
    ) throws(KeyringError) -> Acceptance {
        try commit { (transaction) throws(KeyringError) in
            let link = try transaction.link(of: contact)
            let own = link.offer
            switch try transaction.use(of: theirs.publicKey.span, among: [.ownOffer, .offer]) {
            case .ownOffer: throw .sync(.ownOfferEntered(contact.name))
            case .some: throw .sync(.offerUsed(contact.name))
            case .none: break
            }
            if own == nil, link.hasConversation, !anyway {
                throw .sync(.unasked(contact.name, isVerified: link.isVerified))
            }
            let made = own == nil ? try transaction.newOffer(for: link) : nil
            let before = link.state
            guard let secret = link.ownOffer.take(),
                let agreement = try? Agreement(secret: secret, theirs: theirs)
            else { throw .sync(.badOffer(contact.name)) }
            var cipher = Cipher()
            let codes = agreement.codes(&cipher)
            try transaction.begin(agreement.conversation(&cipher), codes, with: link)
            try transaction.record(theirs.publicKey.span, as: .offer)
            return Acceptance(codes: codes, madeOffer: made, before: before)
        }
    }
}

extension Transaction {
    /// Makes an own offer for a contact, and puts it on record: it is never taken for a contact's. The link
    /// is to be written.
    fileprivate func newOffer(for link: Link) throws(KeyringError) -> Offer {
        link.ownOffer = try randomSecret(X25519.size)
        guard let offer = link.offer else { preconditionFailure("just made") }
        try record(offer.publicKey.span, as: .ownOffer)
        return offer
    }
}

extension Link {
    /// One's own offer that is out, or nil.
    var offer: Offer? {
        switch ownOffer {
        case .none: nil
        case .some(let secret): Offer(publicKey: X25519.publicKey(of: secret))
        }
    }
}
