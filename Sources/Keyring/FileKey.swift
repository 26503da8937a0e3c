package import Crypto

/// The file key of an identity (smsenc(7), File keys): an X25519 secret key, 32 random bytes, that
/// never changes, since files have to stay readable.
package final class FileKey: Sendable {
    static let size = X25519.size

    let secret: SecretBytes

    init(_ secret: consuming SecretBytes) { self.secret = secret }

    /// Draws a new one.
    static func drawn() throws(KeyringError) -> FileKey {
        FileKey(try cryptography { () throws(CryptoError) in try Random.bytes(size) })
    }

    /// The key as an identity of age: `AGE-SECRET-KEY-1...`, 74 characters.
    package var identity: SecretBytes {
        secret.withSpan { Bech32.encoded($0, prefix: "age-secret-key-", capitals: true) }
    }

    /// What seals for it: `age1...`, 62 characters, no secret.
    package func recipient() throws(KeyringError) -> String {
        let key = try cryptography { () throws(CryptoError) in
            try X25519.publicKey(of: secret)
        }
        return Bech32.encoded(key.span, prefix: "age").withSpan { text in
            String(decoding: text.indices.map { text[$0] }, as: UTF8.self)
        }
    }
}

extension Keyring {
    /// The file key of the identity in force; drawn now for one that was made before there were any.
    ///
    /// - Throws: `moved`, `behind` when one would have to be drawn in a copy.
    package func fileKey() throws(KeyringError) -> FileKey {
        let keys = try unlocked()
        if let key = try fileKey(of: keys.ring.id, keys) { return key }
        try checkIsOriginal()
        return try commit { (keys, commit) throws(KeyringError) in
            let ring = keys.ring.id
            // Another process may have drawn one meanwhile.
            if let key = try fileKey(of: ring, keys) {
                commit.isNeeded = false
                return key
            }
            let key = try FileKey.drawn()
            let row = try ringRow(ring)
            guard try row.step() else {
                throw KeyringError.store(.damaged("an identity is missing"))
            }
            let version = row.integer(1)
            let old = RingRecord.share(of: row, keys.vault)
            let record = try RingRecord(in: row, keys.vault)
            row.reset()
            let changed = RingRecord(
                id: record.id, kind: record.kind, key: record.key.duplicate(), name: record.name,
                fileKey: key)
            try changed.write(
                to: database, keys.vault, version: version + 1, commit.ledger, instead: old)
            return key
        }
    }

    /// The file key of an identity; nil where none was drawn yet. A transient one has its from the start.
    func fileKey(of ring: Int64, _ keys: Keys) throws(KeyringError) -> FileKey? {
        let row = try ringRow(ring)
        guard try row.step() else { throw .store(.damaged("an identity is missing")) }
        defer { row.reset() }
        let record = try RingRecord(in: row, keys.vault)
        return record.kind == .transient ? keys.transients.fileKey(of: ring) : record.fileKey
    }
}
