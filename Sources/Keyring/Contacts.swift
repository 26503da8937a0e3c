internal import Primitives
package import Protocol

/// Contacts: found by tags, kept sealed.
extension Keyring {
    /// A contact named by name, exactly, or else by number.
    ///
    /// - Throws: `unknown`.
    package func contact(named text: String) throws(KeyringError) -> Contact {
        let keys = try unlocked()
        if let name = try? ContactCard.normalName(text),
            let found = try contact(keys, "name_tag", keys.ring.nameTag(name))
        {
            return found
        }
        if let number = PhoneNumber.normal(text, country: account.country),
            let found = try contact(keys, "number_tag", keys.ring.numberTag(number))
        {
            return found
        }
        throw .unknown(text)
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
        return try commit { (keys, change) throws(KeyringError) in
            try checkFree(keys, name: name, number: number)
            if !anyway, let number { try checkUnknown(number, keys) }
            change.ledger.lastContact += 1
            change.ledger.contacts += 1
            let link = Link(contact: change.ledger.lastContact)
            link.ownKey = key.duplicate()
            try ContactRows(database: database).insert(link, name, number, keys.ring)
            return key.duplicate()
        }
    }

    /// Removes a contact and all its keys.
    package func remove(_ contact: Contact) throws(KeyringError) {
        try commit { (keys, change) throws(KeyringError) in
            try database.statement("DELETE FROM contacts WHERE id = ?").bind(contact.id).run()
            guard database.changedRows == 1 else { throw KeyringError.unknown(contact.name) }
            try LinkRows(self, keys).clear(contact.id)
            change.ledger.contacts -= 1
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
            let version = try database.statement("SELECT card_version FROM contacts WHERE id = ?")
                .bind(contact.id).first { $0.integer(0) }
            guard let version else { throw KeyringError.unknown(contact.name) }
            let card = try keys.ring.sealer.seal(
                ContactCard.record(name: name, number: kept),
                at: Place("contacts.card", row: contact.id, version: version + 1))
            try database.statement(
                """
                UPDATE contacts SET name_tag = ?, number_tag = ?, card_version = ?, card = ?
                WHERE id = ?
                """
            )
            .bind(keys.ring.nameTag(name)).bind(kept.map { keys.ring.numberTag($0) }).bind(
                version + 1
            )
            .bind(card).bind(contact.id).run()
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
            throw KeyringError.damaged("contacts are missing")
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
            let link = try Link(
                contact.id, version: rows.integer(4), sealed: rows.bytes(5), ring)
            try body(contact, link)
        }
    }

    /// How many contacts there are, which a locked keyring tells as well.
    package func contactCount() throws(KeyringError) -> Int64 {
        try database.statement("SELECT count(*) FROM contacts").first { $0.integer(0) } ?? 0
    }

    private func normalNumber(_ text: String) throws(KeyringError) -> String {
        guard let number = PhoneNumber.normal(text, country: account.country) else {
            throw .badNumber(text)
        }
        return number
    }

    private func checkFree(
        _ keys: Keys, name: String, number: String?, except id: Int64 = 0
    ) throws(KeyringError) {
        if let holder = try contact(keys, "name_tag", keys.ring.nameTag(name)), holder.id != id {
            throw .nameTaken(name)
        }
        guard let number else { return }
        if let holder = try contact(keys, "number_tag", keys.ring.numberTag(number)),
            holder.id != id
        {
            throw .numberTaken(number, holder.name)
        }
    }

    private func checkUnknown(_ number: String, _ keys: Keys) throws(KeyringError) {
        if let identity = try identity(knowing: number, beside: keys.ring.id, keys) {
            throw .knownAs(number, identity)
        }
    }

    /// - Parameter column: `name_tag` or `number_tag`.
    private func contact(
        _ keys: Keys, _ column: String, _ tag: [UInt8]
    ) throws(KeyringError) -> Contact? {
        try database.statement(
            "SELECT id, ring, card_version, card FROM contacts WHERE \(column) = ?"
        )
        .bind(tag).first { (row) throws(KeyringError) in
            try ContactRows(database: database).contact(in: row, keys.ring)
        }
    }
}
