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

    /// Checks that a contact's offer can be taken. If no own offer is out, one is made, which `synchronise`
    /// records.
    ///
    /// - Parameter anyway: true to end a conversation though no own offer is out: anybody can send one.
    /// - Throws: `ownOfferEntered`, `offerUsed`, `badOffer`, `unasked`.
    package func prepare(
        _ contact: Contact, with theirs: Offer, anyway: Bool
    ) throws(KeyringError) -> Pending {
        try reading { (transaction) throws(KeyringError) in
            try transaction.verify()
            let link = try transaction.link(of: contact)
            try transaction.checkUnused(theirs.publicKey.span, .offers, by: contact)
            let isMade = link.ownOffer == nil
            if isMade, link.hasConversation, !anyway {
                throw .sync(.unasked(contact.name, isVerified: link.isVerified))
            }
            let secret =
                if let own = link.ownOffer?.duplicate() { own } else {
                    try randomSecret(X25519.size)
                }
            guard let exchange = try? KeyExchange(secret: secret, theirs: theirs) else {
                throw .sync(.badOffer(contact.name))
            }
            let made = isMade ? Offer(publicKey: X25519.publicKey(of: secret)) : nil
            return Pending(contact, link, exchange, madeOffer: made)
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
