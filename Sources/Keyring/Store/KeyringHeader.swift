internal import Crypto
internal import Protocol
internal import System

/// The keyring header: the record in table `ledger` that every commit rewrites. The header contains the
/// number of commits, the identity of the machine and the file, and a sum over the rows of each group of
/// tables. The sums show whether a row is missing or was replaced by an older row.
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
///                    seconds since 1970; -1 if a key may have no time, the largest number for none
///     296     32     SHA-256 of the id of the boot in which the rows of `reread` were last checked
///     328     8      lower bound for the expiry of these rows, in seconds since that boot
///     336     48     record of time (`KeyringTime`)
///
/// Skipped keys and retired chains are summed in their contact's state (`ContactState.SkippedKeyTotals`).
final class KeyringHeader {
    private static let size = 136 + 5 * CountedHash.size + KeyringTime.size

    var commits: UInt64 = 0
    var hostBinding: HostBinding
    var lastContact: Int64 = 0
    var lastRing: Int64 = Identity.realID
    var accountDigest: [UInt8]
    private var sums = [CountedHash](repeating: CountedHash(), count: Group.allCases.count)
    /// A lower bound for the times of the skipped keys, retired chains and unwritten keys of all contacts,
    /// in seconds since 1970. The value is `SkippedKeys.untimed` if a key may have no time, and the
    /// largest number if there are no keys.
    var oldestKeyTime = Int64.max
    /// The time when the next row for rereading expires, as a boot and the seconds since that boot. The rows
    /// are checked at that time, or after the next reboot.
    var rereadBoot = [UInt8](repeating: 0, count: Digest.size)
    var rereadExpiry = Int64.max
    var time = KeyringTime()

    init(hostBinding: HostBinding, _ account: Account) {
        self.hostBinding = hostBinding
        accountDigest = account.digest
    }

    static func stored(
        in database: Database, _ masterKeys: borrowing MasterKeys
    ) throws(KeyringError) -> KeyringHeader {
        guard let stored = try database.first(.header, of: 1) else {
            throw .store(.damaged("the header is missing"))
        }
        return try stored.read(masterKeys.sealingKey, KeyringHeader.init(from:))
    }

    private init(from record: inout SecretReader) throws(InvalidRecord) {
        commits = try record.integer()
        hostBinding = HostBinding(stored: try record.bytes(HostBinding.size))
        lastContact = try record.integer()
        lastRing = try record.integer()
        accountDigest = try record.bytes(Digest.size)
        for index in sums.indices { sums[index] = try CountedHash(from: &record) }
        oldestKeyTime = try record.integer()
        rereadBoot = try record.bytes(Digest.size)
        rereadExpiry = try record.integer()
        time = try KeyringTime(from: &record)
    }

    /// Returns true if a commit now would erase expired keys, set missing times, or record a jump of the
    /// clock.
    func hasExpiredKeys(_ clocks: Clocks) -> Bool {
        guard oldestKeyTime != .max else { return false }
        var time = time
        guard let now = time.now(clocks) else { return time != self.time }
        return oldestKeyTime == SkippedKeys.untimed || now < self.time.last
            || SkippedKeys.isExpired(oldestKeyTime, at: now)
    }

    /// The groups of rows. Each group has a sum in the header, in this order.
    enum Group: Int, CaseIterable {
        case rings, contacts
        /// Keys in flight, and keys of messages that have not been written yet.
        case transit
        case usedKeys
        /// Keys that sessions keep for rereading.
        case reread
    }

    /// The count and sum that the rows of a group must have.
    subscript(group: Group) -> CountedHash { sums[group.rawValue] }

    /// Updates the sum of a row's group. `old` is nil for a new row, and `new` is nil for a deleted row.
    func count(_ kind: RowKind, _ old: MultisetHash?, _ new: MultisetHash?) {
        sums[kind.group.rawValue].count(kind, old, new)
    }

    /// Writes the header. The count of commits is the version of the row.
    func write(to database: Database, _ masterKeys: borrowing MasterKeys) throws(KeyringError) {
        var record = SecretWriter(capacity: Self.size)
        record.put(commits)
        record.put(hostBinding.bytes.span)
        record.put(lastContact)
        record.put(lastRing)
        record.put(accountDigest.span)
        for sum in sums { sum.write(to: &record) }
        record.put(oldestKeyTime)
        record.put(rereadBoot.span)
        record.put(rereadExpiry)
        time.write(to: &record)
        let row = Row(.header, id: 1, version: Int64(bitPattern: commits))
        let sealed = try masterKeys.sealingKey.seal(record.finish(), in: row.context)
        try row.bind(sealed, to: database.statement(.header, .write)).run()
    }
}
