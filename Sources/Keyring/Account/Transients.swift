internal import Crypto

/// The transient identities of a session, as its file holds them.
struct Transients {
    /// Identities in a session, at most: its file stays one block.
    static let limit = 16

    private var list: [RingRecord] = []

    /// What a session's file holds after its keys: a count, then for each ring id (8), key (32),
    /// file key (32), length of the name (1), name.
    init(from record: inout SecretReader) throws(Broken) {
        for _ in 0..<(try record.byte()) {
            let id: Int64 = try record.integer()
            let key = try record.secret(32)
            let fileKey = FileKey(try record.secret(FileKey.size))
            let name = try record.text(Int(try record.byte()))
            list.append(
                RingRecord(id: id, kind: .transient, key: key, name: name, fileKey: fileKey))
        }
    }

    init() {}

    /// - Throws: `tooManyTransients`.
    mutating func append(_ transient: RingRecord) throws(KeyringError) {
        guard list.count < Self.limit else { throw .identity(.tooManyTransients) }
        list.append(transient)
    }

    mutating func remove(ring: Int64) { list.removeAll { $0.id == ring } }

    /// The identity with a ring; nil where the session has none.
    subscript(_ ring: Int64) -> RingRecord? { list.first { $0.id == ring } }

    /// Bytes of the stored form.
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

extension Transaction {
    /// Changes the transient identities of the session; the name of the session's file.
    ///
    /// - Throws: `noSession`.
    func changeTransients(
        _ change: (inout Transients) throws(KeyringError) -> Void
    ) throws(KeyringError) -> String {
        guard let session = keys.session else { throw .identity(.noSession) }
        // Another tool of this session may have changed them since; within a commit none can now.
        keys.transients = try session.contents(
            of: keyring.account.keyring, clocks: keyring.clocks
        ).transients
        try change(&keys.transients)
        try session.keep(keys.transients)
        return session.name
    }
}
