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
    /// The file key of the identity in force.
    package func fileKey() throws(KeyringError) -> FileKey {
        try reading { (transaction) throws(KeyringError) in
            try transaction.heldRecord(transaction.keys.ring.id).fileKey
        }
    }
}
