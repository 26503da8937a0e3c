/// The tables of a keyring (smsenc-keyring(5), Tables).
enum Schema {
    /// "smse" in ASCII, at offset 68 of the file.
    static let applicationID = 0x736D_7365
    static let version = 3
    /// Offset of the two version bytes in the database header. SQLite sets both bytes to 2 if the database
    /// uses a write-ahead log.
    static let journalOffset = 18

    /// The beginning of the first statement that created a table. SQLite stores these statements at the end
    /// of the first page.
    static let firstTable = Array("CREATE TABLE account (".utf8)

    static let text =
        """
        PRAGMA journal_mode = WAL;
        BEGIN IMMEDIATE;
        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = \(version);

        """ + tables.joined(separator: ";\n") + ";\nCOMMIT;"

    /// Checks that a database has exactly the tables of a keyring. The tables must not be used before this
    /// check.
    static func check(_ database: Database) throws(KeyringError) {
        var expected = tables[...]
        let rows = try database.statement(
            "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid")
        while try rows.step() {
            let isTable = rows.text(0) == "table" && rows.text(1) == rows.text(2)
            let isKnown =
                isTable
                ? expected.popFirst() == rows.text(3)
                : rows.text(0) == "index" && rows.text(3).isEmpty && rows.text(2) == "records"
            guard isKnown else {
                let kinds = ["table", "index", "view", "trigger"]
                let kind = kinds.contains(rows.text(0)) ? rows.text(0) : "object"
                throw .store(.damaged("the file contains an unknown \(kind)"))
            }
        }
        guard expected.isEmpty else { throw .store(.damaged("a table is missing")) }
    }

    /// The statements that create the tables, in order. The statements must be identical to those in
    /// smsenc-keyring(5).
    static let tables = [
        """
        CREATE TABLE account (
            id INTEGER PRIMARY KEY CHECK (id = 1), record BLOB NOT NULL, lockout BLOB NOT NULL) STRICT
        """,
        """
        CREATE TABLE tags (
            kind INTEGER NOT NULL, id INTEGER NOT NULL, tag BLOB NOT NULL,
            PRIMARY KEY (kind, id)) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE records (
            kind INTEGER NOT NULL, id INTEGER NOT NULL, sealed BLOB NOT NULL,
            PRIMARY KEY (kind, id)) STRICT
        """,
    ]
}
