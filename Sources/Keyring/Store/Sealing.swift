internal import Crypto
internal import System

/// The keys of an unlocked keyring: everything hangs on the master key, 32 random bytes.
struct Vault: ~Copyable {
    let master: SecretBytes
    /// Seals the ledger and the rings.
    let sealer: Sealer
    /// Gives contacts' sync keys their tags, so that none is taken twice.
    let usedKeys: KeyedHash
    let rowHash: KeyedHash

    init(master: consuming SecretBytes) {
        sealer = Sealer(key: derive(from: master, "smsenc keyring seal"))
        usedKeys = KeyedHash(derive(from: master, "smsenc keyring used keys"))
        rowHash = KeyedHash(derive(from: master, "smsenc keyring rows"))
        self.master = master
    }
}

/// The keys of one ring of contacts.
final class Ring {
    let id: Int64
    let key: SecretBytes
    let sealer: Sealer
    /// Gives contacts the tags by which they are found.
    let hash: KeyedHash
    let readMessageHash: ReadMessageHash

    init(id: Int64, key: consuming SecretBytes) {
        self.id = id
        sealer = Sealer(key: derive(from: key, "smsenc ring seal"))
        hash = KeyedHash(derive(from: key, "smsenc ring tags"))
        readMessageHash = ReadMessageHash(point: bigEndian(hash.tag("read", Span())[..<8]))
        self.key = key
    }
}

/// What a sealed record is tied to, so that it opens nowhere else (smsenc-keyring(5), Sealed records).
struct SealContext {
    private(set) var bytes: [UInt8] = []

    /// - Parameters:
    ///   - kind: of row. Without fields, a context and what tells a record from others fit into one block
    ///     of SHA-256.
    ///   - fields: columns of bytes; with their lengths, so that no two rows have one context.
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

    /// That of a line in a backup, which the digest of its head tells from other backups.
    init(backup digest: [UInt8], line: Int64) {
        bytes = Array("smsenc backup 2 ".utf8)
        append(line)
        bytes += digest
    }

    /// That of the wrapped master key of one keyring.
    init(masterOf keyring: [UInt8]) { bytes = Array("smsenc keyring 1 master".utf8) + keyring }

    /// That of a session's file, by what precedes it there.
    init(session header: [UInt8]) { bytes = header }

    private mutating func append(_ integer: Int64) {
        unsafe withUnsafeBytes(of: integer.bigEndian) { unsafe bytes.append(contentsOf: $0) }
    }
}

extension Sealer {
    func seal(
        _ record: borrowing SecretBytes, in context: SealContext
    ) throws(KeyringError) -> [UInt8] {
        try record.withSpan { (record) throws(KeyringError) in
            try cryptography(seal(record, associated: context.bytes.span))
        }
    }

    /// - Throws: `damaged` when the record was altered, or stood elsewhere.
    func open(_ sealed: Span<UInt8>, in context: SealContext) throws(KeyringError) -> SecretBytes {
        guard let record = try? open(sealed, associated: context.bytes.span) else {
            throw .store(.damaged("a record was altered"))
        }
        return record
    }
}

/// H(key, label).
func derive(from key: borrowing SecretBytes, _ label: StaticString) -> SecretBytes {
    var mac = MAC()
    mac.setKey(key)
    mac.update(label)
    return mac.finish()
}

/// H with a key that is set once.
final class KeyedHash {
    private var mac = MAC()

    init(_ key: borrowing SecretBytes) { mac.setKey(key) }

    /// The first 16 bytes of H(key, label ‖ bytes).
    func tag(_ label: StaticString, _ bytes: Span<UInt8>) -> [UInt8] {
        mac.update(label)
        mac.update(bytes)
        return mac.finish().withSpan { Array(copying: $0.extracting(..<16)) }
    }

    /// The weight of a row: H(key, context || nonce || tag). Context, nonce and tag stand for the whole record,
    /// which does not open when one of them is another's.
    func weight(_ context: SealContext, _ sealed: Span<UInt8>) -> RowSum {
        mac.update(context.bytes.span)
        if sealed.count >= Sealer.overhead {
            mac.update(sealed.extracting(..<Sealer.nonceSize))
            mac.update(sealed.extracting((sealed.count - Sealer.tagSize)...))
        } else {
            mac.update(sealed)
        }
        let (high, low) = mac.finish()
        return RowSum(high: high, low: low)
    }
}

/// So many random bytes.
func randomSecret(_ count: Int) throws(KeyringError) -> SecretBytes {
    try cryptography(Random.bytes(count))
}

/// The same, for what is no secret.
func randomBytes(_ count: Int) throws(KeyringError) -> [UInt8] {
    try randomSecret(count).withSpan { Array(copying: $0) }
}

/// Does what needs randomness, or scrypt's memory.
func cryptography<Result: ~Copyable>(
    _ body: @autoclosure () throws(CryptoError) -> Result
) throws(KeyringError) -> Result {
    do throws(CryptoError) { return try body() } catch { throw .cryptography(error) }
}
