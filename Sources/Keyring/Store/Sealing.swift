internal import Crypto
internal import System

/// The master key and the keys that are derived from it (smsenc-keyring(5), Keys). The master key consists of
/// 32 random bytes.
struct MasterKeys: ~Copyable {
    let master: SecretBytes
    /// Seals the records that belong to the whole keyring.
    let sealingKey: SealingKey
    /// Computes the hashes of used sync keys and offers. By these hashes, the keyring rejects a sync key
    /// or offer that was used before.
    let usedKeyHash: KeyedHash
    /// Computes the hashes that `Keyring.hash` returns.
    let textHash: KeyedHash

    init(master: consuming SecretBytes) {
        sealingKey = SealingKey(key: derive(from: master, "smsenc keyring seal"))
        usedKeyHash = KeyedHash(derive(from: master, "smsenc keyring used keys"))
        textHash = KeyedHash(derive(from: master, "smsenc keyring texts"))
        self.master = master
    }
}

/// The keys of a ring, which contains the contacts of one identity.
final class Ring {
    /// The id of the identity.
    let id: Int64
    let key: SecretBytes
    /// Seals the records of the contacts in this ring.
    let sealingKey: SealingKey
    /// Computes the hashes of messages that were read.
    let readMessageHash: KeyedHash

    init(id: Int64, key: consuming SecretBytes) {
        self.id = id
        sealingKey = SealingKey(key: derive(from: key, "smsenc ring seal"))
        readMessageHash = KeyedHash(derive(from: key, "smsenc ring read messages"))
        self.key = key
    }
}

extension SealingKey {
    /// Seals a record. The associated data ensures that the record cannot be opened if it was moved to
    /// another place (smsenc-keyring(5), Sealed records).
    func seal(
        _ record: borrowing SecretBytes, in context: [UInt8]
    ) throws(KeyringError) -> [UInt8] {
        try record.withSpan { (record) throws(KeyringError) in
            try cryptography(seal(record, associated: context.span))
        }
    }

    /// Opens a sealed record.
    ///
    /// - Throws: `damaged` if the record was altered, or was moved from another place.
    func open(_ sealed: Span<UInt8>, in context: [UInt8]) throws(KeyringError) -> SecretBytes {
        guard let record = try? open(sealed, associated: context.span) else {
            throw .store(.damaged("a record was altered"))
        }
        return record
    }
}

/// Returns H(key, label), where H is HMAC-SHA-256.
func derive(from key: borrowing SecretBytes, _ label: StaticString) -> SecretBytes {
    var mac = MAC()
    mac.setKey(key)
    mac.update(label)
    return mac.finish()
}

/// HMAC-SHA-256 with a fixed key.
final class KeyedHash {
    private var mac = MAC()

    init(_ key: borrowing SecretBytes) { mac.setKey(key) }

    /// Returns the first 16 bytes of H(key, label ‖ bytes) as a big-endian number.
    func value(_ label: StaticString, _ bytes: Span<UInt8>) -> UInt128 {
        mac.update(label)
        mac.update(bytes)
        return mac.finish().high
    }
}

/// Returns `count` random bytes that are secret.
func randomSecret(_ count: Int) throws(KeyringError) -> SecretBytes {
    try cryptography(Random.bytes(count))
}

/// Returns `count` random bytes that are not secret.
func randomBytes(_ count: Int) throws(KeyringError) -> [UInt8] {
    try randomSecret(count).withSpan { Array(copying: $0) }
}

/// Evaluates an expression, and converts a `CryptoError` to a `KeyringError`.
func cryptography<Result: ~Copyable>(
    _ body: @autoclosure () throws(CryptoError) -> Result
) throws(KeyringError) -> Result {
    do throws(CryptoError) { return try body() } catch { throw .cryptography(error) }
}

/// Returns a random 62-bit id for a contact, an identity or another record.
func randomID() throws(KeyringError) -> Int64 {
    Int64(bigEndian(try randomBytes(8)) >> 2)
}
