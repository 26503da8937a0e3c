internal import Crypto
internal import System

/// The keys of an unlocked keyring: everything hangs on the master key, 32 random bytes.
struct Vault: ~Copyable {
    let master: SecretBytes
    /// Seals the ledger and the rings.
    let sealer: Sealer
    /// Under it contacts' sync keys are hashed, so that none is taken twice.
    let usedKeyTag: SecretBytes
    let rowHash: RowHash

    init(master: consuming SecretBytes) throws(KeyringError) {
        sealer = try .keyed(derive(from: master, "smsenc keyring seal"))
        usedKeyTag = derive(from: master, "smsenc keyring used keys")
        rowHash = RowHash(master: master)
        self.master = master
    }
}

/// The keys of one ring of contacts.
final class Ring {
    let id: Int64
    let key: SecretBytes
    let sealer: Sealer
    let tagKey: SecretBytes

    init(id: Int64, key: consuming SecretBytes) throws(KeyringError) {
        self.id = id
        sealer = try .keyed(derive(from: key, "smsenc ring seal"))
        tagKey = derive(from: key, "smsenc ring tags")
        self.key = key
    }

    /// The tag by which a contact is found: a keyed hash, cut to 16 bytes.
    func tag(_ kind: StaticString, of bytes: [UInt8]) -> [UInt8] {
        tagged(tagKey, kind, bytes.span)
    }
}

/// What a row means, all of it: its table, and whatever its columns say in clear.
///
/// A sealed record is tied to its place, so that it opens nowhere else, and a row counts in its table's
/// sum by its place (`RowHash`).
struct Place {
    private(set) var bytes: [UInt8]

    /// - Parameters:
    ///   - fields: columns of bytes or text; with their lengths, so that no two rows have one place.
    ///   - format: the version of the keyring.
    init(
        _ table: StaticString, row: Int64, number: Int64 = 0, version: Int64 = 0,
        fields: [[UInt8]] = [], format: Format = .present
    ) {
        bytes = []
        bytes.reserveCapacity(96)
        append(format.prefix)
        append(table)
        append(row)
        append(number)
        append(version)
        for field in fields {
            append(Int64(field.count))
            bytes += field
        }
    }

    /// Names more of what a row means.
    mutating func append(_ field: [UInt8]) { bytes += field }

    /// The version of a keyring's file that a place is in.
    enum Format {
        case first
        case present

        fileprivate var prefix: StaticString {
            switch self {
            case .first: "smsenc keyring 1 "
            case .present: "smsenc keyring 2 "
            }
        }
    }

    private mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    }

    mutating func append(_ field: Int64) {
        unsafe withUnsafeBytes(of: field.bigEndian) { unsafe bytes.append(contentsOf: $0) }
    }

    /// The place of a line in a backup, which the digest of its account tells from other backups.
    init(backup digest: [UInt8], line: Int64) {
        bytes = Place("backup", row: line, format: .first).bytes + digest
    }

    /// The place of the wrapped master key of one keyring.
    init(masterOf keyring: [UInt8]) { bytes = Array("smsenc keyring 1 master".utf8) + keyring }
}

extension Sealer {
    static func keyed(_ key: consuming SecretBytes) throws(KeyringError) -> Sealer {
        let key = key
        return try cryptography { () throws(CryptoError) in try Sealer(key: key) }
    }

    func seal(_ record: borrowing SecretBytes, at place: Place) throws(KeyringError) -> [UInt8] {
        do throws(CryptoError) {
            return try record.withSpan { (record) throws(CryptoError) in
                try seal(record, associated: place.bytes.span)
            }
        } catch {
            throw .cryptography(error)
        }
    }

    /// - Throws: `damaged` when the record was altered, or stood elsewhere.
    func open(_ sealed: Span<UInt8>, at place: Place) throws(KeyringError) -> SecretBytes {
        do throws(CryptoError) {
            return try open(sealed, associated: place.bytes.span)
        } catch {
            throw .store(.damaged("a record was altered"))
        }
    }
}

/// H(key, label).
func derive(from key: borrowing SecretBytes, _ label: StaticString) -> SecretBytes {
    var mac = MAC()
    mac.setKey(key)
    mac.update(label)
    return mac.finish()
}

/// The first 16 bytes of H(key, label ‖ bytes).
func tagged(_ key: borrowing SecretBytes, _ label: StaticString, _ bytes: Span<UInt8>) -> [UInt8] {
    var mac = MAC()
    mac.setKey(key)
    mac.update(label)
    mac.update(bytes)
    var tag = [UInt8](repeating: 0, count: 16)
    var span = tag.mutableSpan
    mac.finish(into: &span)
    return tag
}

/// So many random bytes.
func randomSecret(_ count: Int) throws(KeyringError) -> SecretBytes {
    try cryptography { () throws(CryptoError) in try Random.bytes(count) }
}

/// The same, for what is no secret.
func randomBytes(_ count: Int) throws(KeyringError) -> [UInt8] {
    try randomSecret(count).withSpan { Array(copying: $0) }
}

/// Runs what can only fail with libcrypto itself.
func cryptography<Result: ~Copyable>(
    _ body: () throws(CryptoError) -> Result
) throws(KeyringError) -> Result {
    do throws(CryptoError) {
        return try body()
    } catch .broken {
        throw .store(.damaged("a record was altered"))
    } catch {
        throw .cryptography(error)
    }
}
