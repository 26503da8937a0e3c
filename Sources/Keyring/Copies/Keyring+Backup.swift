internal import Crypto
internal import System

/// A backup, which consists of lines of text (smsenc-keyring(5), Backup).
///
///     line      what
///     1         smsenc-backup 2
///     2         base 64 of 16 random bytes and the account, unencrypted as in the keyring (`Account`)
///     3 ...     base 64 of a record, sealed under a key derived from the master key (`BackupRecord`)
///
/// A backup contains names, numbers, identities with their file keys, and the tags of used keys and offers. A
/// backup contains no chains, because the keys of a restored chain would be used twice.
package enum Backup {
    private static let name = "smsenc-backup "
    static let magic = name + "2"
    /// Number of random bytes in a backup. These bytes make each backup different, even backups of the same
    /// keyring.
    static let saltSize = 16

    /// Returns true for the beginning of a backup of this or another version.
    package static func isBackup(_ beginning: [UInt8]) -> Bool { beginning.starts(with: name.utf8) }

    static func sealingKey(_ master: borrowing SecretBytes) -> SealingKey {
        SealingKey(key: derive(from: master, "smsenc backup seal"))
    }

    /// Returns the associated data of a record: a digest of the decoded second line, and the record's line
    /// number.
    static func context(_ head: [UInt8], _ line: Int64) -> AssociatedData {
        AssociatedData(backup: Digest.sha256(head), line: line)
    }
}

extension Keyring {
    /// Exports a backup, and passes each line of it to `line`. Transient identities are omitted.
    ///
    /// - Throws: `damaged`, and the errors of `line`.
    package func export(_ line: ([UInt8]) throws(KeyringError) -> Void) throws(KeyringError) {
        try reading { (store) throws(KeyringError) in
            try store.verify()
            let head = try randomBytes(Backup.saltSize) + account.record
            try line(Array(Backup.magic.utf8))
            try line(Base64.encoded(head))
            let sealingKey = Backup.sealingKey(store.keys.masterKeys.master)
            var count: Int64 = 0
            func write(_ record: BackupRecord) throws(KeyringError) {
                count += 1
                let context = Backup.context(head, count)
                try line(Base64.encoded(sealingKey.seal(record.encoded(), in: context)))
            }
            let identities = try store.identities.records().filter { $0.kind != .transient }
            for identity in identities {
                try write(.identity(identity.id, identity.kind, identity.name, identity.fileKey))
            }
            let exported = Set(identities.map { $0.id })
            try Verification(store).everything { (contact, state) throws(KeyringError) in
                if exported.contains(state.ring.id) {
                    let record = BackupRecord.contact(
                        state.ring.id, contact.name, contact.number,
                        getsReceipts: state.getsReceipts)
                    try write(record)
                }
            }
            var tags: [[UInt8]] = []
            try store.forEachRow(.usedKey) { (stored) throws(KeyringError) in
                tags.append(stored.row.tag)
                if tags.count == BackupRecord.longestTags {
                    try write(.usedKeys(tags))
                    tags.removeAll()
                }
            }
            if !tags.isEmpty { try write(.usedKeys(tags)) }
            try write(.end)
        }
    }

    /// Records that a complete backup is on the disk.
    ///
    /// - Throws: `behind`, `noteMissing`, `diskFull`, `failed` and similar errors.
    package func recordExport() throws(KeyringError) {
        try change { (_) throws(KeyringError) in
            try database.statement("REPLACE INTO backup (id, exported) VALUES (1, ?)")
                .bind(clocks.wall()).run()
        }
    }

    /// Returns the time of the last backup in seconds since 1970, or nil if there was no backup.
    package func lastExport() throws(KeyringError) -> Int64? {
        let time = try database.statement("SELECT exported FROM backup").first { $0.integer(0) }
        guard let time, (1...Self.latestTime).contains(time) else { return nil }
        return time
    }

    /// The last second of the year 9999.
    private static let latestTime: Int64 = 253_402_300_799
}
