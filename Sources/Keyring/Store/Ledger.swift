internal import Crypto
internal import System

/// The one record that every commit renews: how many there were, where the keyring lives, and how
/// many rows there are, which shows when one is missing.
///
///     offset  bytes  what
///     0       8      commits
///     8       32     home (`Home`)
///     40      8      rows of `contacts`
///     48      8      rows of `used_keys`
///     56      8      rows of `rings`
///     64      8      the last contact's id; none is given twice
///     72      8      the last ring's id; none is given twice
struct Ledger {
    private static let size = 80

    var commits: UInt64 = 0
    var home: Home
    var contacts: Int64 = 0
    var usedKeys: Int64 = 0
    var rings: Int64 = 0
    var lastContact: Int64 = 0
    var lastRing: Int64 = Identity.realID

    init(home: Home) { self.home = home }

    /// Reads the ledger.
    init(from database: Database, _ vault: borrowing Vault) throws(KeyringError) {
        let row = try database.statement("SELECT version, record FROM ledger").first {
            (row) throws(KeyringError) in
            (row.integer(0), row.bytes(1))
        }
        guard let (version, sealed) = row else { throw .store(.damaged("the ledger is missing")) }
        let place = Place("ledger", row: 1, version: version)
        var record = SecretReader(try vault.sealer.open(sealed.span, at: place))
        (commits, home) = (0, Home(stored: []))
        do throws(CryptoError) {
            commits = try record.integer()
            home = Home(stored: try record.secret(Home.size).withSpan { Array(copying: $0) })
            contacts = try record.integer()
            usedKeys = try record.integer()
            rings = try record.integer()
            lastContact = try record.integer()
            lastRing = try record.integer()
        } catch {
            throw .store(.damaged("the ledger is cut"))
        }
    }

    /// Writes the ledger again; the version is the count of commits.
    func write(to database: Database, _ vault: borrowing Vault) throws(KeyringError) {
        var record = SecretWriter(capacity: Self.size)
        record.put(commits)
        record.put(home.digest.span)
        record.put(contacts)
        record.put(usedKeys)
        record.put(rings)
        record.put(lastContact)
        record.put(lastRing)
        let version = Int64(bitPattern: commits)
        let sealed = try vault.sealer.seal(
            record.finish(), at: Place("ledger", row: 1, version: version))
        try database.statement("REPLACE INTO ledger (id, version, record) VALUES (1, ?, ?)")
            .bind(version).bind(sealed).run()
    }
}
