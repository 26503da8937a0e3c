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
    var name: String
    var fileKey: FileKey?
    /// Counts the times that the record was written.
    private var version: Int64
    /// What the stored record counts for in the ledger's sum; nil where it does not.
    private var share: RowSum?

    init(
        id: Int64, kind: Identity.Kind, key: consuming SecretBytes, name: String, fileKey: FileKey?,
        version: Int64 = 0, share: RowSum? = nil
    ) {
        self.id = id
        self.kind = kind
        self.key = key
        self.name = name
        self.fileKey = fileKey
        self.version = version
        self.share = share
    }

    /// Opens a row of `id, version, record`.
    init(
        in row: Statement, _ vault: borrowing Vault, format: Place.Format = .present
    ) throws(KeyringError) {
        let (id, version) = (row.integer(0), row.integer(1))
        let place = Place("rings", row: id, version: version, format: format)
        let share = format == .first ? nil : row.share(2, place, vault.rowHash)
        var record = SecretReader(try row.opened(2, vault.sealer, at: place))
        do throws(CryptoError) {
            guard let kind = Identity.Kind(code: try record.byte()) else { throw .broken }
            let key = try record.secret(32)
            let length = Int(try record.byte())
            let name = try record.text(length)
            try record.skip(Identity.longestName - length)
            let fileKey =
                record.remaining > 0 ? FileKey(try record.secret(FileKey.size)) : nil
            self.init(
                id: id, kind: kind, key: key, name: name, fileKey: fileKey, version: version,
                share: share)
        } catch {
            throw .store(.damaged("an identity is cut"))
        }
    }

    /// Writes the record as its next version.
    consuming func write(
        to database: Database, _ vault: borrowing Vault, _ ledger: Ledger
    ) throws(KeyringError) {
        let utf8 = Array(name.utf8.prefix(Identity.longestName))
        var record = SecretWriter(capacity: Self.size + (fileKey == nil ? 0 : FileKey.size))
        record.put(kind.code)
        record.put(key)
        record.put(UInt8(utf8.count))
        record.put(utf8.span)
        record.skip(Identity.longestName - utf8.count)
        if let fileKey { record.put(fileKey.secret) }
        let place = Place("rings", row: id, version: version + 1)
        let sealed = try vault.sealer.seal(record.finish(), at: place)
        if let share { ledger.rings.drop(share) }
        ledger.rings.put(vault.rowHash.share(place, sealed))
        try database.statement("REPLACE INTO rings (id, version, record) VALUES (?, ?, ?)")
            .bind(id).bind(version + 1).bind(sealed).run()
    }

    /// Removes the record.
    consuming func remove(from database: Database, _ ledger: Ledger) throws(KeyringError) {
        try database.statement("DELETE FROM rings WHERE id = ?").bind(id).run()
        if let share { ledger.rings.drop(share) }
    }
}

extension Keyring {
    /// The record of an identity that must be there.
    func ringRecord(
        _ id: Int64, _ keys: Keys, format: Place.Format = .present
    ) throws(KeyringError) -> RingRecord {
        let row = try database.statement("SELECT id, version, record FROM rings WHERE id = ?")
            .bind(id)
        guard try row.step() else { throw .store(.damaged("an identity is missing")) }
        defer { row.reset() }
        return try RingRecord(in: row, keys.vault, format: format)
    }
}
