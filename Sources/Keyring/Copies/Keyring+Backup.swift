internal import Crypto

/// A backup: text lines, enciphered.
///
///     line      what
///     1         smsenc-backup 1
///     2         the account as it is, in clear, in the keyring, base 64 (`Account`)
///     3 ...     a record each, sealed under the master key, base 64 (`BackupRecord`)
///
/// It holds names, numbers, identities with their file keys, and the tags of keys that were entered,
/// never chains: an old chain would use keys twice.
package enum Backup {
    static let magic = "smsenc-backup 1"

    /// What a record of a backup is tied to.
    static func place(_ account: [UInt8], _ line: Int64) -> Place {
        Place(backup: Digest.sha256(account), line: line)
    }

    static func sealer(_ master: borrowing SecretBytes) throws(KeyringError) -> Sealer {
        try .keyed(derive(from: master, "smsenc backup seal"))
    }
}

extension Keyring {
    /// Writes a backup, line by line. Transient identities are left out.
    ///
    /// - Throws: `damaged`, and what `line` throws.
    package func export(_ line: ([UInt8]) throws -> Void) throws {
        try readingAll { try exportState(line) }
    }

    private func exportState(_ line: ([UInt8]) throws -> Void) throws {
        let keys = try unlocked()
        let account = account.encoded
        try line(Array(Backup.magic.utf8))
        try line(Base64.encoded(account))
        let sealer = try Backup.sealer(keys.vault.master)
        var count: Int64 = 0
        func put(_ record: BackupRecord) throws {
            count += 1
            try line(
                Base64.encoded(
                    try sealer.seal(record.encoded(), at: Backup.place(account, count))))
        }
        let identities = try identities().filter { $0.kind != .transient }
        for identity in identities {
            try put(
                .identity(
                    identity.id, identity.kind, identity.name, fileKey(of: identity.id, keys)))
        }
        let exported = Set(identities.map(\.id))
        try eachContact { (contact, _, ring) in
            if exported.contains(ring) {
                try put(.contact(ring, contact.name, contact.number))
            }
        }
        try exportUsedKeys(put)
        try put(.end(count))
    }

    private func exportUsedKeys(_ put: (BackupRecord) throws -> Void) throws {
        var tags: [[UInt8]] = []
        let rows = try database.statement("SELECT tag FROM used_keys ORDER BY tag")
        while try rows.step() {
            tags.append(rows.bytes(0))
            if tags.count == BackupRecord.longestTags {
                try put(.usedKeys(tags))
                tags.removeAll()
            }
        }
        if !tags.isEmpty { try put(.usedKeys(tags)) }
    }
}
