internal import Crypto
package import Protocol

/// Synchronising with a contact by sync keys (smsenc(7), Sync keys).
extension Keyring {
    /// What is needed of a contact to synchronise: asked before scrypt runs, outside any commit.
    package struct Pending: ~Copyable, Sendable {
        package let contact: Contact
        package let own: SyncKey
        package let theirs: SyncKey
        /// True when there is a conversation that ends here.
        package let endsConversation: Bool
        /// True when it is a verified one.
        package let endsVerified: Bool
    }

    /// Checks that a contact's key can be taken.
    ///
    /// - Throws: `noOwnKey`, `ownKeyEntered`, `keyUsed`.
    package func prepare(
        _ contact: Contact, with theirs: consuming SyncKey
    ) throws(KeyringError) -> Pending {
        let keys = try unlocked()
        let link = try link(of: contact)
        let tag = usedTag(theirs, keys)
        let isUsed = try reading { () throws(KeyringError) in
            try used(among: [tag], try auditedLedger()) != nil
        }
        switch link.ownKey {
        case .none: throw isUsed ? .sync(.keyUsed(contact.name)) : .sync(.noOwnKey(contact.name))
        case .some(let own):
            if own == theirs { throw .sync(.ownKeyEntered(contact.name)) }
            if isUsed { throw .sync(.keyUsed(contact.name)) }
            return Pending(
                contact: contact, own: own.duplicate(), theirs: theirs,
                endsConversation: link.hasConversation, endsVerified: link.isVerified)
        }
    }

    /// Begins the conversation that was agreed upon, in one commit: chains are replaced, what was
    /// kept is emptied, the keys are erased.
    ///
    /// - Throws: `changed` when somebody else has synchronised this contact meanwhile.
    package func synchronise(
        _ pending: borrowing Pending, _ agreement: borrowing Agreement
    ) throws(KeyringError) -> VerificationCodes {
        try commit { (keys, commit) throws(KeyringError) in
            let rows = LinkRows(self, keys, commit.ledger)
            let name = pending.contact.name
            let link = try rows.link(of: pending.contact)
            guard link.hasOwnKey(pending.own) else { throw KeyringError.sync(.changed(name)) }
            if try isUsed(pending.theirs, keys, commit.ledger) {
                throw KeyringError.sync(.keyUsed(name))
            }
            var cipher = try cryptography { () throws(CryptoError) in try Cipher() }
            let codes = agreement.codes(&cipher)
            link.begin(agreement.conversation(&cipher), codes)
            try rows.clear(link.contact)
            try rows.save(stateOf: link)
            try record(usedTag: usedTag(pending.theirs, keys), commit.ledger, keys)
            return codes
        }
    }

    /// Makes a new sync key of one's own for a contact, or hands out the one that is not answered
    /// yet; the old state works until `synchronise`.
    ///
    /// - Parameter renew: true to replace a key that is not answered yet.
    package func resynchronise(_ contact: Contact, renew: Bool) throws(KeyringError) -> SyncKey {
        let fresh = try cryptography { () throws(CryptoError) in try SyncKey.generate() }
        return try commit { (keys, commit) throws(KeyringError) in
            let rows = LinkRows(self, keys, commit.ledger)
            let link = try rows.link(of: contact)
            switch link.ownKey {
            case .some(let own) where !renew:
                commit.isNeeded = false
                return own.duplicate()
            default: break
            }
            link.ownKey = fresh.duplicate()
            try rows.save(stateOf: link)
            return fresh.duplicate()
        }
    }

    /// The codes to compare, of a contact that has been synchronised.
    package func link(of contact: Contact) throws(KeyringError) -> Link {
        let keys = try unlocked()
        return try reading { () throws(KeyringError) in
            try LinkRows(self, keys, try auditedLedger()).link(of: contact)
        }
    }

    /// Marks a contact verified.
    ///
    /// - Parameter codes: what was compared; a contact synchronised again meanwhile is refused.
    package func markVerified(
        _ contact: Contact, having codes: VerificationCodes
    ) throws(KeyringError) {
        try commit { (keys, commit) throws(KeyringError) in
            let rows = LinkRows(self, keys, commit.ledger)
            let link = try rows.link(of: contact)
            guard link.codes == codes else { throw KeyringError.sync(.changed(contact.name)) }
            link.isVerified = true
            try rows.save(stateOf: link)
        }
    }

    private func isUsed(
        _ key: borrowing SyncKey, _ keys: Keys, _ ledger: Ledger
    ) throws(KeyringError) -> Bool {
        try used(among: [usedTag(key, keys)], ledger) != nil
    }

    /// The first of some tags that is of a key or offer that was used, as whoever's; nil where none is.
    ///
    /// - Throws: `damaged` where the records, when they are read first, are not those that were made.
    func used(among tags: [[UInt8]], _ ledger: Ledger) throws(KeyringError) -> [UInt8]? {
        if usedKeys?.tally != ledger.usedKeys {
            var found: Set<[UInt8]> = []
            try Audit(database, try unlocked().vault, ledger).usedKeys { found.insert($0) }
            usedKeys = (ledger.usedKeys, found)
        }
        return tags.first { usedKeys?.tags.contains($0) ?? false }
    }

    /// Puts a contact's key or offer, or an own offer, on record.
    func record(usedTag tag: [UInt8], _ ledger: Ledger, _ keys: Keys) throws(KeyringError) {
        try database.statement("INSERT INTO used_keys (tag) VALUES (?)").bind(tag).run()
        if usedKeys?.tally != ledger.usedKeys { usedKeys = nil }
        ledger.usedKeys.put(keys.vault.rowHash.share(Place(usedKey: tag)))
        usedKeys?.tags.insert(tag)
        usedKeys?.tally = ledger.usedKeys
    }

    private func usedTag(_ key: borrowing SyncKey, _ keys: Keys) -> [UInt8] {
        key.bytes.withSpan { tagged(keys.vault.usedKeyTag, "sync key", $0) }
    }
}

extension Link {
    fileprivate func hasOwnKey(_ key: borrowing SyncKey) -> Bool {
        switch ownKey {
        case .none: false
        case .some(let own): own == key
        }
    }

    /// Begins a new conversation.
    func begin(_ new: consuming Conversation, _ codes: VerificationCodes) {
        forget()
        isRestored = false
        conversation = consume new
        self.codes = codes
    }

    /// Erases everything that enciphers or deciphers; the contact must synchronise again.
    func forget() {
        conversation = nil
        ownKey = nil
        ownOffer = nil
        isVerified = false
        isRestored = true
        counts.unanswered = 0
        skipped = Skipped(nextNumber: skipped.nextNumber)
    }
}
