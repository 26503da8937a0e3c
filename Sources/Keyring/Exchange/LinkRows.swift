internal import Crypto
internal import Protocol
internal import System

/// The rows of one contact's link, within a transaction; what is written is counted in its ledger.
struct LinkRows {
    let database: Database
    let keys: Keyring.Keys
    let ring: Ring
    let ledger: Ledger
    let clocks: Clocks
    let mark: ProcessMark
    var hash: RowHash { keys.vault.rowHash }

    /// - Parameters:
    ///   - ledger: the transaction's.
    ///   - ring: the contact's, where it is not the ring in use.
    init(_ keyring: Keyring, _ keys: Keyring.Keys, _ ledger: Ledger, ring: Ring? = nil) {
        database = keyring.database
        self.keys = keys
        self.ledger = ledger
        self.ring = ring ?? keys.ring
        clocks = keyring.clocks
        mark = keyring.mark
    }

    /// A contact's link, or nil where the contact is gone.
    func link(_ contact: Int64) throws(KeyringError) -> Link? {
        try ContactRows(database: database).row(contact).first { (row) throws(KeyringError) in
            guard row.integer(1) == ring.id else {
                throw KeyringError.store(.damaged("a contact is another identity's"))
            }
            let place = Place(stateIn: row)
            let link = try Link(in: row, ring, at: place)
            link.share = row.share(7, place, hash)
            return link
        }
    }

    /// A contact's link.
    ///
    /// - Throws: `unknown` where the contact is gone.
    func link(of contact: Contact) throws(KeyringError) -> Link {
        guard let link = try link(contact.id) else { throw .contact(.unknown(contact.name)) }
        return link
    }

    /// Writes a link's record as its next version.
    func save(stateOf link: Link) throws(KeyringError) {
        link.version += 1
        let place = link.place(in: ring)
        let sealed = try link.sealed(ring, at: place)
        try database.statement("UPDATE contacts SET state_version = ?, state = ? WHERE id = ?")
            .bind(link.version).bind(sealed).bind(link.contact).run()
        guard database.changedRows == 1 else { throw .store(.damaged("a contact's row went away")) }
        let share = hash.share(place, sealed)
        ledger.contacts.exchange(link.share, for: share)
        link.share = share
    }

    /// Gives a contact another name and number.
    func update(_ contact: Contact, name: String, number: String?) throws(KeyringError) {
        let link = try link(of: contact)
        let old = try shares(contact.id).card
        link.cardVersion += 1
        let tags = ContactRows.Tags(
            name: ring.nameTag(name), number: number.map { ring.numberTag($0) })
        let place = Place(cardOf: contact.id, in: ring.id, tags, version: link.cardVersion)
        let card = try ring.sealer.seal(
            ContactCard.record(name: name, number: number), at: place)
        try database.statement(
            """
            UPDATE contacts SET name_tag = ?, number_tag = ?, card_version = ?, card = ?
            WHERE id = ?
            """
        )
        .bind(tags.name).bind(tags.number).bind(link.cardVersion).bind(card).bind(contact.id).run()
        ledger.contacts.exchange(old, for: hash.share(place, card))
        try save(stateOf: link)
    }

    /// Removes a contact with everything that is kept for it.
    func remove(_ contact: Int64) throws(KeyringError) {
        var (share, state) = try shares(contact)
        share += state
        try database.statement("DELETE FROM contacts WHERE id = ?").bind(contact).run()
        ledger.contacts.drop(share)
        try clear(contact)
    }

    /// Removes everything that is kept for a contact beside its record, which is to be saved.
    func clear(_ contact: Int64) throws(KeyringError) {
        try database.statement("DELETE FROM kept WHERE contact = ?").bind(contact).run()
        try database.statement("DELETE FROM retired WHERE contact = ?").bind(contact).run()
        let rows = try database.statement(
            "SELECT contact, number, process, record FROM unwritten WHERE contact = ?"
        ).bind(contact)
        while try rows.step() { ledger.transit.drop(unwrittenShare(rows)) }
        try database.statement("DELETE FROM unwritten WHERE contact = ?").bind(contact).run()
    }

    /// The share of a row of `contact, number, process, record` of unwritten.
    func unwrittenShare(_ row: Statement) -> RowSum {
        let place = Place(unwrittenOf: row.integer(0), row.integer(1), by: row.text(2))
        return row.share(3, place, hash)
    }

    private func shares(_ contact: Int64) throws(KeyringError) -> (card: RowSum, state: RowSum) {
        let shares = try ContactRows(database: database).row(contact).first {
            ContactRows.shares(of: $0, hash)
        }
        guard let shares else { throw .store(.damaged("a contact's row went away")) }
        return shares
    }

    /// Opens a sealed record of a row.
    func open(
        _ row: Statement, _ column: Int32, _ place: Place
    ) throws(KeyringError) -> SecretReader {
        SecretReader(try row.opened(column, ring.sealer, at: place))
    }
}

extension Place {
    init(keptOf contact: Int64, _ number: Int64) {
        self.init("kept", row: contact, number: number)
    }

    init(retiredOf contact: Int64, _ number: Int64, version: Int64) {
        self.init("retired", row: contact, number: number, version: version)
    }

    init(unwrittenOf contact: Int64, _ number: Int64, by process: String) {
        self.init("unwritten", row: contact, number: number, fields: [Array(process.utf8)])
    }

    init(flightsOf process: String) {
        self.init("flights", row: 0, fields: [Array(process.utf8)])
    }

    init(usedKey tag: [UInt8]) { self.init("used_keys", row: 0, fields: [tag]) }
}
