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

    /// The associated data of the sealed record, which consist of the kind and the id. They ensure that the
    /// record can be opened only under this name.
    var context: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    /// Appends the kind (1 byte) and the id (8).
    fileprivate func append(to bytes: inout [UInt8]) {
        bytes.append(kind.rawValue)
        unsafe withUnsafeBytes(of: id.bigEndian) { unsafe bytes.append(contentsOf: $0) }
    }

    /// A number for comparing names. It determines the order of names in the list of records.
    fileprivate var order: UInt128 {
        UInt128(kind.rawValue) << 64 | UInt128(UInt64(bitPattern: id))
    }

    static func < (one: RecordName, other: RecordName) -> Bool { one.order < other.order }
}

/// The authentication tag of a record, which is the last 16 bytes of the sealed record.
struct RecordTag: Equatable {
    static let size = SealingKey.tagSize

    fileprivate let number: UInt128

    /// Reads the tag at the end of a sealed record. Returns nil if the record is too short.
    init?(of sealed: [UInt8]) {
        guard sealed.count >= Self.size else { return nil }
        number = sealed.suffix(Self.size).reduce(0) { $0 << 8 | UInt128($1) }
    }

    fileprivate init(number: UInt128) { self.number = number }

    var bytes: [UInt8] { Array(bigEndian: number) }
}

/// The list of all records except the header. It contains the name and the tag of each record, sorted by
/// name.
///
/// The header contains the digest of this list. If the digest is correct, no record was removed, added or
/// replaced with an older copy.
@safe
struct RecordList {
    /// Bytes in an entry: kind (1), id (8), tag (16).
    private static let entrySize = 9 + RecordTag.size

    private var bytes: [UInt8] = []

    init() {}

    /// Reads the list from the table `tags`.
    ///
    /// - Throws: `damaged` if the rows are out of order or malformed.
    init(of database: Database) throws(KeyringError) {
        let rows = try database.statement("SELECT kind, id, tag FROM tags ORDER BY kind, id")
        bytes.reserveCapacity(Self.entrySize * 8192)
        var last = RecordName.header
        while try rows.step() {
            guard let number = UInt8(exactly: rows.integer(0)),
                let kind = RecordKind(rawValue: number), kind != .header, rows.integer(1) >= 0
            else { throw .store(.damaged("the list of records has a strange row")) }
            let name = RecordName(kind, rows.integer(1))
            guard last < name else {
                throw .store(.damaged("the list of records is out of order"))
            }
            last = name
            name.append(to: &bytes)
            let size = bytes.count
            rows.append(2, to: &bytes)
            guard bytes.count == size + RecordTag.size else {
                throw .store(.damaged("the list of records has a strange row"))
            }
        }
    }

    var count: Int { bytes.count / Self.entrySize }

    /// SHA-256 of all entries.
    var digest: [UInt8] { Digest.sha256(bytes) }

    /// The tag of a record, or nil if the list does not contain the record.
    subscript(name: RecordName) -> RecordTag? {
        let index = firstIndex(from: name)
        guard index < count, order(at: index) == name.order else { return nil }
        return RecordTag(number: number(at: index * Self.entrySize + 9))
    }

    /// The ids of all records of a kind, in ascending order.
    func ids(of kind: RecordKind) -> [Int64] {
        (firstIndex(from: RecordName(kind, 0))..<count)
            .prefix { order(at: $0) >> 64 == kind.rawValue }
            .map { Int64(truncatingIfNeeded: order(at: $0)) }
    }

    /// All names, in ascending order.
    var names: [RecordName] {
        RecordKind.allCases.flatMap { kind in ids(of: kind).map { RecordName(kind, $0) } }
    }

    /// Returns a copy of the list with some records changed. If the tag of a record is nil, the record is
    /// removed.
    func applying(_ changes: [RecordName: RecordTag?]) -> RecordList {
        var changed = RecordList()
        changed.bytes.reserveCapacity(bytes.count + changes.count * Self.entrySize)
        var next = 0
        for (name, tag) in changes.sorted(by: { $0.key < $1.key }) {
            let index = firstIndex(from: name)
            changed.append(next..<index, of: self)
            next = index < count && order(at: index) == name.order ? index + 1 : index
            guard let tag else { continue }
            name.append(to: &changed.bytes)
            changed.bytes += tag.bytes
        }
        changed.append(next..<count, of: self)
        return changed
    }

    /// Appends entries of another list. An array slice would be copied byte by byte in Embedded Swift.
    private mutating func append(_ entries: Range<Int>, of other: RecordList) {
        let range = (entries.lowerBound * Self.entrySize)..<(entries.upperBound * Self.entrySize)
        unsafe other.bytes.withUnsafeBytes {
            unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: $0[range]))
        }
    }

    /// Returns the index of the first entry whose name is equal to `name` or follows it.
    private func firstIndex(from name: RecordName) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if order(at: middle) < name.order { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func order(at index: Int) -> UInt128 {
        UInt128(bytes[index * Self.entrySize]) << 64
            | UInt128(number(at: index * Self.entrySize + 1) as UInt64)
    }

    /// Reads the integer at an offset.
    private func number<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Number {
        precondition(offset + Number.bitWidth / 8 <= bytes.count)
        return unsafe bytes.withUnsafeBytes {
            unsafe $0.loadUnaligned(fromByteOffset: offset, as: Number.self).bigEndian
        }
    }
}

/// Parsed records with their tags. A value is used only if its tag is still in the list of records. Values
/// from a transaction that was rolled back are therefore never used.
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
