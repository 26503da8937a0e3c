internal import Crypto
internal import System

/// A backup, which consists of lines of text (smsenc-keyring(5), Backup).
///
///     line      content
///     1         smsenc-backup 3
///     2         base 64 of 16 random bytes and the account, unencrypted as in the keyring (`Account`)
///     3 ...     base 64 of a record, sealed under a key derived from the master key (`BackupRecord`)
///
/// A backup contains names, numbers, identities with their file keys, and the hashes of used sync keys and
/// offers. A backup contains no chains, because the keys of a restored chain would be used twice.
package enum Backup {
    private static let name = "smsenc-backup "
    static let magic = name + "3"
    /// Number of random bytes in a backup. Because of the random bytes, two backups of the same keyring are
    /// never equal.
    static let saltSize = 16

    /// Returns true if `beginning` is the beginning of a backup of this or another version.
    package static func isBackup(_ beginning: [UInt8]) -> Bool { beginning.starts(with: name.utf8) }

    static func sealingKey(_ master: borrowing SecretBytes) -> SealingKey {
        SealingKey(key: derive(from: master, "smsenc backup seal"))
    }

    /// Returns the associated data of a record. The associated data contain a digest of the backup's decoded
    /// second line, and the number of the record.
    static func context(_ head: [UInt8], _ line: Int64) -> [UInt8] {
        Array("smsenc backup 3 ".utf8) + Array(bigEndian: line) + Digest.sha256(head)
    }
}

extension Keyring {
    /// Exports a backup. Calls `line` with each line of the backup. Omits transient identities.
    ///
    /// - Throws: `damaged`, and the errors of `line`.
    package func export(
        _ line: ([UInt8]) throws(KeyringError) -> Void
    ) throws(KeyringError) {
        try reading { (store) throws(KeyringError) in
            try store.checkCanBeRead()
            let head = try randomBytes(Backup.saltSize) + account.record
            try line(Array(Backup.magic.utf8))
            try line(Base64.encoded(head))
            let sealingKey = Backup.sealingKey(store.keyring.masterKeys.master)
            var count: Int64 = 0
            func write(_ record: BackupRecord) throws(KeyringError) {
                count += 1
                let context = Backup.context(head, count)
                try line(Base64.encoded(sealingKey.seal(record.encoded(), in: context)))
            }
            for record in try store.identities.openRecords() where record.kind != .transient {
                try write(.identity(record.identity, record.fileKey))
                try store.contacts(in: record.ring).forEachState {
                    (contact, state) throws(KeyringError) in
                    try write(.contact(record.id, contact, getsReceipts: state.getsReceipts))
                }
            }
            for id in store.ids(of: .usedKeys) {
                try write(.usedKeys(try store.usedKeys.hashes(id)))
            }
            try write(.end)
        }
    }

    /// Records that a backup was exported.
    ///
    /// - Throws: `behind`, `noteMissing`, `diskFull`, `failed` and similar errors.
    package func recordExport() throws(KeyringError) {
        try change { (store) in store.header.lastBackup = max(1, clocks.wall()) }
    }

    /// Returns the time of the last backup in seconds since 1970, or nil if there was no backup.
    package func lastBackup() throws(KeyringError) -> Int64? {
        try reading { (store) in store.header.lastBackup == 0 ? nil : store.header.lastBackup }
    }
}
