internal import Crypto

/// The row of a contact: tags, card, state.
struct ContactRows {
    let database: Database

    /// Puts a new contact in.
    func insert(
        _ link: Link, _ name: String, _ number: String?, _ ring: Ring
    ) throws(KeyringError) {
        let id = link.contact
        let card = try ring.sealer.seal(
            ContactCard.record(name: name, number: number),
            at: Place("contacts.card", row: id, version: 1))
        try database.statement(
            """
            INSERT INTO contacts (id, ring, name_tag, number_tag, card_version, card,
                state_version, state)
            VALUES (?, ?, ?, ?, 1, ?, ?, ?)
            """
        )
        .bind(id).bind(ring.id).bind(ring.nameTag(name)).bind(number.map { ring.numberTag($0) })
        .bind(card).bind(link.version).bind(try link.sealed(ring)).run()
    }

    /// A column of tags.
    enum Tag {
        case name
        case number

        fileprivate var query: StaticString {
            switch self {
            case .name: "SELECT id, ring, card_version, card FROM contacts WHERE name_tag = ?"
            case .number: "SELECT id, ring, card_version, card FROM contacts WHERE number_tag = ?"
            }
        }
    }

    /// The contact with a tag.
    func contact(tagged tag: [UInt8], _ column: Tag, in ring: Ring) throws(KeyringError) -> Contact?
    {
        try database.statement(column.query).bind(tag).first { (row) throws(KeyringError) in
            try contact(in: row, ring)
        }
    }

    /// The contact with an id.
    func contact(_ id: Int64, in ring: Ring) throws(KeyringError) -> Contact? {
        try database.statement("SELECT id, ring, card_version, card FROM contacts WHERE id = ?")
            .bind(id).first { (row) throws(KeyringError) in try contact(in: row, ring) }
    }

    /// Gives a contact another name and number.
    func update(
        _ contact: Contact, name: String, number: String?, in ring: Ring
    ) throws(KeyringError) {
        let version = try database.statement("SELECT card_version FROM contacts WHERE id = ?")
            .bind(contact.id).first { $0.integer(0) }
        guard let version else { throw .contact(.unknown(contact.name)) }
        let next = version &+ 1
        let card = try ring.sealer.seal(
            ContactCard.record(name: name, number: number),
            at: Place("contacts.card", row: contact.id, version: next))
        try database.statement(
            """
            UPDATE contacts SET name_tag = ?, number_tag = ?, card_version = ?, card = ?
            WHERE id = ?
            """
        )
        .bind(ring.nameTag(name)).bind(number.map { ring.numberTag($0) }).bind(next)
        .bind(card).bind(contact.id).run()
    }

    /// Opens a row of `id, ring, card_version, card`.
    func contact(in row: Statement, _ ring: Ring) throws(KeyringError) -> Contact {
        let id = row.integer(0)
        let place = Place("contacts.card", row: id, version: row.integer(2))
        let record = try row.withBytes(3) { (sealed) throws(KeyringError) in
            try ring.sealer.open(sealed, at: place)
        }
        return try ContactCard.contact(id, from: record)
    }
}

extension Ring {
    /// The tags by which a contact is found.
    func nameTag(_ name: String) -> [UInt8] { tag("name", of: Array(name.utf8)) }
    func numberTag(_ number: String) -> [UInt8] { tag("number", of: Array(number.utf8)) }
}
