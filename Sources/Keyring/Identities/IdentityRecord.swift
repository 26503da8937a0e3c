internal import Crypto
internal import System

/// The stored record of an identity, with the key of its ring. The record is sealed under a key that is
/// derived from the master key.
///
///     offset  bytes  what
///     0       1      kind of identity: 0 real, 1 partial, 2 fictitious, 3 transient
///     1       32     the ring's key; zeros for a transient identity, whose key is in the session's file
///     33      1      length of the identity's name in bytes
///     34      64     the name, padded with zeros; for a transient identity the name of the session's
///                    file, which has the identity's name
///     98      32     the file key; absent for a transient identity
final class IdentityRecord {
    private static let size = 98

    let id: Int64
    let kind: Identity.Kind
    let key: SecretBytes
    var name: String
    let fileKey: FileKey
    /// The number of times that the record was written.
    private let version: Int64

    init(
        id: Int64, kind: Identity.Kind, key: consuming SecretBytes, name: String, fileKey: FileKey,
        version: Int64 = 0
    ) {
        self.id = id
        self.kind = kind
        self.key = key
        self.name = name
        self.fileKey = fileKey
        self.version = version
    }

    /// Creates the record that the keyring stores for a transient identity. The identity's name and keys are
    /// stored in the session's file.
    convenience init(transient id: Int64, in file: String) {
        self.init(
            id: id, kind: .transient, key: SecretBytes(count: 32), name: file,
            fileKey: FileKey(SecretBytes(count: FileKey.size)))
    }

    /// Opens the row of an identity.
    static func opened(
        _ stored: StoredRow, _ masterKeys: borrowing MasterKeys
    ) throws(KeyringError) -> IdentityRecord {
        try stored.read(masterKeys.sealingKey) { (record) throws(InvalidRecord) in
            guard let kind = Identity.Kind(code: try record.byte()) else { throw InvalidRecord() }
            let key = try record.secret(32)
            let length = Int(try record.byte())
            let name = try record.text(length)
            try record.skip(Identity.longestName - length)
            let fileKey =
                kind == .transient
                ? SecretBytes(count: FileKey.size) : try record.secret(FileKey.size)
            return IdentityRecord(
                id: stored.row.id, kind: kind, key: key, name: name, fileKey: FileKey(fileKey),
                version: stored.row.version)
        }
    }

    /// Returns the record of an existing identity.
    static func stored(
        _ id: Int64, in database: Database, _ masterKeys: borrowing MasterKeys
    ) throws(KeyringError) -> IdentityRecord {
        guard let stored = try database.first(.ring, of: id) else {
            throw .store(.damaged("an identity is missing"))
        }
        return try opened(stored, masterKeys)
    }

    /// The ring with its keys.
    var ring: Ring { Ring(id: id, key: key.duplicate()) }

    /// Returns the record to store.
    func encoded() -> SecretBytes {
        let utf8 = Array(name.utf8.prefix(Identity.longestName))
        let isWhole = kind != .transient
        var record = SecretWriter(capacity: Self.size + (isWhole ? FileKey.size : 0))
        record.put(kind.code)
        record.put(key)
        record.put(UInt8(utf8.count))
        record.put(utf8.span)
        record.skip(Identity.longestName - utf8.count)
        if isWhole { record.put(fileKey.secret) }
        return record.finish()
    }

    /// The row to which the next version of the record is written.
    var nextRow: Row { Row(.ring, id: id, version: version + 1) }
}
