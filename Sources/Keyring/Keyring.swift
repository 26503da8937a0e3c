// The keyring: one SQLite file with an account, its identities, their contacts, and the keys.
//
//     Account/    the password, the lock, sessions, the account's settings
//     Store/      the database, transactions, the ledger, seals, and what verifies them all
//     Rows/       what rows hold: identities, contacts, links, keys that are kept or under way
//     Exchange/   the way of messages, out and in: passed, committed, finished
//     Copies/     what shows that a file was copied or restored; backups; making and destroying
//     here        the verbs that tools call, and what can go wrong (`KeyringError`)
//
// It owns every promise about the disk (smsenc(7), State on disk): a tool can only go the way that keeps
// them. It has no words for what goes wrong, asks nobody anything, and reads no options or environment:
// that is Access's, and the tools'.

package import Crypto
internal import Protocol
package import System

/// A keyring: one account and its contacts, in one SQLite file (smsenc-keyring(5)).
///
/// It opens locked; what is in clear can be read, everything else needs `unlock`.
package final class Keyring {
    package let path: String
    package private(set) var account: Account
    package let clocks: Clocks
    let database: Database
    let places: StandardPaths
    let commitCount: CommitCount
    let home: Home
    private var nameLock: File?
    private var keys: Keys?

    /// Opens a keyring, locked.
    ///
    /// - Throws: `missing`, `exposed`, `twoNames`, `openElsewhere`, `notAKeyring`, `otherVersion`, `damaged`.
    package init(path: String, places: StandardPaths, clocks: Clocks) throws(KeyringError) {
        try checkingPaths(SafeFolder.check(of: path))
        try checkingPaths(SafeFolder.checkFile(path))
        self.path = path
        self.places = places
        self.clocks = clocks
        nameLock = try NameLock.hold(path)
        do throws(KeyringError) {
            database = try Database(path: path)
            try Self.checkVersion(of: database, path)
        } catch {
            if case .store(.damaged) = error { throw .store(.notAKeyring(path)) }
            throw error
        }
        try Schema.check(database)
        account = try Account(from: database)
        commitCount = CommitCount(folder: places.state, keyring: account.keyring)
        home = try Home(of: path)
    }

    /// Closes the file; the keyring is not used after that. Without it the same is done, but a failure
    /// stays untold.
    ///
    /// - Throws: `notClosed`. Nothing is lost then.
    package func closeFile() throws(KeyringError) {
        defer { nameLock = nil }
        // A note that stays behind harms nobody.
        if try database.close(), let later = commitCount.later { try? commitCount.raise(to: later) }
    }

    deinit { try? closeFile() }

    private static func checkVersion(
        of database: Database, _ path: String
    ) throws(KeyringError) {
        let id = try database.statement("PRAGMA application_id").first { $0.integer(0) }
        let version = try database.statement("PRAGMA user_version").first { $0.integer(0) }
        guard id == Int64(Schema.applicationID), let version else {
            throw .store(.notAKeyring(path))
        }
        guard version == Schema.version else { throw .store(.otherVersion(Int(version))) }
    }

    /// Takes the keys of a keyring that is being made.
    func unlock(_ keys: Keys) { self.keys = keys }

    /// The keys of an unlocked keyring.
    func unlocked() throws(KeyringError) -> Keys {
        guard let keys else { throw .account(.locked) }
        return keys
    }

    /// SHA-256 of the id of this boot, as sessions have it.
    lazy var bootDigest = Digest.sha256(Array(clocks.bootID.utf8))

    /// The key under which the open session keeps what reads messages again.
    ///
    /// - Throws: `needed` without a session; `keepsNothing`.
    func rereadKey() throws(KeyringError) -> RereadKey {
        let keys = try unlocked()
        guard keys.session != nil else { throw .session(.needed) }
        guard let key = keys.reread else { throw .session(.keepsNothing) }
        return key
    }

    /// The mark of this process.
    lazy var mark = ProcessMark.own(clocks)

    /// Unlocks with the password: scrypt's time and memory, during which nothing else waits.
    ///
    /// - Throws: `wrongPassword`, `lockedOut`, `busy`.
    package func unlock(password: borrowing SecretBytes) throws(KeyringError) {
        try beginTry()
        let master: SecretBytes?
        do throws(KeyringError) {
            master = try account.unwrap(password)
        } catch {
            // Too little memory for scrypt says nothing of the password.
            _ = try endTry(.notTried)
            throw error
        }
        let left = try endTry(master == nil ? .wrong : .right)
        guard let master else {
            throw .account(.wrongPassword(triesLeft: left, lockSeconds: account.lockSeconds))
        }
        try unlock(master: master)
    }

    /// Unlocks with an open session.
    package func unlock(session: Session) throws(KeyringError) {
        let contents = try session.contents(of: account.keyring, clocks: clocks)
        try unlock(
            master: contents.master.duplicate(), session: session, contents.transients,
            contents.rereadKey)
    }

    func unlock(
        master: consuming SecretBytes, session: Session? = nil,
        _ transients: Transients = Transients(), _ reread: RereadKey? = nil
    ) throws(KeyringError) {
        let vault = Vault(master: master)
        let ring = try RingRecord.stored(Identity.realID, in: database, vault).ring
        keys = Keys(
            vault: vault, ring: ring, session: session, transients: transients, reread: reread)
        do throws(KeyringError) {
            let isUntidy = try reading { (transaction) throws(KeyringError) in
                // What stood in clear was anybody's to alter until now; another process may have changed it
                // since it was read here.
                if account.digest != transaction.ledger.account {
                    account = try Account(from: database)
                }
                guard account.digest == transaction.ledger.account else {
                    throw .store(.damaged("the account was altered"))
                }
                try Verification(transaction).rings()
                return transaction.ledger.isUntidy(clocks)
            }
            if isUntidy {
                // Nothing that is too old is used in any case: what keeps it from going now may pass.
                try? commit(for: .tidying) { (transaction) throws(KeyringError) in
                    if let now = transaction.now { try transaction.tidyKept(at: now) }
                }
            }
        } catch {
            keys = nil
            throw error
        }
    }

    /// Opens a session of `seconds`; its token.
    package func openSession(seconds: Int64) throws(KeyringError) -> SecretBytes {
        try Session.open(
            master: try unlocked().vault.master, keyring: account.keyring, seconds: seconds,
            folder: places.sessions, clocks: clocks)
    }

    /// Changes the user name and the password. Only the master key is encrypted again, not the data. All sessions
    /// end, except `session`. Takes scrypt's time and memory.
    package func change(
        user: String, password: borrowing SecretBytes, keeping session: String?
    ) throws(KeyringError) {
        try replaceAccount(
            by: try account.changed(
                user: user, master: try unlocked().vault.master, password: password))
        endSessions(but: session)
        // The sessions have ended all the same: nobody can open what stays of them.
        try? eraseReread { mark in session.map { !mark.isOf(file: $0) } ?? true }
    }

    /// Changes the country code that completes telephone numbers, or the lockout.
    package func change(
        country: String? = nil, lockout: (tries: Int, seconds: Int)? = nil
    ) throws(KeyringError) {
        try replaceAccount(by: account.with(country: country, lockout: lockout))
    }

    private func replaceAccount(by changed: Account) throws(KeyringError) {
        try commit { (transaction) throws(KeyringError) in
            try changed.write(to: database)
            transaction.ledger.account = changed.digest
            if changed.country != account.country {
                try transaction.renumber(country: changed.country)
            }
        }
        account = changed
    }

    /// Ends all sessions of this keyring, but for one where that is named; how many there were.
    @discardableResult
    package func endSessions(but kept: String? = nil) -> Int {
        Session.endAll(of: account.keyring, but: kept, folder: places.sessions)
    }
}

/// What an unlocked keyring works with.
final class Keys {
    let vault: Vault
    /// The ring of the identity in use.
    var ring: Ring
    /// The session that unlocked the keyring, and the transient identities that it holds.
    let session: Session?
    var transients: Transients
    /// The key of that session for reading again; nil if it keeps nothing for that.
    let reread: RereadKey?
    /// Used keys and offers as they were read last.
    var usedKeys = UsedKeys()
    /// True when the contacts' rows were found complete, once in a run.
    var hasCheckedContacts = false

    init(
        vault: consuming Vault, ring: Ring, session: Session?, transients: Transients,
        reread: RereadKey? = nil
    ) {
        self.vault = vault
        self.ring = ring
        self.session = session
        self.transients = transients
        self.reread = reread
    }
}
