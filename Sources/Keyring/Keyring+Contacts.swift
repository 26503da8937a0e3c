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
        var tags: [[UInt8]] = []
        if let name = try? ContactCard.normalName(text) {
            tags.append(keys.ring.nameTag(name))
            if let found = try rows.contact(tagged: tags[0], .name, in: keys.ring) {
                guard found.name == name else { throw .store(.damaged("a contact has another's name")) }
                return found
            }
        }
        if let number = PhoneNumber.normal(text, country: account.country) {
            let tag = keys.ring.numberTag(number)
            tags.append(tag)
            if let found = try rows.contact(tagged: tag, .number, in: keys.ring) {
                guard found.number == number else {
                    throw .store(.damaged("a contact has another's number"))
                }
                return found
            }
        }
        try checkContacts(without: tags)
        throw .contact(.unknown(text))
    }

    /// Before a contact is called unknown: sees, once in a run, that none is missing and that no row
    /// has its tag, whatever an index says, and, where they are not too many for it, that SQLite's own
    /// structures are sound.
    private func checkContacts(without tags: [[UInt8]]) throws(KeyringError) {
        guard !hasCheckedContacts else { return }
        let keys = try unlocked()
        try database.reading { () throws(KeyringError) in
            let ledger = try Ledger(from: database, keys.vault)
            let rings = Set(try ringIDs())
            let rows = try database.statement(
                "SELECT id, ring, name_tag, number_tag FROM contacts NOT INDEXED ORDER BY id")
            var count: Int64 = 0
            var last: Int64 = 0
            while try rows.step() {
                count += 1
                guard rows.integer(0) > last, rings.contains(rows.integer(1)) else {
                    throw KeyringError.store(.damaged("contacts are out of order"))
                }
                last = rows.integer(0)
                if tags.contains(rows.bytes(2)) || tags.contains(rows.bytes(3)) {
                    throw KeyringError.store(.damaged("an index is wrong"))
                }
            }
            guard count == ledger.contacts else {
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
            guard database.changedRows == 1 else { throw KeyringError.contact(.unknown(contact.name)) }
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

    /// Goes through all contacts of the ring in use, in the order in which they were added.
    ///
    /// - Throws: `damaged` when there are not those that there were.
    package func eachContact(
        _ body: (Contact, Link) throws -> Void
    ) throws {
        let ring = try unlocked().ring.id
        try database.execute("BEGIN")
        defer { try? database.execute("COMMIT") }
        try eachContact { (contact, link, holder) in
            if holder == ring { try body(contact, link) }
        }
    }

    /// Goes through the contacts of all rings, within a transaction; those of transient identities of
    /// other sessions, which nobody can open here, are counted only.
    ///
    /// No index is believed, nor are the pages above the rows: what is walked over is counted against
    /// the ledger, and ids ascend.
    ///
    /// - Parameter body: takes the id of the contact's ring as well.
    /// - Throws: `damaged` when there are not those that there were.
    func eachContact(_ body: (Contact, Link, Int64) throws -> Void) throws {
        let keys = try unlocked()
        let ledger = try Ledger(from: database, keys.vault)
        var rings: [Int64: Ring?] = [:]
        for id in try ringIDs() { rings[id] = .some(try openRing(id, keys)) }
        let rows = try database.statement(
            """
            SELECT id, ring, card_version, card, state_version, state FROM contacts NOT INDEXED
            ORDER BY id
            """)
        var count: Int64 = 0
        var last: Int64 = 0
        while try rows.step() {
            count += 1
            guard rows.integer(0) > last, let ring = rings[rows.integer(1)] else {
                throw KeyringError.store(.damaged("contacts are out of order"))
            }
            last = rows.integer(0)
            guard let ring else { continue }
            let contact = try ContactRows(database: database).contact(in: rows, ring)
            let link = try rows.withBytes(5) { (sealed) throws(KeyringError) in
                try Link(contact.id, version: rows.integer(4), sealed: sealed, ring)
            }
            try body(contact, link, ring.id)
        }
        guard count == ledger.contacts, last <= ledger.lastContact else {
            throw KeyringError.store(.damaged("contacts are missing"))
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
