internal import Crypto
internal import System

/// The stored form of an identity and the key of its ring, sealed under the keyring's own key.
///
///     offset  bytes  what
///     0       1      kind of identity: 0 real, 1 partial, 2 fictitious, 3 transient
///     1       32     the ring's key; zeros for a transient identity, whose key is in the session's file
///     33      1      length of the identity's name in bytes
///     34      64     the name, padded with zeros; for a transient identity the name of the session's
///                    file, which has the identity's name
///     98      32     the file key; absent for a transient identity
final class RingRecord {
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

    /// Makes the record that is stored for a transient identity. Its name and keys are in a session's file.
    convenience init(transient id: Int64, in file: String) {
        self.init(
            id: id, kind: .transient, key: SecretBytes(count: 32), name: file,
            fileKey: FileKey(SecretBytes(count: FileKey.size)))
    }

    /// Opens the row of an identity.
    static func opened(
        _ stored: StoredRow, _ vault: borrowing MasterKeys
    ) throws(KeyringError) -> RingRecord {
        try stored.read(vault.sealer) { (record) throws(InvalidRecord) in
            guard let kind = Identity.Kind(code: try record.byte()) else { throw InvalidRecord() }
            let key = try record.secret(32)
            let length = Int(try record.byte())
            let name = try record.text(length)
            try record.skip(Identity.longestName - length)
            let fileKey =
                kind == .transient
                ? SecretBytes(count: FileKey.size) : try record.secret(FileKey.size)
            return RingRecord(
                id: stored.row.id, kind: kind, key: key, name: name, fileKey: FileKey(fileKey),
                version: stored.row.version)
        }
    }

    /// Returns the record of an existing identity.
    static func stored(
        _ id: Int64, in database: Database, _ vault: borrowing MasterKeys
    ) throws(KeyringError) -> RingRecord {
        guard let stored = try database.first(.ring, of: id) else {
            throw .store(.damaged("an identity is missing"))
        }
        return try opened(stored, vault)
    }

    /// The ring with its keys.
    var ring: Ring { Ring(id: id, key: key.duplicate()) }

    /// Returns the record to store.
    fileprivate func encoded() -> SecretBytes {
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

    /// The row for its next version.
    fileprivate var nextRow: Row { .ring(id, version: version + 1) }
}

extension KeyringStore {
    /// Writes the record of an identity as its next version.
    func put(_ record: RingRecord) throws(KeyringError) {
        try put(record.encoded(), as: record.nextRow, under: keys.vault.sealer)
    }

    /// Returns the record of an existing identity.
    func ringRecord(_ id: Int64) throws(KeyringError) -> RingRecord {
        try .stored(id, in: database, keys.vault)
    }

    /// Returns the record with its name and keys, or nil if it belongs to a transient identity of another
    /// session. For a transient identity of this session, they come from the session's file.
    func unlockedRecord(_ record: RingRecord) -> RingRecord? {
        record.kind == .transient ? keys.transients[record.id] : record
    }

    /// Returns the record of an existing identity, with its name and keys.
    ///
    /// - Throws: `noSession` if it belongs to a transient identity of another session.
    func unlockedRecord(_ id: Int64) throws(KeyringError) -> RingRecord {
        guard let held = unlockedRecord(try ringRecord(id)) else { throw .identity(.noSession) }
        return held
    }

    /// Returns the records of all rings, in the order in which they were added.
    func ringRecords() throws(KeyringError) -> [RingRecord] {
        var found: [RingRecord] = []
        let cursor = try rows(.ring)
        while let stored = try cursor.next() { found.append(try .opened(stored, keys.vault)) }
        return found
    }

    /// Returns all rings, except those of transient identities of other sessions.
    func openRings() throws(KeyringError) -> [Ring] {
        try ringRecords().compactMap { unlockedRecord($0)?.ring }
    }

    /// Returns all identities in the order in which they were added, except transient identities of other
    /// sessions.
    func identities() throws(KeyringError) -> [Identity] {
        try ringRecords().compactMap { unlockedRecord($0) }
            .map { Identity(id: $0.id, kind: $0.kind, name: $0.name) }
    }

    /// Removes an identity's ring with all its contacts.
    func removeRing(_ ring: Int64) throws(KeyringError) {
        let isInBackups = try ringRecord(ring).kind != .transient
        for contact in try contactIDs(inRing: ring) {
            try drop([.state, .card, .kept, .retired, .reread], of: contact)
            if isInBackups { try recordRemoval(of: contact) }
        }
        for row in try unwritten(in: ring) { try drop(row) }
        try drop([.ring], of: ring)
    }
}
