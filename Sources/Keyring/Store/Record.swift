internal import Crypto
internal import System

/// A kind of record (smsenc-keyring(5), Records). The raw values are part of the file's format.
enum RecordKind: UInt8, CaseIterable {
    case header, identity, addresses, contact, past, usedKeys, run
}

/// The name of a record, which consists of its kind and its id. The id is not negative.
struct RecordName: Hashable, Comparable {
    let kind: RecordKind
    let id: Int64

    init(_ kind: RecordKind, _ id: Int64) {
        self.kind = kind
        self.id = id
    }

    static let header = RecordName(.header, 0)

    /// The associated data of the sealed record: the kind (1 byte) and the id (8). The associated data
    /// ensures that the record can be opened only under this name.
    var context: [UInt8] { [kind.rawValue] + Array(bigEndian: id) }

    /// A number by which two names are compared. This number determines the order of names in the list of
    /// records.
    var order: UInt128 {
        UInt128(kind.rawValue) << 64 | UInt128(UInt64(bitPattern: id))
    }

    static func < (one: RecordName, other: RecordName) -> Bool { one.order < other.order }
}

/// The authentication tag of a record, which is the last 16 bytes of the sealed record.
struct RecordTag: Equatable, BitwiseCopyable {
    private let value: InlineArray<16, UInt8>

    /// Reads the tag at the end of a sealed record. Returns nil if the record is too short.
    init?(of sealed: [UInt8]) {
        let offset = sealed.count - SealingKey.tagSize
        guard offset >= 0 else { return nil }
        self = unsafe sealed.withUnsafeBytes {
            unsafe $0.loadUnaligned(fromByteOffset: offset, as: RecordTag.self)
        }
    }

    var bytes: [UInt8] { value.indices.map { value[$0] } }

    static func == (one: RecordTag, other: RecordTag) -> Bool {
        one.value.indices.allSatisfy { one.value[$0] == other.value[$0] }
    }
}

/// Parsed records with their tags. A cached record is used only if its tag is still in the list of
/// records. Records from a transaction that was rolled back are therefore never used.
final class RecordCache<Value> {
    private var values: [Int64: (tag: RecordTag, value: Value)] = [:]

    /// Returns a record from the cache. Reads the record if the cache does not contain it.
    ///
    /// - Parameters:
    ///   - isKept: false if the record should not be added to the cache.
    ///   - fault: describes the damage if the record is missing.
    func value(
        _ name: RecordName, in store: KeyringStore, under key: borrowing SealingKey,
        isKept: Bool = true, ifMissing fault: String,
        _ parse: (inout SecretReader) throws(InvalidRecord) -> Value
    ) throws(KeyringError) -> Value {
        if let known = values[name.id], known.tag == store.tag(of: name) { return known.value }
        guard let value = try store.read(name, under: key, parse) else {
            throw .store(.damaged(fault))
        }
        if isKept { keep(value, as: name, in: store) }
        return value
    }

    /// Adds a record that was read or written.
    func keep(_ value: Value, as name: RecordName, in store: KeyringStore) {
        if let tag = store.tag(of: name) { values[name.id] = (tag, value) }
    }
}
