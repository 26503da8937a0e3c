/// The tables of a keyring, version 1. smsenc-keyring(5) describes them.
///
/// What is sealed names its table, row and version as associated data, so that no record can stand
/// in another's place. Tags are keyed hashes: names and numbers cannot be tested from the file.
enum Schema {
    /// "smse" in ASCII, at offset 68 of the file.
    static let applicationID = 0x736D_7365
    static let version = 1

    /// What stands at the end of the first page, as every table does in its own words.
    static let firstTable = Array("CREATE TABLE account (".utf8)

    static let text = """
        PRAGMA journal_mode = WAL;
        BEGIN IMMEDIATE;
        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = \(version);
        CREATE TABLE account (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            keyring BLOB NOT NULL,
            user TEXT NOT NULL,
            country TEXT NOT NULL,
            salt BLOB NOT NULL,
            cost INTEGER NOT NULL,
            block_size INTEGER NOT NULL,
            parallelism INTEGER NOT NULL,
            master BLOB NOT NULL,
            lock_tries INTEGER NOT NULL,
            lock_seconds INTEGER NOT NULL,
            digest BLOB NOT NULL
        ) STRICT;
        CREATE TABLE lockout (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            tries INTEGER NOT NULL,
            holder TEXT NOT NULL,
            boot TEXT NOT NULL,
            until INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE ledger (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            version INTEGER NOT NULL,
            record BLOB NOT NULL
        ) STRICT;
        CREATE TABLE rings (
            id INTEGER PRIMARY KEY,
            version INTEGER NOT NULL,
            record BLOB NOT NULL
        ) STRICT;
        CREATE TABLE contacts (
            id INTEGER PRIMARY KEY,
            ring INTEGER NOT NULL,
            name_tag BLOB NOT NULL UNIQUE,
            number_tag BLOB UNIQUE,
            card_version INTEGER NOT NULL,
            card BLOB NOT NULL,
            state_version INTEGER NOT NULL,
            state BLOB NOT NULL
        ) STRICT;
        CREATE TABLE kept (
            contact INTEGER NOT NULL,
            number INTEGER NOT NULL,
            record BLOB NOT NULL,
            PRIMARY KEY (contact, number)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE retired (
            contact INTEGER NOT NULL,
            number INTEGER NOT NULL,
            version INTEGER NOT NULL,
            record BLOB NOT NULL,
            PRIMARY KEY (contact, number)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE unwritten (
            contact INTEGER NOT NULL,
            number INTEGER NOT NULL,
            process TEXT NOT NULL,
            record BLOB NOT NULL,
            PRIMARY KEY (contact, number)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE flights (
            process TEXT PRIMARY KEY,
            record BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE used_keys (
            tag BLOB PRIMARY KEY
        ) STRICT, WITHOUT ROWID;
        COMMIT;
        """
}
