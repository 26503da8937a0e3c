internal import Crypto
internal import Protocol
internal import System

/// The keyring header: the record in table `ledger` that every commit rewrites. It contains the number of
/// commits, the identity of machine and file, and a sum over the rows of each group of tables. The sums show
/// whether a row is missing or was replaced by an older one.
///
///     offset  bytes  what
///     0       8      commits
///     8       32     host binding (`HostBinding`)
///     40      8      the id of the contact added last; ids are never reused
///     48      8      the id of the ring added last; ids are never reused
///     56      32     digest of the account
///     88      40     count and sum of the rows of `rings` (`CountedHash`)
///     128     40     the same for `contacts`
///     168     40     the same for `flights` and `unwritten`
///     208     40     the same for `used_keys`
///     248     40     the same for `reread`
///     288     8      lower bound for the times of skipped keys, retired chains and unwritten keys, in
///                    seconds since 1970; -1 if one may have no time, the largest number if there are none
///     296     32     SHA-256 of the id of the boot in which the rows of `reread` were last checked
///     328     8      lower bound for the expiry of these rows, in seconds since that boot
///     336     48     record of time (`KeyringTime`)
///
/// Skipped keys and retired chains are summed in their contact's state (`ContactState.Skipped`).
final class KeyringHeader {
    private static let size = 136 + 5 * CountedHash.size + KeyringTime.size

    var commits: UInt64 = 0
    var home: HostBinding
    var lastContact: Int64 = 0
    var lastRing: Int64 = Identity.realID
    var account: [UInt8]
    private var tallies = [CountedHash](repeating: CountedHash(), count: Sum.allCases.count)
    /// A lower bound for the times of the skipped keys, retired chains and unwritten keys of all contacts, in
    /// seconds since 1970. It is `SkippedKeys.untimed` if one may have no time, and the largest number if
    /// there are none.
    var oldestKept = Int64.max
    /// When the next row for rereading expires: the boot, and the seconds since that boot. The rows are
    /// checked at that time, or in another boot.
    var rereadBoot = [UInt8](repeating: 0, count: Digest.size)
    var rereadExpiry = Int64.max
    var time = KeyringTime()

    init(home: HostBinding, _ account: Account) {
        self.home = home
        self.account = account.digest
    }

    static func stored(
        in database: Database, _ vault: borrowing MasterKeys
    ) throws(KeyringError) -> KeyringHeader {
        guard let stored = try database.first(.ledger, of: 1) else {
            throw .store(.damaged("the ledger is missing"))
        }
        return try stored.read(vault.sealer, KeyringHeader.init(from:))
    }

    private init(from record: inout SecretReader) throws(InvalidRecord) {
        commits = try record.integer()
        home = HostBinding(stored: try record.bytes(HostBinding.size))
        lastContact = try record.integer()
        lastRing = try record.integer()
        account = try record.bytes(Digest.size)
        for sum in tallies.indices { tallies[sum] = try CountedHash(from: &record) }
        oldestKept = try record.integer()
        rereadBoot = try record.bytes(Digest.size)
        rereadExpiry = try record.integer()
        time = try KeyringTime(from: &record)
    }

    /// Returns true if a commit now would erase expired keys, set missing times, or record a jump of the
    /// clock.
    func isUntidy(_ clocks: Clocks) -> Bool {
        guard oldestKept != .max else { return false }
        var time = time
        guard let now = time.now(clocks) else { return time != self.time }
        return oldestKept == SkippedKeys.untimed || now < self.time.last
            || SkippedKeys.isExpired(oldestKept, at: now)
    }

    /// The groups of rows. Each group has a sum in the header, in this order.
    enum Sum: Int, CaseIterable {
        case rings, contacts
        /// Keys in flight, and keys of messages that are not written yet.
        case transit
        case usedKeys
        /// Keys that sessions keep for rereading.
        case reread
    }

    /// The count and sum that the rows of a group must have.
    subscript(sum: Sum) -> CountedHash { tallies[sum.rawValue] }

    /// Updates the sum of a row's group. `old` is nil for a new row, and `new` is nil for a deleted row.
    func count(_ kind: RowKind, _ old: MultisetHash?, _ new: MultisetHash?) {
        tallies[kind.sum.rawValue].count(kind, old, new)
    }

    /// Writes the header. Its version is the count of commits.
    func write(to database: Database, _ vault: borrowing MasterKeys) throws(KeyringError) {
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
