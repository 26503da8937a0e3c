internal import Crypto
package import Protocol

/// Synchronising by offers, which can be sent by SMS (smsenc-protocol(7), Offers).
extension Keyring {
    /// Returns your unanswered offer to a contact, or a new one. The old conversation works until
    /// `synchronise`.
    ///
    /// - Parameter renew: true to replace an unanswered offer.
    package func offer(_ contact: Contact, renew: Bool) throws(KeyringError) -> Offer {
        try change { (store) throws(KeyringError) in
            let link = try store.link(of: contact)
            if !renew, let offer = link.offer {
                store.isNeeded = false
                return offer
            }
            let offer = try store.newOffer(for: link)
            try store.put(link)
            return offer
        }
    }

    /// Checks that a contact's offer can be accepted. If there is no own offer, generates one, which
    /// `synchronise` records.
    ///
    /// - Parameter force: true to end a conversation even if there is no own offer. If no offer was sent to
    ///   the contact, the offer is refused, because anybody can send one.
    /// - Throws: `ownOfferEntered`, `offerUsed`, `badOffer`, `unasked`.
    package func prepare(
        _ contact: Contact, with theirs: Offer, force: Bool
    ) throws(KeyringError) -> Pending {
        try reading { (store) throws(KeyringError) in
            try store.verify()
            let link = try store.link(of: contact)
            try store.checkUnused(theirs.publicKey.span, .offers, by: contact)
            let isMade = link.ownOffer == nil
            if isMade, link.hasConversation, !force {
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

extension KeyringStore {
    /// Generates an own offer for a contact, and records it so that it is never accepted as a contact's
    /// offer. The caller must write the contact's state.
    fileprivate func newOffer(for link: ContactState) throws(KeyringError) -> Offer {
        link.ownOffer = try randomSecret(X25519.size)
        guard let offer = link.offer else { preconditionFailure("just made") }
        try record(offer.publicKey.span, as: .ownOffer)
        return offer
    }
}

extension ContactState {
    /// Your own unanswered offer, or nil.
    var offer: Offer? {
        switch ownOffer {
        case .none: nil
        case .some(let secret): Offer(publicKey: X25519.publicKey(of: secret))
        }
    }
}
