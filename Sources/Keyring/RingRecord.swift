internal import Primitives

/// A ring as it is stored, sealed under the keyring's own key.
///
///     offset  bytes  what
///     0       1      kind of identity: 0 real
///     1       32     the ring's key
///     33      1      length of the identity's name in bytes
///     34      64     the name, filled up with zeros
extension Ring {
    enum Kind: UInt8 {
        case real = 0
    }

    private static let size = 98
    private static let nameSize = 64

    /// Opens the ring of the real identity, there from the start.
    init(real database: Database, _ vault: borrowing Vault) throws(KeyringError) {
        let row = try database.statement("SELECT version, record FROM rings WHERE id = 1").first {
            (row) throws(KeyringError) in
            (row.integer(0), row.bytes(1))
        }
        guard let (version, sealed) = row else { throw .damaged("an identity is missing") }
        var record = SecretReader(
            try vault.sealer.open(sealed.span, at: Place("rings", row: 1, version: version)))
        do throws(CryptoError) {
            _ = try record.byte()
            let key = try record.secret(32)
            self = try Ring(id: 1, key: key)
        } catch {
            throw .damaged("an identity is cut")
        }
    }

    /// Writes a ring with a new key.
    static func create(
        id: Int64, kind: Kind, name: String, in database: Database, _ vault: borrowing Vault
    ) throws(KeyringError) {
        let utf8 = Array(name.utf8.prefix(nameSize))
        var record = SecretWriter(capacity: size)
        record.put(kind.rawValue)
        record.put(try cryptography { () throws(CryptoError) in try Random.bytes(32) })
        record.put(UInt8(utf8.count))
        record.put(utf8.span)
        let sealed = try vault.sealer.seal(
            record.finish(), at: Place("rings", row: id, version: 1))
        try database.statement("INSERT INTO rings (id, version, record) VALUES (?, 1, ?)")
            .bind(id).bind(sealed).run()
    }
}
