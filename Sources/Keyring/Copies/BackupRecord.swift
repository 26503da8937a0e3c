internal import Crypto
internal import System

/// A record of a backup. The record is sealed, and written as one line of base 64.
///
/// The associated data of a record identify the backup and the line number. If an attacker removes, moves or
/// repeats lines, or inserts lines from another backup, a record cannot be opened. The record `end` shows
/// that no line is missing at the end.
enum BackupRecord {
    /// An identity and its file key.
    case identity(Identity, FileKey)
    /// A contact of the identity with the given id. The value `getsReceipts` tells whether the contact gets
    /// receipts.
    case contact(Int64, Contact, getsReceipts: Bool)
    /// A record of `UsedKeyStore`.
    case usedKeys([UInt128])
    case end

    /// Each record with texts is padded with zeros to a multiple of this number of bytes. The length of a
    /// line then does not reveal the exact lengths of the texts.
    private static let paddingUnit = 64

    /// Encodes the record. It begins with the kind of the record (1 byte), and its fields follow.
    func encoded() -> SecretBytes {
        var record = SecretWriter()
        switch self {
        case .identity(let identity, let fileKey):
            record.put(1 as UInt8)
            record.put(identity.id)
            record.put(identity.kind.code)
            record.put(identity.name)
            record.put(fileKey.secret)
        case .contact(let identity, let contact, let getsReceipts):
            record.put(2 as UInt8)
            record.put(identity)
            contact.write(to: &record)
            record.put(getsReceipts)
        case .usedKeys(let hashes):
            record.put(3 as UInt8)
            record.put(hashes) { $1.put($0) }
        case .end: record.put(4 as UInt8)
        }
        return record.finish(paddedTo: Self.paddingUnit)
    }

    /// Parses a record.
    ///
    /// - Throws: `InvalidRecord`.
    init(_ bytes: consuming SecretBytes) throws(InvalidRecord) {
        var record = SecretReader(bytes)
        switch try record.byte() {
        case 1:
            let id: Int64 = try record.integer()
            guard let kind = Identity.Kind(code: try record.byte()) else { throw InvalidRecord() }
            let identity = Identity(id: id, kind: kind, name: try record.text())
            self = .identity(identity, FileKey(try record.secret(FileKey.size)))
        case 2:
            let identity: Int64 = try record.integer()
            let contact = try Contact(from: &record)
            self = .contact(identity, contact, getsReceipts: try record.bool())
        case 3:
            let hashes = try record.list { (record) throws(InvalidRecord) -> UInt128 in
                try record.integer()
            }
            self = .usedKeys(hashes)
        case 4: self = .end
        default: throw InvalidRecord()
        }
    }
}
