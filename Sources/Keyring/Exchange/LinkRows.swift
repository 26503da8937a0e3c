internal import Crypto
internal import Protocol
internal import System

/// The rows of one contact's link, within a transaction.
struct LinkRows {
    let database: Database
    let keys: Keyring.Keys
    let ring: Ring
    let clocks: Clocks
    let mark: ProcessMark

    /// - Parameter ring: the contact's, where it is not the ring in use.
    init(_ keyring: Keyring, _ keys: Keyring.Keys, ring: Ring? = nil) {
        database = keyring.database
        self.keys = keys
        self.ring = ring ?? keys.ring
        clocks = keyring.clocks
        mark = keyring.mark
    }

    /// A contact's link, or nil where the contact is gone.
    func link(_ contact: Int64) throws(KeyringError) -> Link? {
        try database.statement("SELECT state_version, state FROM contacts WHERE id = ?")
            .bind(contact).first { (row) throws(KeyringError) in
                try row.withBytes(1) { (sealed) throws(KeyringError) in
                    try Link(contact, version: row.integer(0), sealed: sealed, ring)
                }
            }
    }

    /// Writes a link's record as its next version.
    func save(stateOf link: Link) throws(KeyringError) {
        link.version += 1
        try database.statement("UPDATE contacts SET state_version = ?, state = ? WHERE id = ?")
            .bind(link.version).bind(try link.sealed(ring)).bind(link.contact).run()
        guard database.changedRows == 1 else { throw .store(.damaged("a contact's row went away")) }
    }

    /// Removes everything that is kept for a contact beside its record.
    func clear(_ contact: Int64) throws(KeyringError) {
        try database.statement("DELETE FROM kept WHERE contact = ?").bind(contact).run()
        try database.statement("DELETE FROM retired WHERE contact = ?").bind(contact).run()
        try database.statement("DELETE FROM unwritten WHERE contact = ?").bind(contact).run()
    }

    /// Opens a sealed record of a row.
    func open(
        _ row: Statement, _ column: Int32, _ place: Place
    ) throws(KeyringError) -> SecretReader {
        SecretReader(
            try row.withBytes(column) { (sealed) throws(KeyringError) in
                try ring.sealer.open(sealed, at: place)
            })
    }
}
