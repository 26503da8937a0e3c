internal import Crypto

/// A transient identity: what its session's file holds of it.
final class Transient {
    let ring: Int64
    let key: SecretBytes
    let name: String
    let fileKey: FileKey

    init(ring: Int64, key: consuming SecretBytes, name: String, fileKey: FileKey) {
        self.ring = ring
        self.key = key
        self.name = name
        self.fileKey = fileKey
    }
}

/// The transient identities of a session.
struct Transients {
    /// Identities in a session, at most: its file stays one block.
    static let limit = 16

    private var list: [Transient] = []

    /// What a session's file holds after the master key: a count, then for each ring id (8), key (32),
    /// file key (32), length of the name (1), name.
    init(from record: inout SecretReader) throws(Broken) {
        for _ in 0..<(try record.byte()) {
            let ring: Int64 = try record.integer()
            let key = try record.secret(32)
            let fileKey = FileKey(try record.secret(FileKey.size))
            let name = try record.text(Int(try record.byte()))
            list.append(Transient(ring: ring, key: key, name: name, fileKey: fileKey))
        }
    }

    init() {}

    /// - Throws: `tooManyTransients`.
    mutating func append(_ transient: Transient) throws(KeyringError) {
        guard list.count < Self.limit else { throw .identity(.tooManyTransients) }
        list.append(transient)
    }

    mutating func remove(ring: Int64) { list.removeAll { $0.ring == ring } }

    /// The identity with a ring; nil where the session has none.
    subscript(_ ring: Int64) -> Transient? { list.first { $0.ring == ring } }

    /// Bytes of the stored form.
    var size: Int { list.reduce(1) { $0 + 41 + FileKey.size + $1.name.utf8.count } }

    func write(to record: inout SecretWriter) {
        record.put(UInt8(list.count))
        for transient in list {
            record.put(transient.ring)
            record.put(transient.key)
            record.put(transient.fileKey.secret)
            let name = Array(transient.name.utf8)
            record.put(UInt8(name.count))
            record.put(name.span)
        }
    }
}
