internal import System

/// When the last backup was exported, and which contacts have changed since. Both stand in clear, so that `status` tells
/// them without the password, and nothing depends on them: whoever can write to the file can alter them.
extension Keyring {
    /// The time of the last second of the year 9999. The row is not sealed, so it may hold any number.
    private static let latestTime: Int64 = 253_402_300_799

    /// When the last backup was exported, in seconds since 1970; nil if none was.
    package func lastExport() throws(KeyringError) -> Int64? {
        let time = try database.statement("SELECT exported FROM backup").first { $0.integer(0) }
        guard let time, (1...Self.latestTime).contains(time) else { return nil }
        return time
    }

    /// How many contacts have changed since then: they were added, edited or removed, or have other settings, or the
    /// user has synchronised with them.
    package func changedContactCount() throws(KeyringError) -> Int64 {
        try database.statement("SELECT count(*) FROM changed_contacts").first { $0.integer(0) } ?? 0
    }

    /// Records that a backup was exported.
    ///
    /// - Parameter commits: the count of commits of the state that the backup contains.
    /// - Throws: `behind`, `noteMissing`, `full`, `failed` and their like.
    package func recordExport(of commits: UInt64) throws(KeyringError) {
        try commit { (transaction) throws(KeyringError) in
            try database.statement("DELETE FROM changed_contacts WHERE commits <= ?")
                .bind(Int64(bitPattern: commits)).run()
            try database.statement("REPLACE INTO backup (id, exported) VALUES (1, ?)")
                .bind(clocks.wall()).run()
        }
    }
}

extension Transaction {
    /// Records that the next backup will say something else of a contact.
    ///
    /// - Parameter isNew: true if no backup contains the contact.
    func recordChange(of contact: Int64, in ring: Ring, isNew: Bool = false) throws(KeyringError) {
        // No backup contains contacts of transient identities.
        guard keys.transients[ring.id] == nil else { return }
        try putChange(of: contact, isNew: isNew)
    }

    /// Records that a contact was removed. A contact that was in no backup is forgotten.
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

    /// Records that all contacts are as they are in a backup.
    func forgetChanges() throws(KeyringError) {
        try database.statement("DELETE FROM changed_contacts").run()
    }
}
