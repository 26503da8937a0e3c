internal import Crypto

/// The transient identities of a session, which are stored in the session file.
struct TransientIdentities {
    /// Maximum number of identities in a session.
    static let limit = 16
    /// Maximum number of bytes in the stored list.
    static let maximumSize = 1 + limit * (41 + FileKey.size + Int(UInt8.max))

    private var list: [IdentityRecord] = []

    /// Reads the list from a session file. The list begins with the number of identities (1 byte). Each
    /// identity consists of its id (8 bytes), its ring key (32), its file key (32), the length of its name
    /// (1) and its name.
    init(from record: inout SecretReader) throws(InvalidRecord) {
        for _ in 0..<(try record.byte()) {
            let id: Int64 = try record.integer()
            let key = try record.secret(32)
            let fileKey = FileKey(try record.secret(FileKey.size))
            let name = try record.text(Int(try record.byte()))
            list.append(
                IdentityRecord(id: id, kind: .transient, key: key, name: name, fileKey: fileKey))
        }
    }

    init() {}

    /// Adds an identity.
    ///
    /// - Throws: `tooManyTransients`.
    mutating func append(_ transient: IdentityRecord) throws(KeyringError) {
        guard list.count < Self.limit else { throw .identity(.tooManyTransients) }
        list.append(transient)
    }

    mutating func remove(ring: Int64) { list.removeAll { $0.id == ring } }

    /// Returns the identity with the given id, or nil if the session does not contain this identity.
    subscript(_ ring: Int64) -> IdentityRecord? { list.first { $0.id == ring } }

    /// Number of bytes in the stored list.
    var size: Int { list.reduce(1) { $0 + 41 + FileKey.size + $1.name.utf8.count } }

    func write(to record: inout SecretWriter) {
        record.put(UInt8(list.count))
        for transient in list {
            record.put(transient.id)
            record.put(transient.key)
            record.put(transient.fileKey.secret)
            let name = Array(transient.name.utf8)
            record.put(UInt8(name.count))
            record.put(name.span)
        }
    }
}
