internal import Crypto

/// The list of all records except the header. The list contains the name and the tag of each record
/// (smsenc-keyring(5), Integrity).
///
/// The header contains the digest of this list. If the digest of the list is correct, no record was
/// removed, added or replaced with an older copy. The list has 16 parts, and each part has a digest. A
/// commit therefore computes only the digests of the parts that it changes.
struct RecordList {
    private static let partCount = 16

    private var parts: [Part]

    /// Creates an empty list.
    init() { parts = Array(repeating: Part([]), count: Self.partCount) }

    /// Reads the list from the table `tags`.
    ///
    /// - Throws: `damaged` if the rows are out of order or malformed.
    init(of database: Database) throws(KeyringError) {
        let rows = try database.statement("SELECT kind, id, tag FROM tags ORDER BY kind, id")
        var entries = [[Entry]](repeating: [], count: Self.partCount)
        var last = RecordName.header
        while try rows.step() {
            let id = rows.integer(1)
            guard let number = UInt8(exactly: rows.integer(0)),
                let kind = RecordKind(rawValue: number), kind != .header, 0..<(1 << 62) ~= id,
                let tag: RecordTag = rows.value(2)
            else { throw .store(.damaged("the list of records has a strange row")) }
            let name = RecordName(kind, id)
            guard last < name else {
                throw .store(.damaged("the list of records is out of order"))
            }
            last = name
            entries[Self.part(of: name)].append(Entry(name, tag))
        }
        parts = entries.map { Part($0) }
    }

    /// The index of the part that contains a record.
    private static func part(of name: RecordName) -> Int { Int(name.id >> 58) }

    var count: Int { parts.reduce(0) { $0 + $1.entries.count } }

    /// SHA-256 of the digests of all parts.
    var digest: [UInt8] { Digest.sha256(parts.reduce(into: []) { $0 += $1.digest }) }

    /// The tag of a record, or nil if the list does not contain the record.
    subscript(name: RecordName) -> RecordTag? { parts[Self.part(of: name)][name] }

    /// The ids of all records of a kind, in ascending order.
    func ids(of kind: RecordKind) -> [Int64] { parts.flatMap { $0.ids(of: kind) } }

    /// The names of all records in the list, in ascending order.
    var names: [RecordName] {
        RecordKind.allCases.flatMap { kind in ids(of: kind).map { RecordName(kind, $0) } }
    }

    /// Returns a copy of the list with some records changed. If the tag of a record is nil, the record is
    /// removed.
    func applying(_ changes: [RecordName: RecordTag?]) -> RecordList {
        var changed = self
        var own = [[(name: RecordName, tag: RecordTag?)]](repeating: [], count: parts.count)
        for (name, tag) in changes.sorted(by: { $0.key < $1.key }) {
            own[Self.part(of: name)].append((name, tag))
        }
        for (index, changes) in own.enumerated() where !changes.isEmpty {
            changed.parts[index] = parts[index].applying(changes)
        }
        return changed
    }
}

extension RecordList {
    /// An entry of the list in the form that is hashed.
    fileprivate struct Entry: BitwiseCopyable {
        private let kind: UInt8
        private let id: InlineArray<8, UInt8>
        let tag: RecordTag

        init(_ name: RecordName, _ tag: RecordTag) {
            kind = name.kind.rawValue
            id = unsafe unsafeBitCast(name.id.bigEndian, to: InlineArray<8, UInt8>.self)
            self.tag = tag
        }

        var order: UInt128 {
            unsafe UInt128(kind) << 64 | UInt128(unsafeBitCast(id, to: UInt64.self).bigEndian)
        }
    }

    /// A part of the list, sorted by name.
    fileprivate struct Part {
        let entries: [Entry]
        /// SHA-256 of all entries.
        let digest: [UInt8]

        init(_ entries: [Entry]) {
            self.entries = entries
            digest = unsafe entries.withUnsafeBytes {
                unsafe Digest.sha256(Span(_unsafeBytes: $0))
            }
        }

        subscript(name: RecordName) -> RecordTag? {
            let index = firstIndex(from: name)
            guard index < entries.count, entries[index].order == name.order else { return nil }
            return entries[index].tag
        }

        func ids(of kind: RecordKind) -> [Int64] {
            entries[firstIndex(from: RecordName(kind, 0))...]
                .prefix { $0.order >> 64 == kind.rawValue }
                .map { Int64(truncatingIfNeeded: $0.order) }
        }

        /// Returns a copy of this part with some records changed. The changes must be sorted by name.
        func applying(_ changes: [(name: RecordName, tag: RecordTag?)]) -> Part {
            var changed: [Entry] = []
            changed.reserveCapacity(entries.count + changes.count)
            var next = 0
            for (name, tag) in changes {
                let index = firstIndex(from: name)
                changed += entries[next..<index]
                let isListed = index < entries.count && entries[index].order == name.order
                next = isListed ? index + 1 : index
                if let tag { changed.append(Entry(name, tag)) }
            }
            changed += entries[next...]
            return Part(changed)
        }

        /// Returns the index of the first entry whose name is equal to `name` or follows it.
        private func firstIndex(from name: RecordName) -> Int {
            var (low, high) = (0, entries.count)
            while low < high {
                let middle = (low + high) / 2
                if entries[middle].order < name.order { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }
}
