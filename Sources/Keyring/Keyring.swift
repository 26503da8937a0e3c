// The keyring: one SQLite file with an account, its identities, their contacts, and the keys.
//
//     Account/    the password, the lockout, sessions, the account's settings
//     Store/      the database, transactions, the keyring header, sealing, and verification
//     Rows/       the content of rows: identities, contacts, skipped keys, keys in flight, unwritten keys
//     Exchange/   encrypting and decrypting messages, in the steps pass, commit and finish
//     Copies/     detection of copied or restored keyrings, backups, making and deleting keyrings
//     here        the functions that tools call, and errors (`KeyringError`)
//
// This target makes sure that no key is used twice and no message is lost (smsenc-protocol(7), Stored state).
// Tools cannot call the steps in a wrong order. This target has no error texts, asks the user nothing, and
// reads neither options nor the environment. UserInterface and the tools do this.

package import Crypto
internal import Protocol
package import System

/// A keyring: one account and its contacts in an SQLite file (smsenc-keyring(5)).
///
/// It is locked when it is opened. Only data in clear can then be read. Everything else needs `unlock`.
package final class Keyring {
    package let path: String
    package private(set) var account: Account
    package let clocks: Clocks
    let database: Database
    let places: StandardPaths
    let commitCount: CommitNote
    let home: HostBinding
    private var nameLock: File?
    private var keys: UnlockedKeys?

    /// Opens a keyring without unlocking it.
    ///
    /// - Throws: `missing`, `exposed`, `hardLinked`, `openElsewhere`, `notAKeyring`, `otherVersion`, `damaged`.
    package init(path: String, places: StandardPaths, clocks: Clocks) throws(KeyringError) {
        try checkingPaths(PathChecks.check(of: path))
        try checkingPaths(PathChecks.checkFile(path))
        self.path = path
        self.places = places
        self.clocks = clocks
        nameLock = try DirectoryEntryLock.hold(path)
        do throws(KeyringError) {
            database = try Database(path: path)
            try Self.checkVersion(of: database, path)
        } catch {
            if case .store(.damaged) = error { throw .store(.notAKeyring(path)) }
            throw error
        }
        try Schema.check(database)
        account = try Account(from: database)
        commitCount = CommitNote(folder: places.state, keyring: account.keyring)
        home = try HostBinding(of: path)
    }

    /// Closes the file. The keyring must not be used afterwards. `deinit` does the same, but ignores
    /// failures.
    ///
    /// - Throws: `notClosed`. Nothing is lost then.
    package func closeFile() throws(KeyringError) {
        defer { nameLock = nil }
        // A rollback note that is behind the keyring does no harm.
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

    /// Sets the keys of a keyring that is being made.
    func unlock(_ keys: UnlockedKeys) { self.keys = keys }

    /// Returns the keys of an unlocked keyring.
    ///
    /// - Throws: `locked`.
    func unlocked() throws(KeyringError) -> UnlockedKeys {
        guard let keys else { throw .account(.locked) }
        return keys
    }

    /// SHA-256 of the id of this boot, as sessions store it.
    lazy var bootDigest = Digest.sha256(Array(clocks.bootID.utf8))

    /// Returns the key under which the open session stores keys for rereading.
    ///
    /// - Throws: `needed` if there is no session, `keepsNothing`.
    func rereadKey() throws(KeyringError) -> RereadKey {
        let keys = try unlocked()
        guard keys.session != nil else { throw .session(.needed) }
        guard let key = keys.reread else { throw .session(.keepsNothing) }
        return key
    }

    /// Identifies this process in rows (smsenc-keyring(5), lockout).
    lazy var mark = ProcessIdentity.own(clocks)

    /// Unlocks the keyring with the password. This runs scrypt, while other processes can use the keyring.
    ///
    /// - Throws: `wrongPassword`, `lockedOut`, `busy`.
    package func unlock(password: borrowing SecretBytes) throws(KeyringError) {
        try beginTry()
        let master: SecretBytes?
        do throws(KeyringError) {
            master = try account.unwrap(password)
        } catch {
            // The password was not checked if there was not enough memory for scrypt.
            _ = try endTry(.notTried)
            throw error
        }
        let left = try endTry(master == nil ? .wrong : .right)
        guard let master else {
            throw .account(.wrongPassword(triesLeft: left, lockSeconds: account.lockSeconds))
        }
        try unlock(master: master)
    }

    /// Unlocks the keyring with an open session.
    package func unlock(session: Session) throws(KeyringError) {
        let contents = try session.contents(of: account.keyring, clocks: clocks)
        try unlock(
            master: contents.master.duplicate(), session: session, contents.transients,
            contents.rereadKey)
    }

    func unlock(
        master: consuming SecretBytes, session: Session? = nil,
        _ transients: TransientIdentities = TransientIdentities(), _ reread: RereadKey? = nil
    ) throws(KeyringError) {
        let vault = MasterKeys(master: master)
        let ring = try RingRecord.stored(Identity.realID, in: database, vault).ring
        keys = UnlockedKeys(
            vault: vault, ring: ring, session: session, transients: transients, reread: reread)
        do throws(KeyringError) {
            let isUntidy = try reading { (transaction) throws(KeyringError) in
                // The account is in clear and was not verified until now. Another process may also have
                // changed it since it was read.
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
                // Expired keys are never used in any case, so an error does not matter. The next unlocking
                // tries again.
                try? commit(for: .tidying) { (transaction) throws(KeyringError) in
                    if let now = transaction.now { try transaction.tidyKept(at: now) }
                }
            }
        } catch {
            keys = nil
            throw error
        }
    }

    /// Opens a session for a number of seconds and returns its token.
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
        // The sessions have ended even if this fails. Nobody can then open the rows they leave.
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

/// The keys of an unlocked keyring, and data cached with them.
final class UnlockedKeys {
    let vault: MasterKeys
    /// The ring of the identity in use.
    var ring: Ring
    /// The session that unlocked the keyring, and the transient identities that it holds.
    let session: Session?
    var transients: TransientIdentities
    /// The session's key for rereading, or nil if the session stores no keys for that.
    let reread: RereadKey?
    /// Used keys and offers, as they were read last.
    var usedKeys = UsedKeys()
    /// True once the contacts were verified completely, which happens once in a process.
    var hasCheckedContacts = false

    init(
        vault: consuming MasterKeys, ring: Ring, session: Session?, transients: TransientIdentities,
        reread: RereadKey? = nil
    ) {
        self.vault = vault
        self.ring = ring
        self.session = session
        self.transients = transients
        self.reread = reread
    }
}
