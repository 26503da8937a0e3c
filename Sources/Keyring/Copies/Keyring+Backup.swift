internal import Crypto

/// A backup: lines of text (smsenc-keyring(5), Backup).
///
///     line      what
///     1         smsenc-backup 2
///     2         base 64 of 16 random bytes and the account, in clear as in the keyring (`Account`)
///     3 ...     base 64 of a record each, sealed under a key derived from the master key (`BackupRecord`)
///
/// It contains names, numbers, identities with their file keys, and the tags of used keys and offers. It
/// contains no chains, because an old chain would use keys twice.
enum Backup {
    static let magic = "smsenc-backup 2"
    /// Number of random bytes that make each backup different, even backups of the same keyring.
    static let saltSize = 16

    static func sealer(_ master: borrowing SecretBytes) -> SealingKey {
        SealingKey(key: derive(from: master, "smsenc backup seal"))
    }

    /// Returns the associated data of a record: a digest of the decoded second line, and the record's line
    /// number.
    static func context(_ head: [UInt8], _ line: Int64) -> AssociatedData {
        AssociatedData(backup: Digest.sha256(head), line: line)
    }
}

extension Keyring {
    /// Passes each line of a backup to `line`. Transient identities are left out.
    ///
    /// - Returns: the count of commits of the state that the backup contains.
    /// - Throws: `damaged`, and the errors of `line`.
    @discardableResult
    package func export(
        _ line: ([UInt8]) throws(KeyringError) -> Void
    ) throws(KeyringError) -> UInt64 {
        try reading { (store) throws(KeyringError) in
            try store.verify()
            let head = try randomBytes(Backup.saltSize) + account.record
            try line(Array(Backup.magic.utf8))
            try line(Base64.encoded(head))
            let sealer = Backup.sealer(store.keys.vault.master)
            var count: Int64 = 0
            func put(_ record: BackupRecord) throws(KeyringError) {
                count += 1
                let context = Backup.context(head, count)
                try line(Base64.encoded(sealer.seal(record.encoded(), in: context)))
            }
            let identities = try store.ringRecords().filter { $0.kind != .transient }
            for identity in identities {
                try put(.identity(identity.id, identity.kind, identity.name, identity.fileKey))
            }
            let exported = Set(identities.map { $0.id })
            try Verification(store).everything { (contact, link) throws(KeyringError) in
                if exported.contains(link.ring.id) {
                    let record = BackupRecord.contact(
                        link.ring.id, contact.name, contact.number,
                        getsReceipts: link.getsReceipts)
                    try put(record)
                }
            }
            var tags: [[UInt8]] = []
            let cursor = try store.rows(.usedKey)
            while let stored = try cursor.next() {
                tags.append(stored.row.tag(0) ?? [])
                if tags.count == BackupRecord.longestTags {
                    try put(.usedKeys(tags))
                    tags.removeAll()
                }
            }
            if !tags.isEmpty { try put(.usedKeys(tags)) }
            try put(.end)
            return store.ledger.commits
        }
    }
}
