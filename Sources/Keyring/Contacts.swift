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
            let found = try contact(keys, "name_tag", nameTag(name, keys))
        {
            return found
        }
        if let number = PhoneNumber.normal(text, country: account.country),
            let found = try contact(keys, "number_tag", numberTag(number, keys))
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
            try insert(link, name, number, keys)
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

    /// Gives a contact another name or number; nil leaves one as it is.
    ///
    /// - Throws: what `add` throws, and `unknown`.
    package func edit(
        _ contact: Contact, name: String?, number: String?, anyway: Bool = false
    ) throws(KeyringError) {
        let name = try ContactCard.normalName(name ?? contact.name)
        let number = try number.map { (text) throws(KeyringError) in
            try normalNumber(text)
        }
        let kept = number ?? contact.number
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
            .bind(nameTag(name, keys)).bind(kept.map { numberTag($0, keys) }).bind(version + 1)
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
        var count: Int64 = 0
        let rows = try database.statement(
            "SELECT id, ring, card_version, card, state_version, state FROM contacts ORDER BY id")
        while try rows.step() {
            count += 1
            guard rows.integer(1) == keys.ring.id else { continue }
            let contact = try contact(in: rows, keys)
            let link = try Link(
                contact.id, version: rows.integer(4), sealed: rows.bytes(5), keys.ring)
            try body(contact, link)
        }
        guard count == ledger.contacts else {
            throw KeyringError.damaged("\(ledger.contacts - count) contacts are missing")
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
        if let holder = try contact(keys, "name_tag", nameTag(name, keys)), holder.id != id {
            throw .nameTaken(name)
        }
        guard let number else { return }
        if let holder = try contact(keys, "number_tag", numberTag(number, keys)), holder.id != id {
            throw .numberTaken(number, holder.name)
        }
    }

    private func checkUnknown(_ number: String, _ keys: Keys) throws(KeyringError) {
        if let identity = try identity(knowing: number, beside: keys.ring.id, keys) {
            throw .knownAs(number, identity)
        }
    }

    private func nameTag(_ name: String, _ keys: Keys) -> [UInt8] {
        keys.ring.tag("name", of: Array(name.utf8))
    }

    private func numberTag(_ number: String, _ keys: Keys) -> [UInt8] {
        keys.ring.tag("number", of: Array(number.utf8))
    }

    private func insert(
        _ link: Link, _ name: String, _ number: String?, _ keys: Keys
    ) throws(KeyringError) {
        let id = link.contact
        let card = try keys.ring.sealer.seal(
            ContactCard.record(name: name, number: number),
            at: Place("contacts.card", row: id, version: 1))
        try database.statement(
            """
            INSERT INTO contacts (id, ring, name_tag, number_tag, card_version, card,
                state_version, state)
            VALUES (?, ?, ?, ?, 1, ?, ?, ?)
            """
        )
        .bind(id).bind(keys.ring.id).bind(nameTag(name, keys))
        .bind(number.map { numberTag($0, keys) }).bind(card)
        .bind(link.version).bind(try link.sealed(keys.ring)).run()
    }

    /// - Parameter column: `name_tag` or `number_tag`.
    private func contact(
        _ keys: Keys, _ column: String, _ tag: [UInt8]
    ) throws(KeyringError) -> Contact? {
        try database.statement(
            "SELECT id, ring, card_version, card FROM contacts WHERE \(column) = ?"
        )
        .bind(tag).first { (row) throws(KeyringError) in try contact(in: row, keys) }
    }

    private func contact(in row: Statement, _ keys: Keys) throws(KeyringError) -> Contact {
        let id = row.integer(0)
        let place = Place("contacts.card", row: id, version: row.integer(2))
        let record = try row.withBytes(3) { (sealed) throws(KeyringError) in
            try keys.ring.sealer.open(sealed, at: place)
        }
        return try ContactCard.contact(id, from: record)
    }
}
