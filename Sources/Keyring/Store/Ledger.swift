internal import Crypto
internal import System

/// The one record that every commit renews: how many there were, where the keyring lives, and sums over
/// the rows of all tables, which show when one is missing, or not the one that was written.
///
///     offset  bytes  what
///     0       8      commits
///     8       32     home (`Home`)
///     40      8      the last contact's id; none is given twice
///     48      8      the last ring's id; none is given twice
///     56      32     digest of the account
///     88      40     rows of `rings` (`Tally`)
///     128     40     rows of `contacts`
///     168     40     rows of `flights` and `unwritten`
///     208     40     rows of `used_keys`
///
/// What is kept beside a contact's row has its sum in that row (`Link.Skipped`).
final class Ledger {
    private static let size = 88 + 4 * Tally.size

    var commits: UInt64 = 0
    var home: Home
    var lastContact: Int64 = 0
    var lastRing: Int64 = Identity.realID
    var account: [UInt8]
    var rings = Tally()
    var contacts = Tally()
    /// What processes are writing: keys in flight, and those of messages that are not yet written.
    var transit = Tally()
    var usedKeys = Tally()

    init(home: Home, _ account: Account) {
        self.home = home
        self.account = account.digest
    }

    /// Reads the ledger.
    convenience init(from database: Database, _ vault: borrowing Vault) throws(KeyringError) {
        let (version, sealed) = try Self.row(in: database)
        let place = Place("ledger", row: 1, version: version)
        var record = SecretReader(try vault.sealer.open(sealed.span, at: place))
        do throws(CryptoError) {
            try self.init(from: &record)
        } catch {
            throw .store(.damaged("the ledger is cut"))
        }
    }

    /// The ledger's row as it is stored.
    static func row(in database: Database) throws(KeyringError) -> (Int64, [UInt8]) {
        let row = try database.statement("SELECT version, record FROM ledger").first {
            (row) throws(KeyringError) in
            (row.integer(0), row.bytes(1))
        }
        guard let row else { throw .store(.damaged("the ledger is missing")) }
        return row
    }

    private init(from record: inout SecretReader) throws(CryptoError) {
        commits = try record.integer()
        home = Home(stored: try record.bytes(Home.size))
        lastContact = try record.integer()
        lastRing = try record.integer()
        account = try record.bytes(Digest.size)
        rings = try Tally(from: &record)
        contacts = try Tally(from: &record)
        transit = try Tally(from: &record)
        usedKeys = try Tally(from: &record)
    }

    /// Writes the ledger again; the version is the count of commits.
    func write(to database: Database, _ vault: borrowing Vault) throws(KeyringError) {
        var record = SecretWriter(capacity: Self.size)
        record.put(commits)
        record.put(home.digest.span)
        record.put(lastContact)
        record.put(lastRing)
        record.put(account.span)
        for tally in [rings, contacts, transit, usedKeys] { tally.write(to: &record) }
        let version = Int64(bitPattern: commits)
        let sealed = try vault.sealer.seal(
            record.finish(), at: Place("ledger", row: 1, version: version))
        try database.statement("REPLACE INTO ledger (id, version, record) VALUES (1, ?, ?)")
            .bind(version).bind(sealed).run()
    }
}
