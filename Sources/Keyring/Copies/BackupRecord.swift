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
    /// 16-byte hashes of sync keys and offers that were used.
    case usedKeys([[UInt8]])
    case end

    /// Maximum number of hashes in one line.
    static let longestHashes = 128

    /// Each record with texts is padded with zeros to a multiple of this number of bytes. The length of a
    /// line then does not reveal the exact lengths of the texts.
    private static let paddingUnit = 64

    /// Encodes the record. It begins with the kind of the record (1 byte), and its fields follow. Each text
    /// is preceded by its length (2 bytes).
    func encoded() -> SecretBytes {
        switch self {
        case .identity(let identity, let fileKey):
            let bytes = [1] + Array(bigEndian: identity.id) + [identity.kind.code]
            return Self.padded(bytes + Self.bytes(identity.name), fileKey)
        case .contact(let identity, let contact, let getsReceipts):
            let ids = Array(bigEndian: identity) + Array(bigEndian: contact.id.number)
            let texts = Self.bytes(contact.name) + Self.bytes(contact.number ?? "")
            return Self.padded([2] + ids + texts + [getsReceipts ? 1 : 0])
        case .usedKeys(let hashes):
            let bytes = [3] + hashes.joined()
            return SecretBytes(copying: bytes.span)
        case .end: return Self.padded([4])
        }
    }

    private static func padded(_ bytes: [UInt8], _ fileKey: FileKey? = nil) -> SecretBytes {
        let size = bytes.count + (fileKey == nil ? 0 : FileKey.size)
        var record = SecretWriter(capacity: (size + paddingUnit - 1) / paddingUnit * paddingUnit)
        record.put(bytes.span)
        if let fileKey { record.put(fileKey.secret) }
        return record.finish()
    }

    /// Parses a record.
    ///
    /// - Throws: `InvalidRecord`.
    init(_ bytes: consuming SecretBytes) throws(InvalidRecord) {
        var reader = SecretReader(bytes)
        switch try reader.byte() {
        case 1:
            let id: Int64 = try reader.integer()
            guard let kind = Identity.Kind(code: try reader.byte()) else { throw InvalidRecord() }
            let name = try Self.text(&reader)
            self = .identity(
                Identity(id: id, kind: kind, name: name),
                FileKey(try reader.secret(FileKey.size)))
        case 2:
            let identity: Int64 = try reader.integer()
            let id = ContactID(try reader.integer())
            let name = try Self.text(&reader)
            let number = try Self.text(&reader)
            let getsReceipts = try reader.byte() != 0
            self = .contact(
                identity, Contact(id: id, name: name, number: number.isEmpty ? nil : number),
                getsReceipts: getsReceipts)
        case 3:
            var hashes: [[UInt8]] = []
            while reader.remaining > 0 {
                hashes.append(try reader.bytes(UsedKeyBlock.hashSize))
            }
            self = .usedKeys(hashes)
        case 4: self = .end
        default: throw InvalidRecord()
        }
    }

    private static func bytes(_ text: String) -> [UInt8] {
        Array(bigEndian: UInt16(truncatingIfNeeded: text.utf8.count)) + text.utf8
    }

    private static func text(_ reader: inout SecretReader) throws(InvalidRecord) -> String {
        let utf8 = try reader.bytes(Int(try reader.integer() as UInt16))
        guard let text = String(validating: utf8, as: UTF8.self) else { throw InvalidRecord() }
        return text
    }
}
