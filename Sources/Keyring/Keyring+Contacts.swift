internal import Crypto
package import Protocol

/// Contacts: found by tags, kept sealed.
extension Keyring {
    /// A contact named by name, exactly, or else by number.
    ///
    /// - Throws: `unknown`.
    package func contact(named text: String) throws(KeyringError) -> Contact {
        let keys = try unlocked()
        let rows = ContactRows(database: database)
        if let name = try? ContactCard.normalName(text),
            let found = try rows.contact(
                tagged: keys.ring.nameTag(name), .name, in: keys.ring)
        {
            return found
        }
        if let number = PhoneNumber.normal(text, country: account.country),
            let found = try rows.contact(
                tagged: keys.ring.numberTag(number), .number, in: keys.ring)
        {
            return found
        }
        try checkContacts()
        throw .contact(.unknown(text))
    }

    /// Before a contact is called unknown: sees, once in a run, that none is missing and, where they
    /// are not too many for it, that SQLite's own structures are sound.
    private func checkContacts() throws(KeyringError) {
        guard !hasCheckedContacts else { return }
        let keys = try unlocked()
        try database.reading { () throws(KeyringError) in
            let ledger = try Ledger(from: database, keys.vault)
            let count = try contactCount()
            let strays = try database.statement(
                "SELECT 1 FROM contacts WHERE ring NOT IN (SELECT id FROM rings) LIMIT 1"
            ).first { _ in true }
            guard count == ledger.contacts, strays == nil else {
                throw KeyringError.store(.damaged("contacts are missing"))
            }
            guard count <= 20_000 else { return }
            let verdict = try database.statement("PRAGMA integrity_check(1)").first { $0.text(0) }
            guard verdict == "ok" else { throw KeyringError.store(.damaged("an index is wrong")) }
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
            try checkFree(keys, name: name, number: number)
            if !anyway, let number { try checkUnknown(number, keys) }
            commit.ledger.lastContact += 1
            commit.ledger.contacts += 1
            let link = Link(contact: commit.ledger.lastContact)
            link.ownKey = key.duplicate()
            try ContactRows(database: database).insert(link, name, number, keys.ring)
            return key.duplicate()
        }
    }

    /// Removes a contact and all its keys.
    package func remove(_ contact: Contact) throws(KeyringError) {
        try commit { (keys, commit) throws(KeyringError) in
            try database.statement("DELETE FROM contacts WHERE id = ?").bind(contact.id).run()
            guard database.changedRows == 1 else {
                throw KeyringError.contact(.unknown(contact.name))
            }
            try LinkRows(self, keys).clear(contact.id)
            commit.ledger.contacts -= 1
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
        try commit { (keys, _) throws(KeyringError) in
            try checkFree(keys, name: name, number: kept, except: contact.id)
            if !anyway, let number { try checkUnknown(number, keys) }
            try ContactRows(database: database).update(
                contact, name: name, number: kept, in: keys.ring)
        }
    }

    /// Goes through all contacts in the order in which they were added.
    ///
    /// - Throws: `damaged` when there are fewer than there were.
    package func eachContact(
        _ body: (Contact, Link) throws -> Void
    ) throws {
        let keys = try unlocked()
        try database.execute("BEGIN")
        defer { try? database.execute("COMMIT") }
        let ledger = try Ledger(from: database, keys.vault)
        guard try contactCount() == ledger.contacts else {
            throw KeyringError.store(.damaged("contacts are missing"))
        }
        try eachContact(in: keys.ring, body)
    }

    /// Goes through the contacts of a ring, within a transaction.
    func eachContact(
        in ring: Ring, _ body: (Contact, Link) throws -> Void
    ) throws {
        let rows = try database.statement(
            """
            SELECT id, ring, card_version, card, state_version, state FROM contacts
            WHERE ring = ? ORDER BY id
            """
        ).bind(ring.id)
        while try rows.step() {
            let contact = try ContactRows(database: database).contact(in: rows, ring)
            let link = try rows.withBytes(5) { (sealed) throws(KeyringError) in
                try Link(contact.id, version: rows.integer(4), sealed: sealed, ring)
            }
            try body(contact, link)
        }
    }

    /// How many contacts there are, which a locked keyring tells as well.
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
        _ keys: Keys, name: String, number: String?, except id: Int64 = 0
    ) throws(KeyringError) {
        let rows = ContactRows(database: database)
        if let holder = try rows.contact(
            tagged: keys.ring.nameTag(name), .name, in: keys.ring), holder.id != id
        {
            throw .contact(.nameTaken(name))
        }
        guard let number else { return }
        if let holder = try rows.contact(
            tagged: keys.ring.numberTag(number), .number, in: keys.ring),
            holder.id != id
        {
            throw .contact(.numberTaken(number, holder.name))
        }
    }

    private func checkUnknown(_ number: String, _ keys: Keys) throws(KeyringError) {
        if let identity = try identity(knowing: number, beside: keys.ring.id, keys) {
            throw .contact(.knownAs(number, identity))
        }
    }
}
