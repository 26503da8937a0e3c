internal import Crypto
internal import Protocol
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
///     248     40     rows of `reread`
///     288     8      no key that was passed over is older, in seconds since 1970; -1 if one may have no
///                    time, the largest number if none is kept
///     296     32     SHA-256 of the id of the boot in which the rows of `reread` were last looked over
///     328     8      none of these rows expires before this time, in seconds since that boot
///     336     48     what it knows of time (`KeyringTime`)
///
/// What is kept beside a contact's row has its sum in that row (`Link.Skipped`).
final class Ledger {
    private static let size = 136 + 5 * Tally.size + KeyringTime.size

    var commits: UInt64 = 0
    var home: Home
    var lastContact: Int64 = 0
    var lastRing: Int64 = Identity.realID
    var account: [UInt8]
    private var tallies = [Tally](repeating: Tally(), count: Sum.allCases.count)
    /// When the oldest key that was passed over can have been kept, of whatever contact.
    var oldestKept = Int64.max
    /// When the rows for reading again have to be looked over: in another boot than this, or at this time of it.
    var rereadBoot = [UInt8](repeating: 0, count: Digest.size)
    var rereadExpiry = Int64.max
    var time = KeyringTime()

    init(home: Home, _ account: Account) {
        self.home = home
        self.account = account.digest
    }

    static func stored(
        in database: Database, _ vault: borrowing Vault
    ) throws(KeyringError) -> Ledger {
        guard let stored = try database.first(.ledger, of: 1) else {
            throw .store(.damaged("the ledger is missing"))
        }
        return try stored.read(vault.sealer, Ledger.init(from:))
    }

    private init(from record: inout SecretReader) throws(Broken) {
        commits = try record.integer()
        home = Home(stored: try record.bytes(Home.size))
        lastContact = try record.integer()
        lastRing = try record.integer()
        account = try record.bytes(Digest.size)
        for sum in tallies.indices { tallies[sum] = try Tally(from: &record) }
        oldestKept = try record.integer()
        rereadBoot = try record.bytes(Digest.size)
        rereadExpiry = try record.integer()
        time = try KeyringTime(from: &record)
    }

    /// True if a commit now erases what is kept, gives times to it, or notes that the clock has jumped.
    func isUntidy(_ clocks: Clocks) -> Bool {
        guard oldestKept != .max else { return false }
        var time = time
        guard let now = time.now(clocks) else { return time != self.time }
        return oldestKept == SkippedKeys.untimed || now < self.time.last
            || SkippedKeys.isExpired(oldestKept, at: now)
    }

    /// Which rows are counted together, in the order of the record.
    enum Sum: Int, CaseIterable {
        case rings, contacts
        /// What processes are writing: keys in flight, and those of messages that are not yet written.
        case transit
        case usedKeys
        /// What sessions keep for reading again.
        case reread
    }

    /// What the rows of a sum have to come to.
    subscript(sum: Sum) -> Tally { tallies[sum.rawValue] }

    /// Counts a row in the sum of its kind.
    func count(_ kind: RowKind, _ old: RowSum?, _ new: RowSum?) {
        tallies[kind.sum.rawValue].count(kind, old, new)
    }

    /// Writes the ledger again; the version is the count of commits.
    func write(to database: Database, _ vault: borrowing Vault) throws(KeyringError) {
        var record = SecretWriter(capacity: Self.size)
        record.put(commits)
        record.put(home.digest.span)
        record.put(lastContact)
        record.put(lastRing)
        record.put(account.span)
        for tally in tallies { tally.write(to: &record) }
        record.put(oldestKept)
        record.put(rereadBoot.span)
        record.put(rereadExpiry)
        time.write(to: &record)
        let row = Row.ledger(version: Int64(bitPattern: commits))
        let sealed = try vault.sealer.seal(record.finish(), in: row.context)
        try row.bind(sealed, to: database.statement(.ledger, .put)).run()
    }
}
