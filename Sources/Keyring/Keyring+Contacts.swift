internal import Crypto
package import Protocol

/// Contacts: found by tags, kept sealed.
extension Keyring {
    /// A contact named by name, exactly, or else by number; by a number without `+` that is nobody's, as
    /// gateways give it, the one who has it with `+`.
    ///
    /// - Throws: `unknown`.
    package func contact(named text: String) throws(KeyringError) -> Contact {
        let keys = try unlocked()
        let rows = ContactRows(database: database)
        var tags: [[UInt8]] = []
        if let name = try? ContactCard.normalName(text) {
            if let found = try rows.contact(named: name, in: keys.ring) { return found }
            tags.append(keys.ring.nameTag(name))
        }
        for number in PhoneNumber.readings(text, country: account.country) {
            if let found = try rows.contact(numbered: number, in: keys.ring) { return found }
            tags.append(keys.ring.numberTag(number))
        }
        try reading { () throws(KeyringError) in
            try checkContacts(without: tags, try auditedLedger())
        }
        throw .contact(.unknown(text))
    }

    /// Before a contact is called unknown: sees, once in a run, that all are there, that no row has its
    /// tag, whatever an index says, and, where they are not too many for it, that SQLite's own structures
    /// are sound.
    private func checkContacts(
        without tags: [[UInt8]], _ ledger: Ledger
    ) throws(KeyringError) {
        guard !hasCheckedContacts else { return }
        try Audit(database, try unlocked().vault, ledger).contacts(without: tags)
        if ledger.contacts.count <= 20_000 {
            let verdict = try database.statement("PRAGMA integrity_check(1)").first { $0.text(0) }
            guard verdict == "ok" else { throw .store(.damaged("an index is wrong")) }
        }
        hasCheckedContacts = true
    }

    /// Adds a contact with a new sync key of one's own.
    ///
    /// - Parameter anyway: true to take a number that another identity knows.
    /// - Throws: `badName`, `badNumber`, `nameTaken`, `numberTaken`, `knownAs`.
    package func add(
        name: String, number: String?, anyway: Bool = false
    ) throws(KeyringError) -> SyncKey {
        let name = try ContactCard.normalName(name)
        let number = try number.map { (text) throws(KeyringError) in
            try normalNumber(text)
        }
        let key = try cryptography { () throws(CryptoError) in try SyncKey.generate() }
        return try commit { (keys, commit) throws(KeyringError) in
            try checkFree(keys, commit.ledger, name: name, number: number)
            if !anyway, let number { try checkUnknown(number, keys) }
            commit.ledger.lastContact += 1
            let link = Link(contact: commit.ledger.lastContact)
            link.ownKey = key.duplicate()
            try ContactRows(database: database).insert(
                link, name, number, keys.ring, commit.ledger, keys.vault.rowHash)
            return key.duplicate()
        }
    }

    /// Removes a contact and all its keys.
    package func remove(_ contact: Contact) throws(KeyringError) {
        try commit { (keys, commit) throws(KeyringError) in
            let rows = LinkRows(self, keys, commit.ledger)
            try rows.remove(try rows.link(of: contact).contact)
        }
    }

    /// Gives a contact another name or number; nil leaves one as it is, an empty number takes it away.
    ///
    /// - Throws: what `add` throws, and `unknown`.
    package func edit(
        _ contact: Contact, name: String?, number: String?, anyway: Bool = false
    ) throws(KeyringError) {
        let name = try ContactCard.normalName(name ?? contact.name)
        let isTakenAway = number == ""
        let number =
            try isTakenAway
            ? nil
            : number.map { (text) throws(KeyringError) in
                try normalNumber(text)
            }
        let kept = isTakenAway ? nil : number ?? contact.number
        try commit { (keys, commit) throws(KeyringError) in
            try checkFree(keys, commit.ledger, name: name, number: kept, except: contact.id)
            if !anyway, let number { try checkUnknown(number, keys) }
            try LinkRows(self, keys, commit.ledger).update(contact, name: name, number: kept)
        }
    }

    /// How many contacts all identities have, which a locked keyring tells as well.
    package func contactCount() throws(KeyringError) -> Int64 {
        try database.statement("SELECT count(*) FROM contacts").first { $0.integer(0) } ?? 0
    }

    private func normalNumber(_ text: String) throws(KeyringError) -> String {
        guard let number = PhoneNumber.normal(text, country: account.country) else {
            throw .contact(.badNumber(text))
        }
        return number
    }

    private func checkFree(
        _ keys: Keys, _ ledger: Ledger, name: String, number: String?, except id: Int64 = 0
    ) throws(KeyringError) {
        let rows = ContactRows(database: database)
        let namesake = try rows.contact(named: name, in: keys.ring)
        if let namesake, namesake.id != id { throw .contact(.nameTaken(name)) }
        let holder = try number.flatMap { (number) throws(KeyringError) in
            try rows.contact(numbered: number, in: keys.ring)
        }
        if let number, let holder, holder.id != id {
            throw .contact(.numberTaken(number, holder.name))
        }
        var free: [[UInt8]] = namesake == nil ? [keys.ring.nameTag(name)] : []
        if let number, holder == nil { free.append(keys.ring.numberTag(number)) }
        try checkContacts(without: free, ledger)
    }

    private func checkUnknown(_ number: String, _ keys: Keys) throws(KeyringError) {
        if let identity = try identity(knowing: number, beside: keys.ring.id, keys) {
            throw .contact(.knownAs(number, identity))
        }
    }
}
