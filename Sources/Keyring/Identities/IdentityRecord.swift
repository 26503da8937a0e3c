internal import Crypto
internal import System

/// The record of an identity. It contains the key of the identity's ring. The record is sealed with a key
/// that is derived from the master key.
///
///     offset  bytes  content
///     0       1      kind of identity: 0 real, 1 partial, 2 fictitious, 3 transient
///     1       32     the ring key; zeros for a transient identity, whose key is in the session file
///     33      32     the file key; zeros for a transient identity
///     65      1      length of the name in bytes
///     66      n      the name; for a transient identity, the path of its session file
///     66+n    2      number of address records
///     68+n    8      for each address record, its id
final class IdentityRecord {
    /// Maximum number of bytes in a name, or in the path of a session file.
    static let longestName = 255

    let id: Int64
    let kind: Identity.Kind
    let key: SecretBytes
    let name: String
    let fileKey: FileKey
    /// The ids of the identity's address records, in the order in which they were added.
    let addresses: [Int64]
    let ring: Ring

    init(
        id: Int64, kind: Identity.Kind, key: borrowing SecretBytes, name: String, fileKey: FileKey,
        addresses: [Int64] = []
    ) {
        self.id = id
        self.kind = kind
        self.key = key.duplicate()
        self.name = name
        self.fileKey = fileKey
        self.addresses = addresses
        ring = Ring(id: id, key: key.duplicate())
    }

    /// Creates the record that the keyring stores for a transient identity. The identity's name and keys are
    /// stored in the session file.
    convenience init(transient id: Int64, in file: String) {
        self.init(
            id: id, kind: .transient, key: SecretBytes(count: 32), name: file,
            fileKey: FileKey(SecretBytes(count: FileKey.size)))
    }

    convenience init(id: Int64, from record: inout SecretReader) throws(InvalidRecord) {
        guard let kind = Identity.Kind(code: try record.byte()) else { throw InvalidRecord() }
        let key = try record.secret(32)
        let fileKey = FileKey(try record.secret(FileKey.size))
        let name = try record.text(Int(try record.byte()))
        var addresses: [Int64] = []
        for _ in 0..<(try record.integer() as UInt16) { addresses.append(try record.integer()) }
        self.init(
            id: id, kind: kind, key: key, name: name, fileKey: fileKey, addresses: addresses)
    }

    /// Returns a copy with another name, or with other address records.
    func with(name: String? = nil, addresses: [Int64]? = nil) -> IdentityRecord {
        IdentityRecord(
            id: id, kind: kind, key: key, name: name ?? self.name, fileKey: fileKey,
            addresses: addresses ?? self.addresses)
    }

    var identity: Identity { Identity(id: id, kind: kind, name: name) }

    func encoded() -> SecretBytes {
        let utf8 = Array(name.utf8.prefix(Self.longestName))
        var record = SecretWriter(padding: 68 + utf8.count + 8 * addresses.count)
        record.put(kind.code)
        record.put(key)
        record.put(fileKey.secret)
        record.put(UInt8(utf8.count))
        record.put(utf8.span)
        record.put(UInt16(addresses.count))
        for id in addresses { record.put(id) }
        return record.finish()
    }
}
