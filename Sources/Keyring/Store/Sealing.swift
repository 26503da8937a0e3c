internal import Crypto
internal import System

/// The master key, which consists of 32 random bytes, and the keys that are derived from it
/// (smsenc-keyring(5), Keys).
struct MasterKeys: ~Copyable {
    let master: SecretBytes
    /// Seals the keyring header, the rings, and the rows of keys in flight.
    let sealingKey: SealingKey
    /// Computes the tags of sync keys and offers that were used, so that none is accepted twice.
    let usedKeyHash: KeyedHash
    let rowHashKey: KeyedHash

    init(master: consuming SecretBytes) {
        sealingKey = SealingKey(key: derive(from: master, "smsenc keyring seal"))
        usedKeyHash = KeyedHash(derive(from: master, "smsenc keyring used keys"))
        rowHashKey = KeyedHash(derive(from: master, "smsenc keyring rows"))
        self.master = master
    }
}

/// The keys of one ring of contacts.
final class Ring {
    let id: Int64
    let key: SecretBytes
    let sealingKey: SealingKey
    /// Computes the tags by which contacts are found.
    let hash: KeyedHash
    let readMessageHash: ReadMessageHash

    init(id: Int64, key: consuming SecretBytes) {
        self.id = id
        sealingKey = SealingKey(key: derive(from: key, "smsenc ring seal"))
        hash = KeyedHash(derive(from: key, "smsenc ring tags"))
        readMessageHash = ReadMessageHash(point: bigEndian(hash.tag("read", Span())[..<8]))
        self.key = key
    }
}

/// The associated data of a sealed record, which ensure that the record can be opened only in its own place
/// (smsenc-keyring(5), Sealed records).
struct AssociatedData {
    private(set) var bytes: [UInt8] = []

    /// Creates the associated data of a row's record. The input of `rowHash` fits in one block of SHA-256 if
    /// the row has no fields.
    ///
    /// - Parameters:
    ///   - kind: the kind of row.
    ///   - fields: columns of bytes. Each column is preceded by its length, so that different rows have
    ///     different associated data.
    init(
        _ kind: RowKind, row: Int64, number: Int64, version: Int64, _ fields: [[UInt8]?]
    ) {
        bytes.reserveCapacity(96)
        bytes.append(kind.rawValue)
        append(row)
        append(number)
        append(version)
        for case let field? in fields {
            append(Int64(field.count))
            bytes += field
        }
    }

    /// Creates the associated data of a line in a backup. The digest of the second line identifies the
    /// backup.
    init(backup digest: [UInt8], line: Int64) {
        bytes = Array("smsenc backup 2 ".utf8)
        append(line)
        bytes += digest
    }

    /// Creates the associated data of a keyring's wrapped master key.
    init(masterOf keyring: [UInt8]) { bytes = Array("smsenc keyring 1 master".utf8) + keyring }

    /// Creates the associated data of a session's file, which are the header of the file.
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
    /// - Throws: `damaged` if the record was altered or belongs elsewhere.
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

    /// Returns the first 16 bytes of H(key, label ‖ bytes).
    func tag(_ label: StaticString, _ bytes: Span<UInt8>) -> [UInt8] {
        mac.update(label)
        mac.update(bytes)
        return mac.finish().withSpan { Array(copying: $0.extracting(..<16)) }
    }

    /// Returns the hash of a row that is used in sums: H(key, associated data ‖ nonce ‖ tag). The nonce and
    /// the tag represent the whole record, because an altered record cannot be opened with the same nonce and
    /// tag.
    func rowHash(_ context: AssociatedData, _ sealed: Span<UInt8>) -> MultisetHash {
        mac.update(context.bytes.span)
        if sealed.count >= SealingKey.overhead {
            mac.update(sealed.extracting(..<SealingKey.nonceSize))
            mac.update(sealed.extracting((sealed.count - SealingKey.tagSize)...))
        } else {
            mac.update(sealed)
        }
        let (high, low) = mac.finish()
        return MultisetHash(high: high, low: low)
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

/// Evaluates an expression that needs random numbers or scrypt, and converts its errors.
func cryptography<Result: ~Copyable>(
    _ body: @autoclosure () throws(CryptoError) -> Result
) throws(KeyringError) -> Result {
    do throws(CryptoError) { return try body() } catch { throw .cryptography(error) }
}
