internal import Crypto
internal import System

/// The record of an identity. The record contains the key of the identity's ring. The record is sealed
/// with a key that is derived from the master key.
///
///     offset  bytes  content
///     0       8      the id
///     8       1      kind of identity: 0 real, 1 partial, 2 fictitious, 3 transient
///     9       32     the ring key; zeros for a transient identity, whose key is in the session file
///     41      32     the file key; zeros for a transient identity
///     73      2 + n  the name as text; for a transient identity, the path of its session file
///     75+n    2      number of address records
///     77+n    8      for each address record, its id
///
/// A session file contains the transient identities of the session in the same form, with their names and
/// keys, but without address records.
final class IdentityRecord {
    let id: Int64
    let kind: Identity.Kind
    let ring: Ring
    let fileKey: FileKey
    let name: String
    /// The ids of the identity's address records, in the order in which they were added.
    let addresses: [Int64]

    init(_ identity: Identity, _ ring: Ring, _ fileKey: FileKey, addresses: [Int64] = []) {
        (id, kind, name) = (identity.id, identity.kind, identity.name)
        (self.ring, self.fileKey, self.addresses) = (ring, fileKey, addresses)
    }

    /// Creates the record of a new identity.
    convenience init(new identity: Identity, _ fileKey: FileKey) throws(KeyringError) {
        self.init(identity, Ring(id: identity.id, key: try randomSecret(32)), fileKey)
    }

    /// Creates the record that the keyring stores for a transient identity. The identity's name and keys are
    /// stored in the session file.
    convenience init(transient id: Int64, in file: String) {
        self.init(
            Identity(id: id, kind: .transient, name: file),
            Ring(id: id, key: SecretBytes(count: 32)), FileKey(SecretBytes(count: FileKey.size)))
    }

    convenience init(from record: inout SecretReader) throws(InvalidRecord) {
        let id: Int64 = try record.integer()
        guard let kind = Identity.Kind(code: try record.byte()) else { throw InvalidRecord() }
        let ring = Ring(id: id, key: try record.secret(32))
        let fileKey = FileKey(try record.secret(FileKey.size))
        let identity = Identity(id: id, kind: kind, name: try record.text())
        let addresses = try record.list { (record) throws(InvalidRecord) -> Int64 in
            try record.integer()
        }
        self.init(identity, ring, fileKey, addresses: addresses)
    }

    func write(to record: inout SecretWriter) {
        record.put(id)
        record.put(kind.code)
        record.put(ring.key)
        record.put(fileKey.secret)
        record.put(name)
        record.put(addresses) { $1.put($0) }
    }

    /// Returns a copy with another name, or with other address records.
    func with(name: String? = nil, addresses: [Int64]? = nil) -> IdentityRecord {
        let identity = Identity(id: id, kind: kind, name: name ?? self.name)
        return IdentityRecord(identity, ring, fileKey, addresses: addresses ?? self.addresses)
    }

    var identity: Identity { Identity(id: id, kind: kind, name: name) }
}
