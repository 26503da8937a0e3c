import Support

/// Generates random SQL statements of an attacker who knows the tables of a keyring, but has no key.
enum SQLMutation {
    private static let tables: [(name: String, columns: [String])] = [
        ("rings", ["id", "version", "record"]),
        (
            "contacts",
            [
                "id", "ring", "name_tag", "number_tag", "card_version", "card", "state_version",
                "state",
            ]
        ),
        ("kept", ["contact", "number", "record"]),
        ("retired", ["contact", "number", "version", "record"]),
        ("unwritten", ["id", "ring", "process", "record"]),
        ("flights", ["process", "record"]),
        ("used_keys", ["tag"]),
        ("reread", ["contact", "session", "number", "ring", "record"]),
        ("ledger", ["version", "record"]),
        ("account", ["id", "record"]),
    ]

    /// Returns a random statement.
    ///
    /// - Parameter attach: returns the statement that attaches an older state of the file as `older`.
    static func statement(
        _ generator: inout Generator, attach: (inout Generator) throws -> String
    ) rethrows -> String {
        let (table, columns) = generator.pick(tables)
        let column = generator.pick(columns)
        let row = "rowid = (SELECT rowid FROM \(table) ORDER BY random() LIMIT 1)"
        let key = ["kept", "retired"].contains(table) ? "(contact, number)" : nil
        let one =
            key.map {
                "\($0) = (SELECT \($0.dropFirst().dropLast()) FROM \(table) ORDER BY random() LIMIT 1)"
            }
            ?? (table == "flights"
                ? "process = (SELECT process FROM flights LIMIT 1)"
                : table == "used_keys"
                    ? "tag = (SELECT min(tag) FROM used_keys)"
                    : table == "reread" ? "number = (SELECT min(number) FROM reread)" : row)
        // In some cases, the matching ledger is also restored.
        let ledger =
            generator.once(in: 4)
            ? "; REPLACE INTO main.ledger SELECT * FROM older.ledger" : ""
        switch generator.number(below: 15) {
        case 0:
            return exchange(generator.pick(["name_tag", "number_tag", "card", "state", "ring"]))
        case 1:
            return "UPDATE OR REPLACE \(table) SET \(column) = (SELECT \(column) FROM \(table) "
                + "ORDER BY random() LIMIT 1) WHERE \(one)"
        case 2: return "DELETE FROM \(table) WHERE \(one)"
        case 3:
            let whole = try attach(&generator)
            return whole
                + "DELETE FROM main.\(table); INSERT INTO main.\(table) SELECT * FROM older.\(table)"
                + ledger
        case 4:
            return try attach(&generator)
                + "INSERT OR REPLACE INTO main.\(table) SELECT * FROM older.\(table) "
                + "ORDER BY random() LIMIT 1" + ledger
        case 5:
            let column = generator.pick(["state", "card"])
            return try attach(&generator)
                + "UPDATE contacts SET (\(column), \(column)_version) = (SELECT \(column), "
                + "\(column)_version FROM older.contacts AS o WHERE o.id = contacts.id) WHERE id = "
                + "\(generator.number(below: 3) + 1)" + ledger
        case 6: return "CREATE TABLE stash (row BLOB); " + trigger(&generator)
        case 7:
            return generator.pick([
                "ALTER TABLE contacts RENAME TO others; CREATE VIEW contacts AS SELECT * FROM others",
                "CREATE INDEX more ON contacts (ring)", "CREATE TABLE more (x)",
                "CREATE VIEW more AS SELECT * FROM contacts", "ANALYZE",
                "CREATE UNIQUE INDEX more ON contacts (name_tag) WHERE id > 1",
            ])
        case 8:
            let value = generator.pick([
                "99", "2", "0", "-1", "x''", "''", "NULL", "'c'", "randomblob(16)",
            ])
            return "UPDATE OR IGNORE \(table) SET \(column) = \(value) WHERE \(one)"
        case 9:
            return
                "UPDATE rings SET record = (SELECT r.record FROM rings r WHERE r.id = 3 - rings.id)"
        case 10:
            // Exchange the root pages of two tables, or of a table and an index.
            let other = generator.pick(tables).name
            return "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = (SELECT "
                + "sum(rootpage) FROM sqlite_schema WHERE name IN ('\(table)', '\(other)')) - rootpage "
                + "WHERE name IN ('\(table)', '\(other)') AND '\(table)' <> '\(other)'"
        case 11:
            // Replace a record with a record of a different table.
            let sources = ["kept", "retired", "unwritten", "flights", "rings", "ledger"]
            return "UPDATE OR IGNORE \(generator.pick(sources)) SET record = (SELECT record FROM "
                + "\(generator.pick(sources)) ORDER BY random() LIMIT 1)"
        case 12:
            // Copy keys of one contact to another, or of one table to another.
            return generator.pick([
                "UPDATE OR IGNORE \(generator.pick(["kept", "retired"])) SET contact = 3 - contact",
                "UPDATE kept SET number = -number", "UPDATE retired SET version = version - 1",
                "INSERT OR IGNORE INTO unwritten SELECT number, 1, x'', record FROM kept LIMIT 3",
                "INSERT OR REPLACE INTO kept SELECT contact, number, record FROM retired",
                "UPDATE contacts SET ring = 3 - ring", "UPDATE contacts SET id = id + 1000",
            ])
        case 13:
            let table = generator.pick(["unwritten", "flights"])
            return try attach(&generator)
                + "INSERT OR IGNORE INTO main.\(table) SELECT * FROM older.\(table); "
                + "REPLACE INTO main.ledger SELECT * FROM older.ledger"
        default:
            return
                "PRAGMA \(generator.pick(["user_version = 1", "user_version = 3", "application_id = 7", "journal_mode = DELETE"]))"
        }
    }

    /// Exchanges a column of contacts 1 and 2, even if its values are unique.
    private static func exchange(_ column: String) -> String {
        """
        CREATE TEMP TABLE held AS SELECT id, \(column) AS value FROM contacts WHERE id IN (1, 2);
        UPDATE contacts SET \(column) = CASE typeof(\(column)) WHEN 'blob' THEN randomblob(16) ELSE 0 END
            WHERE id IN (1, 2);
        UPDATE contacts SET \(column) = (SELECT value FROM held WHERE held.id = 3 - contacts.id)
            WHERE id IN (1, 2);
        """
    }

    private static func trigger(_ generator: inout Generator) -> String {
        generator.pick([
            """
            CREATE TRIGGER more BEFORE UPDATE ON contacts BEGIN
                INSERT INTO stash VALUES (old.state); END
            """,
            "CREATE TRIGGER more BEFORE DELETE ON kept BEGIN INSERT INTO stash VALUES (old.record); END",
            """
            CREATE TRIGGER more AFTER UPDATE OF state ON contacts BEGIN UPDATE contacts SET
                state = old.state, state_version = old.state_version WHERE id = old.id; END
            """,
        ])
    }
}
