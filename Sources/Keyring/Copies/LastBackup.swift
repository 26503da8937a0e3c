internal import System

/// The time of the last backup, and the contacts changed since. Both are stored unencrypted, so that `status`
/// can show them without the password. The tools rely on neither, because anybody who can write to the file
/// can change them.
extension KeyringFile {
    /// The last second of the year 9999. Later times are invalid, since the row is not sealed and may contain
    /// any number.
    private static let latestTime: Int64 = 253_402_300_799

    /// Returns the time of the last backup in seconds since 1970, or nil if there was none.
    package func lastExport() throws(KeyringError) -> Int64? {
        let time = try database.statement("SELECT exported FROM backup").first { $0.integer(0) }
        guard let time, (1...Self.latestTime).contains(time) else { return nil }
        return time
    }

    /// Returns the number of contacts that have changed since the last backup: contacts that were added,
    /// edited or removed, whose settings were changed, or with whom the user has synchronised.
    package func changedContactCount() throws(KeyringError) -> Int64 {
        try database.statement("SELECT count(*) FROM changed_contacts").first { $0.integer(0) } ?? 0
    }
}

extension Keyring {
    /// Records that a backup was exported.
    ///
    /// - Parameter commits: the count of commits of the state that the backup contains.
    /// - Throws: `behind`, `noteMissing`, `full`, `failed` and similar.
    package func recordExport(of commits: UInt64) throws(KeyringError) {
        try change { (store) throws(KeyringError) in
            try database.statement("DELETE FROM changed_contacts WHERE commits <= ?")
                .bind(Int64(bitPattern: commits)).run()
            try database.statement("REPLACE INTO backup (id, exported) VALUES (1, ?)")
                .bind(clocks.wall()).run()
        }
    }
}

extension KeyringStore {
    /// Records that a contact has changed since the last backup.
    ///
    /// - Parameter isNew: true if no backup contains the contact.
    func recordChange(of contact: Int64, in ring: Ring, isNew: Bool = false) throws(KeyringError) {
        // No backup contains contacts of transient identities.
        guard keys.transients[ring.id] == nil else { return }
        try putChange(of: contact, isNew: isNew)
    }

    /// Records that a contact was removed. Deletes the row of a contact that no backup contains.
    func recordRemoval(of contact: Int64) throws(KeyringError) {
        try database.statement("DELETE FROM changed_contacts WHERE contact = ? AND is_new = 1")
            .bind(contact).run()
        if database.changedRows == 0 { try putChange(of: contact, isNew: false) }
    }

    private func putChange(of contact: Int64, isNew: Bool) throws(KeyringError) {
        try database.statement(
            """
            INSERT INTO changed_contacts (contact, commits, is_new) VALUES (?, ?, ?)
                ON CONFLICT (contact) DO UPDATE SET commits = excluded.commits
            """
        ).bind(contact).bind(Int64(bitPattern: ledger.commits + 1)).bind(isNew ? 1 : 0).run()
    }

    /// Records that no contact has changed since the last backup.
    func clearRecordedChanges() throws(KeyringError) {
        try database.statement("DELETE FROM changed_contacts").run()
    }
}
