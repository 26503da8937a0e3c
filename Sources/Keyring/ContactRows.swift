internal import Primitives

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
