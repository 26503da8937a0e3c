internal import Crypto
internal import PhoneNumbers
internal import Protocol

/// The contacts in the rows of a keyring. A contact has a card with a name and a number, a `ContactState`,
/// skipped keys and retired chains (ContactStore+SkippedKeys.swift), and, if the contact has changed since
/// the last backup, a row that records the change.
package struct ContactStore {
    let store: KeyringStore
    var keys: UnlockedKeys { store.keys }
    var header: KeyringHeader { store.header }
    private var database: Database { store.database }

    // MARK: Finding contacts

    /// Returns the contact of the identity in use whose name or number is `text`. The name must match
    /// exactly. A number without `+` also finds the same number with `+`, because gateways omit the `+`.
    ///
    /// - Throws: `unknown`, `unclearNumber` if the text is the number of more than one contact.
    package func contact(named text: String) throws(KeyringError) -> Contact {
        var tags: [[UInt8]] = []
        if let name = try? Contact.normalName(text) {
            if let found = try contact(withName: name) { return found }
            tags.append(keys.ring.nameTag(name))
        }
        var found: [Contact] = []
        for number in PhoneNumber.lookUps(text, country: store.keyring.account.country) {
            if let contact = try contact(withNumber: number, in: keys.ring) {
                found.append(contact)
            }
            tags.append(keys.ring.numberTag(number))
        }
        if found.count > 1 { throw .contact(.unclearNumber(text, found.compactMap { $0.number })) }
        if let contact = found.first { return contact }
        try verifyAll(without: tags)
        throw .contact(.unknown(text))
    }

    private func contact(withName name: String) throws(KeyringError) -> Contact? {
        let tag = keys.ring.nameTag(name)
        return try contact(.named, tag, in: keys.ring) { $0.name == name }
    }

    private func contact(
        withNumber number: String, in ring: Ring
    ) throws(KeyringError) -> Contact? {
        try contact(.numbered, ring.numberTag(number), in: ring) { $0.number == number }
    }

    private func contact(
        _ query: RowKind.Query, _ tag: [UInt8], in ring: Ring, _ isRight: (Contact) -> Bool
    ) throws(KeyringError) -> Contact? {
        let statement = try database.statement(.card, query).bind(tag)
        guard let card = try database.first(.card, statement) else { return nil }
        let contact = try Contact(card, ring)
        guard isRight(contact) else {
            throw .store(.damaged("a contact has the name or number of another contact"))
        }
        return contact
    }

    /// Verifies all contacts. The caller needs this before it concludes that no contact has a given name
    /// or number. Checks that no row is missing, that no row has one of `tags` and, if there are at most
    /// 20,000 contacts, that SQLite's own structures are intact. These checks run once per process.
    private func verifyAll(without tags: [[UInt8]]) throws(KeyringError) {
        guard !keys.hasVerifiedContacts else { return }
        try store.verify()
        try Verification(store).contacts(without: tags)
        if header[.contacts].count <= 20_000 {
            let verdict = try database.statement("PRAGMA integrity_check(1)").first { $0.text(0) }
            guard verdict == "ok" else { throw .store(.damaged("an index is wrong")) }
        }
        keys.hasVerifiedContacts = true
    }

    /// Returns the ids of a ring's contacts. Verifies all contacts first, to ensure that no contact is
    /// missing and that no contact was moved to another ring.
    func ids(inRing ring: Int64) throws(KeyringError) -> [Int64] {
        try Verification(store).contacts()
        let rows = try database.statement("SELECT id FROM contacts WHERE ring = ? ORDER BY id")
            .bind(ring)
        var ids: [Int64] = []
        while try rows.step() { ids.append(rows.integer(0)) }
        return ids
    }

    // MARK: Reading and writing

    /// Returns a contact's state, or nil if the contact no longer exists.
    func state(_ contact: Int64, in ring: Ring? = nil) throws(KeyringError) -> ContactState? {
        guard let stored = try database.first(.state, of: contact) else { return nil }
        let hash = stored.hash(keys.masterKeys.rowHashKey)
        return try ContactState(stored, hash: hash, ring ?? keys.ring)
    }

    /// Returns a contact's state.
    ///
    /// - Throws: `unknown` if the contact no longer exists.
    func state(of contact: Contact) throws(KeyringError) -> ContactState {
        guard let state = try state(contact.id) else { throw .contact(.unknown(contact.name)) }
        return state
    }

    /// Returns the result that processing a contact's message would have, judging only by the contact's
    /// state.
    package func expectedResult(for contact: Int64) throws(KeyringError) -> ExchangeResult {
        guard let state = try state(contact) else { return .not(.gone) }
        let summary = ContactSummary(state)
        return state.hasConversation ? .done(summary, nil) : .not(.notReady(summary))
    }

    /// Writes a contact's card and its state, which is bound to the version of the card.
    func save(_ contact: Contact, _ state: ContactState) throws(KeyringError) {
        state.cardVersion += 1
        let row = Row(
            .card, id: contact.id, number: state.ring.id, version: state.cardVersion,
            [
                state.ring.nameTag(contact.name),
                contact.number.map { state.ring.numberTag($0) },
            ])
        try store.save(contact.card, as: row, under: state.ring.sealingKey)
        try save(state)
        try recordChange(of: state, isNew: state.cardVersion == 1)
    }

    /// Writes a contact's state as its next version. The state must have been read in this transaction or be
    /// new.
    func save(_ state: ContactState) throws(KeyringError) {
        state.version += 1
        let row = Row(
            .state, id: state.contact, number: state.cardVersion, version: state.version)
        state.rowHash = try store.save(
            state.encoded(), as: row, under: state.ring.sealingKey, replacing: state.rowHash)
    }

    /// Deletes a contact and all its rows.
    func delete(_ state: ContactState) throws(KeyringError) {
        try deleteKeys(of: state)
        try store.delete([.state, .card], of: state.contact)
        if keys.transients[state.ring.id] == nil { try recordDeletion(of: state.contact) }
    }

    /// Deletes a contact's skipped keys, retired chains, keys for rereading and unwritten keys. The caller
    /// must already have removed these keys from the sums in the contact's state, and must save or delete the
    /// state afterwards.
    func deleteKeys(of state: ContactState) throws(KeyringError) {
        try store.delete([.skippedKey, .retiredChain, .reread], of: state.contact)
        try store.transit.filterUnwritten(in: state.ring) { (_, contact, _, _) in
            contact != state.contact
        }
    }

    /// Deletes all contacts of a ring. The ring's unwritten keys are not deleted.
    ///
    /// - Parameter areInBackups: false for a transient identity, whose contacts no backup contains.
    func deleteAll(inRing ring: Int64, areInBackups: Bool) throws(KeyringError) {
        for contact in try ids(inRing: ring) {
            try store.delete([.state, .card, .skippedKey, .retiredChain, .reread], of: contact)
            if areInBackups { try recordDeletion(of: contact) }
        }
    }

    // MARK: Adding and changing contacts

    /// Returns a contact with a new id. The contact is not stored yet.
    func newContact(name: String, number: String?) -> Contact {
        header.lastContact += 1
        return Contact(id: header.lastContact, name: name, number: number)
    }

    /// Checks that no other contact of this identity has the name or the number.
    ///
    /// - Throws: `nameTaken`, `numberTaken`.
    func checkFree(name: String, number: String?, except id: Int64 = 0) throws(KeyringError) {
        let namesake = try contact(withName: name)
        if let namesake, namesake.id != id { throw .contact(.nameTaken(name)) }
        var free = namesake == nil ? [keys.ring.nameTag(name)] : []
        if let number {
            let holder = try contact(withNumber: number, in: keys.ring)
            if let holder, holder.id != id { throw .contact(.numberTaken(number, holder.name)) }
            if holder == nil { free.append(keys.ring.numberTag(number)) }
        }
        try verifyAll(without: free)
    }

    /// Checks that no contact of another identity has the given number.
    ///
    /// - Throws: `knownAs`.
    func checkUnknown(_ number: String) throws(KeyringError) {
        for identity in try store.identities.all() where identity.id != keys.ring.id {
            let ring = try store.identities.unlocked(identity.id).ring
            if try contact(withNumber: number, in: ring) != nil {
                throw .contact(.knownAs(number, identity))
            }
        }
    }

    /// Normalises the numbers of all contacts that can be opened here, with the given calling code. Only
    /// numbers without a calling code change.
    ///
    /// - Throws: `numberTaken` if two contacts of a ring would have the same number.
    func renumber(country: String) throws(KeyringError) {
        for ring in try store.identities.openRings() {
            for id in try ids(inRing: ring.id) {
                guard let card = try database.first(.card, of: id) else { continue }
                let contact = try Contact(card, ring)
                guard let number = contact.number,
                    let fresh = PhoneNumber(number, country: country).stored, fresh != number,
                    let state = try state(id, in: ring)
                else { continue }
                if let holder = try self.contact(withNumber: fresh, in: ring) {
                    throw .contact(.numberTaken(fresh, holder.name))
                }
                try save(Contact(id: id, name: contact.name, number: fresh), state)
            }
        }
    }

    // MARK: Synchronising

    /// Generates the user's sync key for a contact, and records it so that it is never accepted as a sync
    /// key of a contact. The caller must save the contact's state.
    func newSyncKey(for state: ContactState) throws(KeyringError) -> SyncKey {
        let key = try cryptography(SyncKey.generate())
        try store.usedKeys.record(key.bytes, as: .ownKey)
        state.ownKey = key.duplicate()
        return key
    }

    /// Generates the user's offer for a contact, and records it so that it is never accepted as an offer
    /// of a contact. The caller must save the contact's state.
    func newOffer(for state: ContactState) throws(KeyringError) -> Offer {
        let secret = try randomSecret(X25519.size)
        let offer = Offer(publicKey: X25519.publicKey(of: secret))
        try store.usedKeys.record(SecretBytes(copying: offer.publicKey.span), as: .ownOffer)
        state.ownOffer = consume secret
        return offer
    }

    /// Begins a new conversation with a contact, and erases the keys of the old conversation.
    func begin(
        _ conversation: consuming Conversation, _ codes: VerificationCodes, with state: ContactState
    ) throws(KeyringError) {
        state.eraseConversation()
        state.isRestored = false
        state.isLost = false
        state.conversation = consume conversation
        state.codes = codes
        state.lastSynchronisation = store.displayedTime
        try deleteKeys(of: state)
        try save(state)
        try recordChange(of: state)
    }

    /// Erases the conversations with all contacts of a ring, because the keyring was restored.
    func requireSynchronisation(in ring: Ring) throws(KeyringError) {
        for contact in try ids(inRing: ring.id) {
            guard let state = try state(contact, in: ring) else { continue }
            state.eraseConversation()
            state.isRestored = true
            try deleteKeys(of: state)
            try save(state)
        }
    }

    // MARK: Changes since the last backup

    /// Records that a contact has changed since the last backup.
    ///
    /// - Parameter isNew: true if no backup contains the contact.
    func recordChange(of state: ContactState, isNew: Bool = false) throws(KeyringError) {
        // No backup contains contacts of transient identities.
        guard keys.transients[state.ring.id] == nil else { return }
        try saveChange(of: state.contact, isNew: isNew)
    }

    /// Records that a contact was deleted. If no backup contains the contact, this function instead deletes
    /// the record of the changes of the contact.
    private func recordDeletion(of contact: Int64) throws(KeyringError) {
        try database.statement("DELETE FROM changed_contacts WHERE contact = ? AND is_new = 1")
            .bind(contact).run()
        if database.changedRows == 0 { try saveChange(of: contact, isNew: false) }
    }

    private func saveChange(of contact: Int64, isNew: Bool) throws(KeyringError) {
        try database.statement(
            """
            INSERT INTO changed_contacts (contact, commits, is_new) VALUES (?, ?, ?)
                ON CONFLICT (contact) DO UPDATE SET commits = excluded.commits
            """
        ).bind(contact).bind(Int64(bitPattern: header.commits + 1)).bind(isNew ? 1 : 0).run()
    }

    /// Deletes the records of changes that a backup contains.
    ///
    /// - Parameter commits: the count of commits at the time of the backup.
    func forgetChanges(upTo commits: UInt64) throws(KeyringError) {
        try database.statement("DELETE FROM changed_contacts WHERE commits <= ?")
            .bind(Int64(clamping: commits)).run()
    }
}
