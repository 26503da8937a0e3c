package import Crypto
internal import System

/// The file key of an identity (smsenc(7), File keys): an X25519 secret key, 32 random bytes, that
/// never changes, since files have to stay readable.
package final class FileKey: Sendable {
    static let size = X25519.size

    let secret: SecretBytes

    init(_ secret: consuming SecretBytes) { self.secret = secret }

    /// Draws a new one.
    static func drawn() throws(KeyringError) -> FileKey { FileKey(try randomSecret(size)) }

    /// The key as an identity of age: `AGE-SECRET-KEY-1...`, 74 characters.
    package var identity: SecretBytes {
        secret.withSpan { Bech32.encoded($0, prefix: "age-secret-key-", capitals: true) }
    }

    /// What seals for it: `age1...`, 62 characters, no secret.
    package var recipient: String {
        Bech32.encoded(X25519.publicKey(of: secret).span, prefix: "age").withSpan {
            String(decoding: Array(copying: $0), as: UTF8.self)
        }
    }
}

extension Keyring {
    /// The file key of the identity in force; drawn now for one that was made before there were any.
    ///
    /// - Throws: `moved`, `behind` when one would have to be drawn in a copy.
    package func fileKey() throws(KeyringError) -> FileKey {
        let found = try reading { (transaction) throws(KeyringError) in
            try transaction.fileKey(of: transaction.keys.ring.id)
        }
        if let found { return found }
        return try commit(for: .use) { (transaction) throws(KeyringError) in
            let ring = transaction.keys.ring.id
            // Another process may have drawn one meanwhile.
            if let key = try transaction.fileKey(of: ring) {
                transaction.isNeeded = false
                return key
            }
            let key = try FileKey.drawn()
            let record = try transaction.ringRecord(ring)
            record.fileKey = key
            try transaction.put(record)
            return key
        }
    }
}

extension Transaction {
    /// The file key of an identity; nil where none was drawn yet. A transient one has its from the start.
    func fileKey(of ring: Int64) throws(KeyringError) -> FileKey? {
        let record = try ringRecord(ring)
        return record.kind == .transient ? keys.transients[ring]?.fileKey : record.fileKey
    }
}
