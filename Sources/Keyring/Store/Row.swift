internal import Crypto

/// A kind of row with a sealed record. This type describes everything in which the kinds differ, except the
/// content of their records. All rows but the header are counted in a sum.
enum RowKind: UInt8, CaseIterable {
    case ledger, ring, card, state, kept, retired, unwritten, flights, usedKey, reread

    var table: String {
        switch self {
        case .ledger: "ledger"
        case .ring: "rings"
        case .card, .state: "contacts"
        case .kept: "kept"
        case .retired: "retired"
        case .unwritten: "unwritten"
        case .flights: "flights"
        case .usedKey: "used_keys"
        case .reread: "reread"
        }
    }

    /// The group of the keyring header in which rows of this kind are counted. Skipped keys and retired
    /// chains are counted in their contact's state.
    var sum: KeyringHeader.Sum {
        switch self {
        case .ring: .rings
        case .card, .state: .contacts
        case .unwritten, .flights: .transit
        case .usedKey: .usedKeys
        case .reread: .reread
        case .ledger, .kept, .retired: preconditionFailure("not counted in the ledger")
        }
    }

    /// The columns in the order in which they are read and bound: id, number, version, record, then the
    /// fields, which are bytes. A kind that lacks a column has a constant there.
    private var columns: [String] {
        switch self {
        case .ledger, .ring: ["id", "0", "version", "record"]
        case .card: ["id", "ring", "card_version", "card", "name_tag", "number_tag"]
        case .state: ["id", "card_version", "state_version", "state"]
        case .kept: ["contact", "number", "0", "record"]
        case .retired: ["contact", "number", "version", "record"]
        case .unwritten: ["id", "ring", "0", "record", "process"]
        case .flights: ["0", "0", "0", "record", "process"]
        case .usedKey: ["0", "0", "0", "x''", "tag"]
        case .reread: ["contact", "number", "ring", "record", "session"]
        }
    }

    /// The columns that identify a row, and by which rows are ordered.
    private var key: [String] {
        switch self {
        case .ledger, .ring, .card, .state, .unwritten: ["id"]
        case .kept, .retired: ["contact", "number"]
        case .flights: ["process"]
        case .usedKey: ["tag"]
        case .reread: ["contact", "session", "number"]
        }
    }

    /// SQL that inserts or replaces a row. A contact's card must be written before its state.
    private var put: String {
        switch self {
        case .card:
            return """
                INSERT INTO contacts (id, ring, card_version, card, name_tag, number_tag, state_version, state)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, x'') ON CONFLICT (id) DO UPDATE
                SET card_version = ?3, card = ?4, name_tag = ?5, number_tag = ?6
                """
        case .state: return "UPDATE contacts SET state_version = ?3, state = ?4 WHERE id = ?1"
        default:
            let stored = columns.indices.filter { !["0", "x''"].contains(columns[$0]) }
            let names = stored.map { columns[$0] }.joined(separator: ", ")
            let values = stored.map { "?\($0 + 1)" }.joined(separator: ", ")
            // A used key is inserted once and never replaced.
            let verb = self == .usedKey ? "INSERT" : "REPLACE"
            return "\(verb) INTO \(table) (\(names)) VALUES (\(values))"
        }
    }

    /// Operations on rows of a kind.
    enum Verb: Int, CaseIterable {
        /// Reads all rows without using an index.
        case all
        /// Reads or deletes the rows whose key begins with an id.
        case some, dropSome
        case one, put, dropOne
        /// Reads the contact with a name tag or number tag.
        case someNamed, someNumbered
    }

    func sql(_ verb: Verb) -> String {
        let names = columns
        let columns = names.joined(separator: ", ")
        let order = key.joined(separator: ", ")
        let conditions = key.map { "\($0) = ?\(1 + (names.firstIndex(of: $0) ?? 0))" }
        let (some, one) = (conditions[0], conditions.joined(separator: " AND "))
        switch verb {
        case .all:
            let walk = table == "contacts" ? "contacts NOT INDEXED" : table
            return "SELECT \(columns) FROM \(walk) ORDER BY \(order)"
        case .some: return "SELECT \(columns) FROM \(table) WHERE \(some) ORDER BY \(order)"
        case .one: return "SELECT \(columns) FROM \(table) WHERE \(one)"
        case .someNamed: return "SELECT \(columns) FROM \(table) WHERE name_tag = ?1"
        case .someNumbered: return "SELECT \(columns) FROM \(table) WHERE number_tag = ?1"
        case .put: return put
        case .dropSome: return "DELETE FROM \(table) WHERE \(some)"
        case .dropOne: return "DELETE FROM \(table) WHERE \(one)"
        }
    }
}

/// The identity of a row: its kind and all its columns except the record.
///
/// These are the record's associated data, so that the record cannot be opened in another row. They also
/// enter the sum over rows.
struct Row {
    let kind: RowKind
    /// The id of a ring or contact. For unwritten keys, the count of the commit that wrote them.
    let id: Int64
    /// For skipped keys and retired chains, their number within the contact. For a contact's card and for
    /// unwritten keys, the ring. For a contact's state, the version of its card.
    let number: Int64
    /// The number of times that the record was written, if records of this kind are rewritten. For a key for
    /// rereading, the ring.
    let version: Int64
    private let fields: [[UInt8]?]
    let context: AssociatedData

    private init(
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

    static func ledger(version: Int64) -> Row { Row(.ledger, id: 1, version: version) }

    static func ring(_ id: Int64, version: Int64) -> Row { Row(.ring, id: id, version: version) }

    static func card(
        of contact: Int64, in ring: Int64, _ tags: Contact.Tags, version: Int64
    ) -> Row {
        Row(.card, id: contact, number: ring, version: version, [tags.name, tags.number])
    }

    static func state(of contact: Int64, withCard cardVersion: Int64, version: Int64) -> Row {
        Row(.state, id: contact, number: cardVersion, version: version)
    }

    static func kept(_ number: Int64, of contact: Int64) -> Row {
        Row(.kept, id: contact, number: number)
    }

    static func retired(_ number: Int64, of contact: Int64, version: Int64) -> Row {
        Row(.retired, id: contact, number: number, version: version)
    }

    static func unwritten(since commit: Int64, in ring: Int64, by process: String) -> Row {
        Row(.unwritten, id: commit, number: ring, [Array(process.utf8)])
    }

    static func flights(of process: String) -> Row { Row(.flights, [Array(process.utf8)]) }

    static func usedKey(_ tag: [UInt8]) -> Row { Row(.usedKey, [tag]) }

    static func reread(
        _ number: Int64, of contact: Int64, in ring: Int64, for session: SessionMark
    ) -> Row {
        Row(.reread, id: contact, number: number, version: ring, [session.bytes])
    }

    /// Reads the current row of a statement of `RowKind`.
    fileprivate init(_ kind: RowKind, in statement: Statement) {
        self.init(
            kind, id: statement.integer(0), number: statement.integer(1),
            version: statement.integer(2),
            (4..<statement.columns).map { statement.isNull($0) ? nil : statement.bytes($0) })
    }

    /// Returns a tag of a card or a used key, or nil if there is none.
    func tag(_ index: Int) -> [UInt8]? { fields[index] }

    /// The tags of a card.
    var tags: Contact.Tags { Contact.Tags(name: tag(0) ?? [], number: tag(1)) }

    /// The process that writes a message: the column of keys in flight and of unwritten keys.
    var process: String { String(decoding: tag(0) ?? [], as: UTF8.self) }

    /// The session that stored this row of table reread.
    var session: SessionMark { SessionMark(stored: tag(0) ?? []) }

    /// Returns true if this row comes before another row of its kind in the order of their keys.
    func precedes(_ other: Row) -> Bool {
        switch kind {
        case .ledger, .ring, .card, .state, .unwritten: id < other.id
        case .kept, .retired: (id, number) < (other.id, other.number)
        case .flights, .usedKey: (tag(0) ?? []).lexicographicallyPrecedes(other.tag(0) ?? [])
        case .reread where id == other.id && tag(0) == other.tag(0): number < other.number
        case .reread where id == other.id:
            session.bytes.lexicographicallyPrecedes(other.session.bytes)
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

    /// Returns the row's hash for sums, or nil if its record was not written yet.
    func weight(_ hash: KeyedHash) -> MultisetHash? {
        record.isEmpty && row.kind != .usedKey ? nil : hash.weight(row.context, record.span)
    }

    /// Opens the sealed record and passes it to `body`.
    ///
    /// - Throws: `damaged` if the record was altered or belongs to another row.
    func read<Result: ~Copyable>(
        _ sealer: borrowing SealingKey, _ body: (inout SecretReader) throws(InvalidRecord) -> Result
    ) throws(KeyringError) -> Result {
        var reader = SecretReader(try sealer.open(record.span, in: row.context))
        do throws(InvalidRecord) {
            return try body(&reader)
        } catch {
            throw .store(.damaged("a record is truncated"))
        }
    }
}
