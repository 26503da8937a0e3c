internal import Crypto
internal import System

/// A transient identity: what its session's file holds of it.
struct Transient: ~Copyable {
    let ring: Int64
    let key: SecretBytes
    let name: String
    let fileKey: FileKey
}

/// The transient identities of a session.
struct Transients: ~Copyable {
    /// Identities in a session, at most: its file stays one block.
    static let limit = 16

    private var list = OwnedArray<Transient>()

    /// What a session's file holds after the master key: a count, then for each ring id (8), key (32),
    /// file key (32), length of the name (1), name.
    init(from record: inout SecretReader) throws(CryptoError) {
        for _ in 0..<(try record.byte()) {
            let ring: Int64 = try record.integer()
            let key = try record.secret(32)
            let fileKey = FileKey(try record.secret(FileKey.size))
            let name = try record.text(Int(try record.byte()))
            list.append(Transient(ring: ring, key: key, name: name, fileKey: fileKey))
        }
    }

    init() {}

    var count: Int { list.count }

    mutating func append(_ transient: consuming Transient) { list.append(transient) }

    mutating func remove(ring: Int64) {
        for index in (0..<list.count).reversed() where list[index].ring == ring {
            _ = list.remove(at: index)
        }
    }

    func key(of ring: Int64) -> SecretBytes? {
        for index in 0..<list.count where list[index].ring == ring {
            return list[index].key.duplicate()
        }
        return nil
    }

    func fileKey(of ring: Int64) -> FileKey? {
        for index in 0..<list.count where list[index].ring == ring { return list[index].fileKey }
        return nil
    }

    func name(of ring: Int64) -> String? {
        for index in 0..<list.count where list[index].ring == ring { return list[index].name }
        return nil
    }

    /// Bytes of the stored form.
    var size: Int {
        var size = 1
        for index in 0..<list.count { size += 41 + FileKey.size + list[index].name.utf8.count }
        return size
    }

    func write(to record: inout SecretWriter) {
        record.put(UInt8(list.count))
        for index in 0..<list.count {
            record.put(list[index].ring)
            record.put(list[index].key)
            record.put(list[index].fileKey.secret)
            let name = Array(list[index].name.utf8)
            record.put(UInt8(name.count))
            record.put(name.span)
        }
    }
}
