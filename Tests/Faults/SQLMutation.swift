import Support

/// Generates random SQL statements of an attacker who knows the tables of a keyring, but has no key.
enum SQLMutation {
    private static let tables: [(name: String, columns: [String])] = [
        ("records", ["kind", "id", "sealed"]), ("tags", ["kind", "id", "tag"]),
        ("account", ["id", "record", "lockout"]),
    ]
    /// Numbers of the kinds of records, beginning with the header.
    private static let kinds = 0...6

    /// Returns a random statement.
    ///
    /// - Parameter attach: returns the statement that attaches an older state of the file, or another
    ///   keyring, as `older`.
    static func statement(
        _ generator: inout Generator, attach: (inout Generator) throws -> String
    ) rethrows -> String {
        let (table, columns) = generator.pick(tables)
        let column = generator.pick(columns)
        let kind = generator.number(below: kinds.count)
        let one = row(of: table, kind, &generator)
        // In some cases, the matching header is also restored.
        let header =
            generator.once(in: 4)
            ? "REPLACE INTO main.records SELECT * FROM older.records WHERE kind = 0; " : ""
        switch generator.number(below: 14) {
        case 0: return exchange(generator.pick([1, 2, 3, 3, 4]), &generator)
        case 1:
            return "UPDATE OR REPLACE \(table) SET \(column) = (SELECT \(column) FROM \(table) "
                + "ORDER BY random() LIMIT 1) WHERE \(one)"
        case 2:
            return listed(&generator).map { "DELETE FROM \($0) WHERE \(one)" }
                .joined(separator: "; ")
        case 3:
            return try attach(&generator)
                + "DELETE FROM main.\(table); INSERT INTO main.\(table) SELECT * FROM older.\(table); "
                + header
        case 4:
            // One record, with its entry in the list or without.
            let name = "(SELECT kind, id FROM older.records WHERE kind = \(kind) ORDER BY random())"
            return try attach(&generator)
                + "CREATE TEMP TABLE chosen AS SELECT * FROM \(name) LIMIT 1; "
                + listed(&generator).map {
                    "REPLACE INTO main.\($0) SELECT * FROM older.\($0) WHERE (kind, id) IN chosen; "
                }.joined() + header
        case 5:
            // All records of a kind.
            return try attach(&generator)
                + listed(&generator).map {
                    "DELETE FROM main.\($0) WHERE kind = \(kind); "
                        + "INSERT INTO main.\($0) SELECT * FROM older.\($0) WHERE kind = \(kind); "
                }.joined() + header
        case 6: return "CREATE TABLE stash (row BLOB); " + trigger(&generator)
        case 7:
            return generator.pick([
                "ALTER TABLE records RENAME TO others; CREATE VIEW records AS SELECT * FROM others",
                "CREATE INDEX more ON records (id)", "CREATE TABLE more (x)",
                "CREATE VIEW more AS SELECT * FROM records", "ANALYZE",
                "CREATE UNIQUE INDEX more ON records (id) WHERE kind = 3",
            ])
        case 8:
            let value = generator.pick([
                "99", "2", "0", "-1", "1 << 62", "x''", "''", "NULL", "'c'", "randomblob(16)",
            ])
            return "UPDATE OR IGNORE \(table) SET \(column) = \(value) WHERE \(one)"
        case 9:
            // Exchange the root pages of two tables, or of a table and the index of the records.
            let names = tables.map(\.name) + ["sqlite_autoindex_records_1"]
            let other = generator.pick(names)
            return "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = (SELECT "
                + "sum(rootpage) FROM sqlite_schema WHERE name IN ('\(table)', '\(other)')) - rootpage "
                + "WHERE name IN ('\(table)', '\(other)') AND '\(table)' <> '\(other)'"
        case 10:
            // Replace a record with a record of another kind.
            let other = generator.number(below: kinds.count)
            return "UPDATE records SET sealed = (SELECT sealed FROM records WHERE kind = \(other) "
                + "ORDER BY random() LIMIT 1) WHERE \(row(of: "records", kind, &generator))"
        case 11:
            // Give records other ids or kinds.
            let change = generator.pick([
                "kind = kind + 1", "kind = kind - 1", "id = id + 1", "id = id - 1", "id = -id",
                "kind = 7 - kind", "id = id + 256",
            ])
            let which = generator.once(in: 2) ? one : "kind = \(kind)"
            return listed(&generator).map { "UPDATE OR IGNORE \($0) SET \(change) WHERE \(which)" }
                .joined(separator: "; ")
        case 12:
            // Restore the records of an older run, whose keys would be used once more.
            return try attach(&generator)
                + "INSERT OR IGNORE INTO main.records SELECT * FROM older.records WHERE kind = 6; "
                + "INSERT OR IGNORE INTO main.tags SELECT * FROM older.tags WHERE kind = 6; "
                + header
        default:
            return
                "PRAGMA \(generator.pick(["user_version = 1", "user_version = 4", "application_id = 7", "journal_mode = DELETE"]))"
        }
    }

    /// Chooses the records, the list of their tags, or both.
    private static func listed(_ generator: inout Generator) -> [String] {
        generator.pick([["records"], ["tags"], ["records", "tags"], ["tags", "records"]])
    }

    /// Returns the condition for a row of a table, which is the same for a record and its tag.
    private static func row(
        of table: String, _ kind: Int, _ generator: inout Generator
    ) -> String {
        if table == "account" { return "id = 1" }
        let place = generator.number(below: 100)
        return "(kind, id) IN (SELECT kind, id FROM records WHERE kind = \(kind) ORDER BY id "
            + "LIMIT 1 OFFSET \(place) % max(1, (SELECT count(*) FROM records WHERE kind = \(kind))))"
    }

    /// Exchanges the first and the last record of a kind, or their tags, or both.
    private static func exchange(_ kind: Int, _ generator: inout Generator) -> String {
        let first = "(SELECT min(id) FROM records WHERE kind = \(kind))"
        let last = "(SELECT max(id) FROM records WHERE kind = \(kind))"
        let held = "CREATE TEMP TABLE ids AS SELECT \(first) AS low, \(last) AS high; "
        return listed(&generator).reduce(held) { text, table in
            let column = table == "tags" ? "tag" : "sealed"
            return text + """
                CREATE TEMP TABLE held_\(table) AS SELECT id, \(column) AS value FROM \(table)
                    WHERE kind = \(kind) AND id IN (SELECT low FROM ids UNION SELECT high FROM ids);
                UPDATE \(table) SET \(column) = (SELECT value FROM held_\(table) AS held, ids
                    WHERE held.id = CASE \(table).id WHEN low THEN high ELSE low END)
                    WHERE kind = \(kind) AND id IN (SELECT id FROM held_\(table));

                """
        }
    }

    private static func trigger(_ generator: inout Generator) -> String {
        generator.pick([
            """
            CREATE TRIGGER more BEFORE UPDATE ON records BEGIN
                INSERT INTO stash VALUES (old.sealed); END
            """,
            "CREATE TRIGGER more BEFORE DELETE ON records BEGIN INSERT INTO stash VALUES (old.sealed); END",
            """
            CREATE TRIGGER more AFTER UPDATE OF sealed ON records BEGIN UPDATE records SET
                sealed = old.sealed WHERE kind = old.kind AND id = old.id; END
            """,
        ])
    }
}
