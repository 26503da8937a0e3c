internal import Crypto
internal import System

/// A ring as it is stored, sealed under the keyring's own key.
///
///     offset  bytes  what
///     0       1      kind of identity: 0 real, 1 partial, 2 fictitious, 3 transient
///     1       32     the ring's key; of a transient one zeros, its key being in the session's file
///     33      1      length of the identity's name in bytes
///     34      64     the name, filled up with zeros; of a transient one the name of the session's
///                    file, its own name being in there
///     98      32     the file key; missing where none was drawn yet, and with a transient one
struct RingRecord: ~Copyable {
    private static let size = 98

    let id: Int64
    let kind: Identity.Kind
    let key: SecretBytes
    let name: String
    let fileKey: FileKey?

    init(
        id: Int64, kind: Identity.Kind, key: consuming SecretBytes, name: String, fileKey: FileKey?
    ) {
        self.id = id
        self.kind = kind
        self.key = key
        self.name = name
        self.fileKey = fileKey
    }

    /// Opens a row of `id, version, record`.
    init(
        in row: Statement, _ vault: borrowing Vault, format: Place.Format = .present
    ) throws(KeyringError) {
        let id = row.integer(0)
        let place = Place("rings", row: id, version: row.integer(1), format: format)
        var record = SecretReader(
            try row.withBytes(2) { (sealed) throws(KeyringError) in
                try vault.sealer.open(sealed, at: place)
            })
        do throws(CryptoError) {
            guard let kind = Identity.Kind(code: try record.byte()) else { throw .broken }
            let key = try record.secret(32)
            let length = Int(try record.byte())
            let name = try record.secret(length).withSpan { Array(copying: $0) }
            try record.skip(Identity.longestName - length)
            let fileKey =
                record.remaining > 0 ? FileKey(try record.secret(FileKey.size)) : nil
            self.init(
                id: id, kind: kind, key: key, name: String(decoding: name, as: UTF8.self),
                fileKey: fileKey)
        } catch {
            throw .store(.damaged("an identity is cut"))
        }
    }

    /// What a row of `id, version, record` counts for in the ledger's sum.
    static func share(of row: Statement, _ vault: borrowing Vault) -> RowSum {
        let place = Place("rings", row: row.integer(0), version: row.integer(1))
        return row.withBytes(2) { [hash = vault.rowHash] in hash.share(place, $0) }
    }

    /// Writes the record as a version of its row.
    ///
    /// - Parameter old: what the row counted for that it replaces; nil where there was none.
    func write(
        to database: Database, _ vault: borrowing Vault, version: Int64, _ ledger: Ledger,
        instead old: RowSum? = nil
    ) throws(KeyringError) {
        let utf8 = Array(name.utf8.prefix(Identity.longestName))
        var record = SecretWriter(
            capacity: Self.size + (fileKey == nil ? 0 : FileKey.size))
        record.put(kind.code)
        record.put(key)
        record.put(UInt8(utf8.count))
        record.put(utf8.span)
        record.skip(Identity.longestName - utf8.count)
        if let fileKey { record.put(fileKey.secret) }
        let place = Place("rings", row: id, version: version)
        let sealed = try vault.sealer.seal(record.finish(), at: place)
        let share = vault.rowHash.share(place, sealed)
        if let old { ledger.rings.exchange(old, for: share) } else { ledger.rings.put(share) }
        try database.statement("REPLACE INTO rings (id, version, record) VALUES (?, ?, ?)")
            .bind(id).bind(version).bind(sealed).run()
    }
}
