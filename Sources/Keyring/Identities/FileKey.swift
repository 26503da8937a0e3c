package import Crypto
internal import System

/// The file key of an identity, which is an X25519 secret key (smsenc-protocol(7), File keys). The file key
/// never changes, because old files must remain readable.
package final class FileKey: Sendable {
    static let size = X25519.size

    let secret: SecretBytes

    init(_ secret: consuming SecretBytes) { self.secret = secret }

    /// Generates a file key.
    static func drawn() throws(KeyringError) -> FileKey { FileKey(try randomSecret(size)) }

    /// The secret key as an age identity. It has 74 characters, and begins with `AGE-SECRET-KEY-1`.
    package var identity: SecretBytes {
        secret.withSpan { Bech32.encoded($0, prefix: "age-secret-key-", capitals: true) }
    }

    /// The public key as an age recipient. It has 62 characters, and begins with `age1`. It is not secret.
    package var recipient: String {
        Bech32.encoded(X25519.publicKey(of: secret).span, prefix: "age").withSpan {
            String(decoding: Array(copying: $0), as: UTF8.self)
        }
    }
}
