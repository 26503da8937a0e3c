internal import Crypto
internal import System

/// The row of a contact: tags, card, state. `LinkRows` writes the state again.
///
/// It is read as `id, ring, name_tag, number_tag, card_version, card, state_version, state`.
struct ContactRows {
    let database: Database

    /// The row of a contact, not stepped to yet.
    func row(_ id: Int64) throws(KeyringError) -> Statement {
        try database.statement(
            """
            SELECT id, ring, name_tag, number_tag, card_version, card, state_version, state
            FROM contacts WHERE id = ?
            """
        ).bind(id)
    }

    /// The rows of all contacts, whatever an index says.
    func all() throws(KeyringError) -> Statement {
        try database.statement(
            """
            SELECT id, ring, name_tag, number_tag, card_version, card, state_version, state
            FROM contacts NOT INDEXED ORDER BY id
            """)
    }

    /// What the card, and what the state in a row counts for in the ledger's sum.
    static func shares(of row: Statement, _ hash: RowHash) -> (card: RowSum, state: RowSum) {
        (row.share(5, Place(cardIn: row), hash), row.share(7, Place(stateIn: row), hash))
    }

    /// Puts a new contact in.
    func insert(
        _ link: Link, _ name: String, _ number: String?, _ ring: Ring, _ ledger: Ledger,
        _ hash: RowHash
    ) throws(KeyringError) {
        let tags = Tags(name: ring.nameTag(name), number: number.map { ring.numberTag($0) })
        let place = Place(cardOf: link.contact, in: ring.id, tags, version: link.cardVersion)
        let card = try ring.sealer.seal(
            ContactCard.record(name: name, number: number), at: place)
        let statePlace = link.place(in: ring)
        let state = try link.sealed(ring, at: statePlace)
        var share = hash.share(place, card)
        share += hash.share(statePlace, state)
        ledger.contacts.put(share)
        try database.statement(
            """
            INSERT INTO contacts (id, ring, name_tag, number_tag, card_version, card,
                state_version, state)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        .bind(link.contact).bind(ring.id).bind(tags.name).bind(tags.number)
        .bind(link.cardVersion).bind(card).bind(link.version).bind(state).run()
    }

    /// The contact with a name.
    ///
    /// - Throws: `damaged` when the row that is found for it is another's.
    func contact(named name: String, in ring: Ring) throws(KeyringError) -> Contact? {
        let found = try contact(
            in: ring, tagged: ring.nameTag(name),
            """
            SELECT id, ring, name_tag, number_tag, card_version, card FROM contacts
            WHERE name_tag = ?
            """)
        if let found, found.name != name { throw .store(.damaged("a contact has another's name")) }
        return found
    }

    /// The contact with a number.
    ///
    /// - Throws: `damaged` when the row that is found for it is another's.
    func contact(numbered number: String, in ring: Ring) throws(KeyringError) -> Contact? {
        let found = try contact(
            in: ring, tagged: ring.numberTag(number),
            """
            SELECT id, ring, name_tag, number_tag, card_version, card FROM contacts
            WHERE number_tag = ?
            """)
        if let found, found.number != number {
            throw .store(.damaged("a contact has another's number"))
        }
        return found
    }

    private func contact(
        in ring: Ring, tagged tag: [UInt8], _ query: StaticString
    ) throws(KeyringError) -> Contact? {
        try database.statement(query).bind(tag).first { (row) throws(KeyringError) in
            try contact(in: row, ring)
        }
    }

    /// The contact with an id.
    func contact(_ id: Int64, in ring: Ring) throws(KeyringError) -> Contact? {
        try row(id).first { (row) throws(KeyringError) in try contact(in: row, ring) }
    }

    /// Opens the card in a row.
    func contact(in row: Statement, _ ring: Ring) throws(KeyringError) -> Contact {
        guard row.integer(1) == ring.id else {
            throw .store(.damaged("a contact is another identity's"))
        }
        return try ContactCard.contact(
            row.integer(0), from: row.opened(5, ring.sealer, at: Place(cardIn: row)))
    }

    /// The tags by which a contact is found.
    struct Tags {
        let name: [UInt8]
        let number: [UInt8]?
    }
}

extension Place {
    /// The place of a card.
    init(
        cardOf contact: Int64, in ring: Int64, _ tags: ContactRows.Tags, version: Int64
    ) {
        self.init(
            "contacts.card", row: contact, number: ring, version: version,
            fields: [tags.name] + (tags.number.map { [$0] } ?? []))
    }

    /// The place of the card in a row of `id, ring, name_tag, number_tag, card_version`.
    init(cardIn row: Statement) {
        let tags = ContactRows.Tags(name: row.bytes(2), number: row.isNull(3) ? nil : row.bytes(3))
        self.init(cardOf: row.integer(0), in: row.integer(1), tags, version: row.integer(4))
    }

    /// The place of a state, which belongs with one version of the card.
    init(
        stateOf contact: Int64, in ring: Int64, version: Int64, withCard cardVersion: Int64
    ) {
        self.init("contacts.state", row: contact, number: ring, version: version)
        append(Int64(MemoryLayout<Int64>.size))
        append(cardVersion)
    }

    /// The place of the state in a row of `ContactRows`.
    init(stateIn row: Statement) {
        self.init(
            stateOf: row.integer(0), in: row.integer(1), version: row.integer(6),
            withCard: row.integer(4))
    }
}

extension Ring {
    /// The tags by which a contact is found.
    func nameTag(_ name: String) -> [UInt8] { tag("name", of: Array(name.utf8)) }
    func numberTag(_ number: String) -> [UInt8] { tag("number", of: Array(number.utf8)) }
}
