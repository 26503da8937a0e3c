internal import Crypto

/// A kind of row with a sealed record. This type describes all differences between the kinds, except the
/// content of their records. The raw values are part of the file's format.
enum RowKind: UInt8, CaseIterable {
    case header, ring, card, state, skippedKey, retiredChain, unwritten, inFlight, usedKey, reread

    var table: String { layout.table }

    /// The table of the rows, its columns, and the columns of the key, by which rows are ordered.
    ///
    /// The columns are in the order in which they are read and bound: id, number, version, record, then the
    /// fields, which are bytes. A kind that lacks a column has a constant there.
    private var layout: (table: String, columns: [String], key: [String]) {
        switch self {
        case .header: ("ledger", ["id", "0", "version", "record"], ["id"])
        case .ring: ("rings", ["id", "0", "version", "record"], ["id"])
        case .card:
            (
                "contacts", ["id", "ring", "card_version", "card", "name_tag", "number_tag"],
                ["id"]
            )
        case .state: ("contacts", ["id", "card_version", "state_version", "state"], ["id"])
        case .skippedKey: ("kept", ["contact", "number", "0", "record"], ["contact", "number"])
        case .retiredChain:
            ("retired", ["contact", "number", "version", "record"], ["contact", "number"])
        case .unwritten: ("unwritten", ["id", "ring", "0", "record", "process"], ["id"])
        case .inFlight: ("flights", ["0", "0", "0", "record", "process"], ["process"])
        case .usedKey: ("used_keys", ["0", "0", "0", "x''", "tag"], ["tag"])
        case .reread:
            (
                "reread", ["contact", "number", "ring", "record", "session"],
                ["contact", "session", "number"]
            )
        }
    }

    /// The group of the keyring header in which rows of this kind are counted. Skipped keys and retired
    /// chains are counted in their contact's state, and the header is not counted.
    var group: KeyringHeader.Group {
        switch self {
        case .ring: .rings
        case .card, .state: .contacts
        case .unwritten, .inFlight: .transit
        case .usedKey: .usedKeys
        case .reread: .reread
        case .header, .skippedKey, .retiredChain: preconditionFailure("not counted in the header")
        }
    }

    /// An operation on rows of a kind, for which there is a prepared statement.
    enum Query: Int, CaseIterable {
        /// Reads all rows without using an index.
        case all
        /// Reads or deletes the rows whose key begins with an id.
        case withID, deleteWithID
        case one, write, deleteOne
        /// Reads the contact with a name tag or number tag.
        case named, numbered
    }

    func sql(_ query: Query) -> String {
        let (table, names, key) = layout
        var select: String { "SELECT \(names.joined(separator: ", ")) FROM \(table)" }
        var order: String { " ORDER BY " + key.joined(separator: ", ") }
        let conditions = key.map { "\($0) = ?\(1 + (names.firstIndex(of: $0) ?? 0))" }
        var one: String { conditions.joined(separator: " AND ") }
        switch query {
        case .all:
            return select + (table == "contacts" ? " NOT INDEXED" : "") + order
        case .withID: return select + " WHERE \(conditions[0])" + order
        case .one: return select + " WHERE \(one)"
        case .named: return select + " WHERE name_tag = ?1"
        case .numbered: return select + " WHERE number_tag = ?1"
        case .deleteWithID: return "DELETE FROM \(table) WHERE \(conditions[0])"
        case .deleteOne: return "DELETE FROM \(table) WHERE \(one)"
        case .write: break
        }
        switch self {
        case .card:
            // A contact's card is written before its state.
            return """
                INSERT INTO contacts (id, ring, card_version, card, name_tag, number_tag, state_version, state)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, x'') ON CONFLICT (id) DO UPDATE
                SET card_version = ?3, card = ?4, name_tag = ?5, number_tag = ?6
                """
        case .state: return "UPDATE contacts SET state_version = ?3, state = ?4 WHERE id = ?1"
        default:
            let stored = names.indices.filter { !["0", "x''"].contains(names[$0]) }
            let values = stored.map { "?\($0 + 1)" }.joined(separator: ", ")
            let written = stored.map { names[$0] }.joined(separator: ", ")
            // A used key is inserted once and never replaced.
            let verb = self == .usedKey ? "INSERT" : "REPLACE"
            return "\(verb) INTO \(table) (\(written)) VALUES (\(values))"
        }
    }
}

/// The identity of a row: its kind and all its columns except the record.
///
/// These columns are the record's associated data, so that the record cannot be opened in another row. The
/// columns are also included in the sum over the rows.
struct Row {
    let kind: RowKind
    /// The id of a ring or contact. In a row of unwritten keys, this is the count of the commit that wrote
    /// the keys.
    let id: Int64
    /// A number whose meaning depends on the kind of row. In a row of skipped keys, this is the number of the
    /// first key that was stored in the row. In a row with a retired chain, this is the number of the chain.
    /// In a contact's card and in a row of unwritten keys, this is the id of the ring. In a contact's state,
    /// this is the version of the card. For rows for rereading, see `RereadStore`.
    let number: Int64
    /// The number of times that the record was written, if records of this kind are rewritten. In a row for
    /// rereading, this is the id of the ring.
    let version: Int64
    /// The columns of bytes after the record. Absent columns are nil.
    let fields: [[UInt8]?]
    let context: AssociatedData

    init(
        _ kind: RowKind, id: Int64 = 0, number: Int64 = 0, version: Int64 = 0,
        _ fields: [[UInt8]?] = []
    ) {
        self.kind = kind
        self.id = id
        self.number = number
        self.version = version
        self.fields = fields
        context = AssociatedData(kind, row: id, number: number, version: version, fields)
    }

    /// Reads the current row of a statement of `RowKind`.
    fileprivate init(_ kind: RowKind, in statement: Statement) {
        self.init(
            kind, id: statement.integer(0), number: statement.integer(1),
            version: statement.integer(2),
            (4..<statement.columns).map { statement.isNull($0) ? nil : statement.bytes($0) })
    }

    /// The first of the fields, such as the tag of a used key.
    var tag: [UInt8] { fields[0] ?? [] }

    /// In a row of keys in flight or of unwritten keys, the process that writes the messages.
    var process: String { String(decoding: tag, as: UTF8.self) }

    /// The session that stored this row of table `reread`.
    var session: SessionMark { SessionMark(stored: tag) }

    /// Returns true if this row comes before another row of its kind in the order of their keys.
    func precedes(_ other: Row) -> Bool {
        switch kind {
        case .header, .ring, .card, .state, .unwritten: id < other.id
        case .skippedKey, .retiredChain: (id, number) < (other.id, other.number)
        case .inFlight, .usedKey: tag.lexicographicallyPrecedes(other.tag)
        case .reread where id == other.id && tag == other.tag: number < other.number
        case .reread where id == other.id: tag.lexicographicallyPrecedes(other.tag)
        case .reread: id < other.id
        }
    }

    /// Binds the row's columns and its record to a statement of `RowKind`.
    func bind(_ record: [UInt8]?, to statement: Statement) -> Statement {
        statement.bind(id).bind(number).bind(version).bind(record)
        for field in fields { statement.bind(field) }
        return statement
    }
}

/// A row that was read from the file, with its sealed record.
struct StoredRow {
    let row: Row
    private let record: [UInt8]

    /// Reads the next row of a statement. Returns nil if there are no more rows.
    init?(next statement: Statement, _ kind: RowKind) throws(KeyringError) {
        guard try statement.step() else { return nil }
        row = Row(kind, in: statement)
        record = statement.bytes(3)
    }

    /// Returns the hash of the row that is used in sums, or nil if the record was not written yet.
    func hash(_ key: KeyedHash) -> MultisetHash? {
        record.isEmpty && row.kind != .usedKey ? nil : key.rowHash(row.context, record.span)
    }

    /// Opens the sealed record and passes it to `body`.
    ///
    /// - Throws: `damaged` if the record was altered or belongs to another row.
    func read<Result: ~Copyable>(
        _ key: borrowing SealingKey, _ body: (inout SecretReader) throws(InvalidRecord) -> Result
    ) throws(KeyringError) -> Result {
        var reader = SecretReader(try key.open(record.span, in: row.context))
        do throws(InvalidRecord) {
            return try body(&reader)
        } catch {
            throw .store(.damaged("a record is truncated"))
        }
    }
}
