internal import Crypto
internal import System

/// The master key and the keys that are derived from it (smsenc-keyring(5), Keys). The master key consists of
/// 32 random bytes.
struct MasterKeys: ~Copyable {
    let master: SecretBytes
    /// Seals the records that belong to the whole keyring.
    let sealingKey: SealingKey
    /// Computes the hashes of used sync keys and offers. With these hashes, the keyring rejects a sync key or
    /// offer that was used before.
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
    /// Seals the records of the contacts.
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

/// The associated data of a sealed record. They ensure that the record cannot be opened if it was moved to
/// another place (smsenc-keyring(5), Sealed records).
struct AssociatedData {
    private(set) var bytes: [UInt8] = []

    /// Creates the associated data of a record in a keyring. They consist of the record's kind and id.
    init(_ name: RecordName) {
        bytes.append(name.kind.rawValue)
        append(name.id)
    }

    /// Creates the associated data of a line in a backup. The digest of the second line identifies the
    /// backup.
    init(backup digest: [UInt8], line: Int64) {
        bytes = Array("smsenc backup 3 ".utf8)
        append(line)
        bytes += digest
    }

    /// Creates the associated data of a keyring's wrapped master key.
    init(masterOf keyring: [UInt8]) { bytes = Array("smsenc keyring 1 master".utf8) + keyring }

    /// Creates the associated data of a session file. They consist of the file's header.
    init(session header: [UInt8]) { bytes = header }

    private mutating func append(_ integer: Int64) {
        unsafe withUnsafeBytes(of: integer.bigEndian) { unsafe bytes.append(contentsOf: $0) }
    }
}

extension SealingKey {
    func seal(
        _ record: borrowing SecretBytes, in context: AssociatedData
    ) throws(KeyringError) -> [UInt8] {
        try record.withSpan { (record) throws(KeyringError) in
            try cryptography(seal(record, associated: context.bytes.span))
        }
    }

    /// Opens a sealed record.
    ///
    /// - Throws: `damaged` if the record was altered, or was moved from another place.
    func open(_ sealed: Span<UInt8>, in context: AssociatedData) throws(KeyringError) -> SecretBytes
    {
        guard let record = try? open(sealed, associated: context.bytes.span) else {
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
