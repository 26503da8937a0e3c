/// A contact's row: the tags by which it is found, its card, and its state, which is a `ContactState`.
extension KeyringStore {
    /// Returns the contact with a name or a number. The name must match exactly. A number without `+` also
    /// finds the same number with `+`, because gateways leave out the `+`.
    ///
    /// - Throws: `unknown`.
    package func contact(named text: String) throws(KeyringError) -> Contact {
        var tags: [[UInt8]] = []
        if let name = try? Contact.normalName(text) {
            if let found = try contact(withName: name) { return found }
            tags.append(keys.ring.nameTag(name))
        }
        for number in PhoneNumber.readings(text, country: keyring.account.country) {
            if let found = try contact(withNumber: number) { return found }
            tags.append(keys.ring.numberTag(number))
        }
        try checkContacts(without: tags)
        throw .contact(.unknown(text))
    }

    /// Returns the contact with a name, or nil if there is none.
    ///
    /// - Throws: `damaged` if the row that is found has another name.
    func contact(withName name: String) throws(KeyringError) -> Contact? {
        let found = try contact(in: keys.ring, tagged: keys.ring.nameTag(name), .someNamed)
        if let found, found.name != name {
            throw .store(.damaged("a contact has the name of another contact"))
        }
        return found
    }

    /// Returns the contact with a number, or nil if there is none.
    ///
    /// - Throws: `damaged` if the row that is found has another number.
    func contact(withNumber number: String, in ring: Ring? = nil) throws(KeyringError) -> Contact? {
        let ring = ring ?? keys.ring
        let found = try contact(in: ring, tagged: ring.numberTag(number), .someNumbered)
        if let found, found.number != number {
            throw .store(.damaged("a contact has the number of another contact"))
        }
        return found
    }

    private func contact(
        in ring: Ring, tagged tag: [UInt8], _ verb: RowKind.Verb
    ) throws(KeyringError) -> Contact? {
        guard let card = try database.first(.card, database.statement(.card, verb).bind(tag)) else {
            return nil
        }
        return try Contact(card, ring)
    }

    /// Verifies the contacts before one is reported as unknown: all rows are there, no row has its tags, and
    /// SQLite's own structures are intact if there are few enough contacts for this check. Runs once per
    /// process.
    func checkContacts(without tags: [[UInt8]]) throws(KeyringError) {
        guard !keys.hasCheckedContacts else { return }
        try verify()
        try Verification(self).contacts(without: tags)
        if ledger[.contacts].count <= 20_000 {
            let verdict = try database.statement("PRAGMA integrity_check(1)").first { $0.text(0) }
            guard verdict == "ok" else { throw .store(.damaged("an index is wrong")) }
        }
        keys.hasCheckedContacts = true
    }

    /// Returns a contact's state, or nil if the contact no longer exists.
    func link(_ contact: Int64, in ring: Ring? = nil) throws(KeyringError) -> ContactState? {
        guard let state = try database.first(.state, of: contact) else { return nil }
        return try ContactState(
            state, weighing: state.weight(keys.vault.rowHash), ring ?? keys.ring)
    }

    /// Returns a contact's state.
    ///
    /// - Throws: `unknown` if the contact no longer exists.
    func link(of contact: Contact) throws(KeyringError) -> ContactState {
        guard let link = try link(contact.id) else { throw .contact(.unknown(contact.name)) }
        return link
    }

    /// Writes a contact's card and its state, which is bound to the version of the card.
    func put(_ contact: Contact, _ link: ContactState) throws(KeyringError) {
        link.cardVersion += 1
        let row = Row.card(
            of: contact.id, in: link.ring.id, contact.tags(in: link.ring), version: link.cardVersion
        )
        try put(contact.card, as: row, under: link.ring.sealer)
        try put(link)
        try recordChange(of: contact.id, in: link.ring, isNew: link.cardVersion == 1)
    }

    /// Writes a contact's state as its next version. It must have been read in this transaction or be new.
    func put(_ link: ContactState) throws(KeyringError) {
        link.version += 1
        let row = Row.state(
            of: link.contact, withCard: link.cardVersion, version: link.version)
        link.weight = try put(
            link.encoded(), as: row, under: link.ring.sealer, replacing: link.weight)
    }

    /// Removes a contact and all its rows.
    func remove(_ link: ContactState) throws(KeyringError) {
        try clear(link)
        try drop([.state, .card], of: link.contact)
        if keys.transients[link.ring.id] == nil { try recordRemoval(of: link.contact) }
    }

    /// Removes a contact's skipped keys, retired chains, keys for rereading and unwritten keys. The caller
    /// must have removed them from the sums in the contact's state, and must write the state.
    func clear(_ link: ContactState) throws(KeyringError) {
        try drop([.kept, .retired, .reread], of: link.contact)
        try filterUnwritten(in: link.ring) { (_, contact, _, _) in contact != link.contact }
    }

    /// Returns the ids of a ring's contacts. Verifies all contacts first, so that none is missing and none
    /// belongs to another ring.
    func contactIDs(inRing ring: Int64) throws(KeyringError) -> [Int64] {
        try Verification(self).contacts()
        let rows = try database.statement("SELECT id FROM contacts WHERE ring = ? ORDER BY id")
            .bind(ring)
        var ids: [Int64] = []
        while try rows.step() { ids.append(rows.integer(0)) }
        return ids
    }
}
