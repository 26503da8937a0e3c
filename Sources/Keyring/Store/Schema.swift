/// The tables of a keyring (smsenc-keyring(5), Tables).
///
/// Sealed records have their table, row and version as associated data, so that a record cannot be moved to
/// another row. Tags are keyed hashes, so nobody can find out without the key whether a name or number is in
/// the file.
enum Schema {
    /// "smse" in ASCII, at offset 68 of the file.
    static let applicationID = 0x736D_7365
    static let version = 2

    /// Text at the end of the first page, where SQLite stores the statements that created the tables.
    static let firstTable = Array("CREATE TABLE account (".utf8)

    static let text =
        """
        PRAGMA journal_mode = WAL;
        BEGIN IMMEDIATE;
        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = \(version);

        """ + tables.joined(separator: ";\n") + ";\nCOMMIT;"

    /// Checks that a database has exactly the tables of a keyring. This check precedes all other uses of the
    /// tables.
    static func check(_ database: Database) throws(KeyringError) {
        var expected = tables[...]
        let rows = try database.statement(
            "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid")
        while try rows.step() {
            let isTable = rows.text(0) == "table" && rows.text(1) == rows.text(2)
            let isKnown =
                isTable
                ? expected.popFirst() == rows.text(3)
                : rows.text(0) == "index" && rows.isNull(3) && rows.text(2) == "contacts"
            guard isKnown else { throw .store(.damaged(foreign(rows.text(0)))) }
        }
        guard expected.isEmpty else { throw .store(.damaged("a table is missing")) }
        guard try database.statement("PRAGMA journal_mode").first({ $0.text(0) }) == "wal" else {
            throw .store(.damaged("it uses a rollback journal instead of a write-ahead log"))
        }
        let strange = try database.statement(
            """
            SELECT 1 FROM account WHERE id != 1 UNION ALL SELECT 1 FROM lockout WHERE id != 1
                UNION ALL SELECT 1 FROM ledger WHERE id != 1
                UNION ALL SELECT 1 FROM backup WHERE id != 1
            """
        ).first { $0.integer(0) }
        guard strange == nil else {
            throw .store(.damaged("it contains a row that does not belong to a keyring"))
        }
    }

    /// Returns the description of a table, index, view or trigger that does not belong to a keyring.
    private static func foreign(_ type: String) -> String {
        let kinds = ["table", "index", "view", "trigger"]
        let kind = kinds.contains(type) ? type : "object"
        return "the file contains a foreign \(kind)"
    }

    /// The statements that create the tables, in order. The statements must be identical to those in
    /// smsenc-keyring(5).
    static let tables = [
        """
        CREATE TABLE account (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            record BLOB NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE lockout (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            tries INTEGER NOT NULL,
            holder TEXT NOT NULL,
            boot TEXT NOT NULL,
            until INTEGER NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE ledger (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            version INTEGER NOT NULL,
            record BLOB NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE rings (
            id INTEGER PRIMARY KEY,
            version INTEGER NOT NULL,
            record BLOB NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE contacts (
            id INTEGER PRIMARY KEY,
            ring INTEGER NOT NULL,
            name_tag BLOB NOT NULL UNIQUE,
            number_tag BLOB UNIQUE,
            card_version INTEGER NOT NULL,
            card BLOB NOT NULL,
            state_version INTEGER NOT NULL,
            state BLOB NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE kept (
            contact INTEGER NOT NULL,
            number INTEGER NOT NULL,
            record BLOB NOT NULL,
            PRIMARY KEY (contact, number)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE retired (
            contact INTEGER NOT NULL,
            number INTEGER NOT NULL,
            version INTEGER NOT NULL,
            record BLOB NOT NULL,
            PRIMARY KEY (contact, number)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE unwritten (
            id INTEGER PRIMARY KEY,
            ring INTEGER NOT NULL,
            process BLOB NOT NULL,
            record BLOB NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE flights (
            process BLOB PRIMARY KEY,
            record BLOB NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE used_keys (
            tag BLOB PRIMARY KEY
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE reread (
            contact INTEGER NOT NULL,
            session BLOB NOT NULL,
            number INTEGER NOT NULL,
            ring INTEGER NOT NULL,
            record BLOB NOT NULL,
            PRIMARY KEY (contact, session, number)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE backup (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            exported INTEGER NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE changed_contacts (
            contact INTEGER PRIMARY KEY,
            commits INTEGER NOT NULL,
            is_new INTEGER NOT NULL
        ) STRICT
        """,
    ]
}
