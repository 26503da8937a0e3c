internal import GSM7
internal import Crypto
internal import PhoneNumbers
internal import Protocol
internal import System

/// The contacts of one identity. A contact has an entry in an address record, a `ContactState` and a
/// `ConversationPast`. An empty `ConversationPast` is not stored.
package struct ContactStore {
    let store: KeyringStore
    /// The ring of the identity.
    let ring: Ring

    // MARK: Finding contacts

    /// Looks up a contact by its name, number or id. A name must match exactly. A phone number without `+`
    /// also finds the same number with `+`, because gateways omit the `+`.
    ///
    /// - Throws: `unknown`, or `unclearNumber` if more than one contact has this number.
    package func contact(named given: String) throws(KeyringError) -> Contact {
        // Spreadsheets often contain spaces after a name.
        let utf8 = given.utf8.span
        let text = String(
            decoding: Array(copying: utf8.extracting(WhiteSpace.trimmed(utf8))), as: UTF8.self)
        if let id = ContactID(text) {
            if let found = try first(.id(id)) { return found }
            throw .contact(.unknown(text))
        }
        if let name = try? Contact.normalName(text), let found = try first(.name(name)) {
            return found
        }
        var found: [Contact] = []
        for number in PhoneNumber.lookUps(text, country: store.keyring.account.country) {
            if let contact = try first(.number(number)) { found.append(contact) }
        }
        if found.count > 1 { throw .contact(.unclearNumber(text, found.compactMap { $0.number })) }
        if let contact = found.first { return contact }
        throw .contact(.unknown(text))
    }

    // MARK: Reading and writing

    /// Returns a contact's state, or nil if the contact no longer exists.
    func state(_ contact: ContactID) throws(KeyringError) -> ContactState? {
        try store.read(RecordName(.contact, contact.number), under: ring.sealingKey) {
            (record) throws(InvalidRecord) in
            try ContactState(contact: contact, in: ring, from: &record)
        }
    }

    /// Passes all contacts and their states to `body`, in the order in which the contacts were added.
    func forEachState(
        _ body: (Contact, ContactState) throws(KeyringError) -> Void
    ) throws(KeyringError) {
        try forEach { (contact) throws(KeyringError) in
            guard let state = try state(contact.id) else {
                throw .store(.damaged("the state of a contact is missing"))
            }
            try body(contact, state)
        }
    }

    /// Returns a contact's state.
    ///
    /// - Throws: `unknown` if the contact no longer exists.
    func state(of contact: Contact) throws(KeyringError) -> ContactState {
        guard let state = try state(contact.id) else { throw .contact(.unknown(contact.name)) }
        return state
    }

    /// Predicts the result of encrypting or decrypting a message of a contact from the contact's state alone.
    package func expectedResult(for contact: ContactID) throws(KeyringError) -> ExchangeResult {
        guard let state = try state(contact) else { return .gone }
        let summary = ContactSummary(state)
        return state.hasConversation ? .done(summary, nil, nil) : .notReady(summary)
    }

    /// Writes a contact's state. The state must be new, or must have been read in this transaction.
    func save(_ state: ContactState) throws(KeyringError) {
        let name = RecordName(.contact, state.contact.number)
        try store.save(name, under: state.ring.sealingKey, state.write(to:))
    }

    /// Returns a contact's past. If no past is stored, returns an empty past.
    func past(of state: ContactState) throws(KeyringError) -> ConversationPast {
        let name = RecordName(.past, state.contact.number)
        return try store.read(name, under: state.ring.sealingKey, ConversationPast.init(from:))
            ?? ConversationPast()
    }

    /// Writes a contact's past, and updates the numbers of keys in the contact's state. The caller must save
    /// the state.
    func save(_ past: borrowing ConversationPast, of state: ContactState) throws(KeyringError) {
        state.missing = past.missing
        state.keysToReadAgain = past.again.count
        let name = RecordName(.past, state.contact.number)
        if past.isEmpty { return try store.delete(name) }
        try store.save(name, under: state.ring.sealingKey) { past.write(to: &$0) }
    }

    /// Deletes a contact and all its keys.
    func delete(_ contact: ContactID) throws(KeyringError) {
        try update { $0.id == contact ? nil : $0 }
        try store.delete(RecordName(.contact, contact.number))
        try store.delete(RecordName(.past, contact.number))
        try forgetKeys(of: contact)
    }

    /// Deletes the keys of a contact's unwritten messages. The commit also deletes the contact's keys for
    /// rereading from the session file.
    private func forgetKeys(of contact: ContactID) throws(KeyringError) {
        try store.runs.deleteKeys(of: contact, in: ring)
        store.contactsToForget.insert(contact)
    }

    // MARK: Names and numbers

    /// Checks that no other contact of this identity has the given name or number.
    ///
    /// - Throws: `nameTaken`, `numberTaken`.
    func checkFree(
        name: String, number: String?, except id: ContactID? = nil
    ) throws(KeyringError) {
        if let namesake = try first(.name(name)), namesake.id != id {
            throw .contact(.nameTaken(name))
        }
        if let number, let holder = try first(.number(number)), holder.id != id {
            throw .contact(.numberTaken(number, holder.name))
        }
    }

    /// Checks that no contact of another identity has the given number.
    ///
    /// - Throws: `knownAs`.
    func checkUnknown(_ number: String) throws(KeyringError) {
        for record in try store.identities.openRecords() where record.id != ring.id {
            if try store.contacts(in: record.ring).first(.number(number)) != nil {
                throw .contact(.knownAs(number, record.identity))
            }
        }
    }

    /// Normalises the numbers of all contacts after the country has changed. Only numbers without a calling
    /// code change.
    ///
    /// - Throws: `numberTaken` if two contacts would have the same number.
    func renumber(country: String) throws(KeyringError) {
        // For each new number, the name of the contact that gets this number. The address records do not
        // contain these numbers yet.
        var holders: [String: String] = [:]
        try update { (contact) throws(KeyringError) in
            guard let number = contact.number,
                let fresh = PhoneNumber(number, country: country).stored, fresh != number
            else { return contact }
            let holder =
                if let name = holders[fresh] { name } else { try first(.number(fresh))?.name }
            if let holder { throw .contact(.numberTaken(fresh, holder)) }
            holders[fresh] = contact.name
            return Contact(id: contact.id, name: contact.name, number: fresh)
        }
    }

    // MARK: Synchronising

    /// Generates the user's sync key for a contact, and saves the contact's state. Records the sync key as
    /// used, so that it is never accepted as a contact's key.
    func newSyncKey(for state: ContactState) throws(KeyringError) -> SyncKey {
        let key = try cryptography(SyncKey.generate())
        try store.usedKeys.record(key.bytes, as: .ownKey)
        state.ownKey = key.duplicate()
        try save(state)
        return key
    }

    /// Generates the user's offer for a contact, and saves the contact's state. Records the offer as used, so
    /// that it is never accepted as a contact's offer.
    func newOffer(for state: ContactState) throws(KeyringError) -> Offer {
        let secret = try randomSecret(X25519.size)
        let offer = Offer(publicKey: X25519.publicKey(of: secret))
        try store.usedKeys.record(SecretBytes(copying: offer.publicKey.span), as: .ownOffer)
        state.ownOffer = consume secret
        try save(state)
        return offer
    }

    /// Begins a new conversation with a contact, and erases the keys of the old conversation.
    func begin(
        _ conversation: consuming Conversation, _ codes: VerificationCodes, with state: ContactState
    ) throws(KeyringError) {
        try eraseConversation(of: state)
        state.isRestored = false
        state.isLost = false
        state.conversation = consume conversation
        state.codes = codes
        state.lastSynchronisation = store.time
        try save(state)
    }

    /// Erases the conversation with a contact and all its keys. Keeps the list of sent messages. The caller
    /// must save the state.
    func eraseConversation(of state: ContactState) throws(KeyringError) {
        if let name = state.sendingName {
            var past = try past(of: state)
            past.end(name, &state.recentlySent)
            try save(past, of: state)
        }
        state.eraseConversation()
        try forgetKeys(of: state.contact)
    }

    /// Erases the conversations with all contacts, because the keyring was restored.
    func requireSynchronisation() throws(KeyringError) {
        try forEachState { (_, state) throws(KeyringError) in
            try eraseConversation(of: state)
            state.isRestored = true
            try save(state)
        }
    }
}
