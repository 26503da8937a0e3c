// The keyring: one SQLite file with an account, its identities, their contacts, and the keys.
//
//     Account/    the password, the lock, sessions, the account's settings
//     Store/      the database, commits, the ledger, seals, and the rows of contacts and identities
//     Exchange/   the way of messages: keys taken, made durable, let out, finished
//     Copies/     what shows that a file was copied or restored; backups; making and destroying
//     here        the verbs that tools call, and what can go wrong (`KeyringError`)
//
// It owns every promise about the disk (smsenc(7), State on disk): a tool can only go the way that keeps
// them. It has no words for what goes wrong, asks nobody anything, and reads no options or environment:
// that is Access's, and the tools'.

package import Crypto
package import System

/// A keyring: one account and its contacts, in one SQLite file (smsenc-keyring(5)).
///
/// It opens locked; what is in clear can be read, everything else needs `unlock`.
package final class Keyring {
    package let path: String
    package private(set) var account: Account
    package let clocks: Clocks
    let database: Database
    private let places: StandardPaths
    let commitCount: CommitCount
    /// The count of this process's last commit that only tidied up.
    var tidied: UInt64?
    /// The count that was noted before the state was taken that is being read: what another process
    /// notes later says nothing of it.
    var notedBefore: UInt64?
    let home: Home
    private var keys: Keys?
    /// True before it was brought over, which the first unlocking does (`VersionOne`).
    private let isOfFirstVersion: Bool
    /// The tags of keys and offers that were used, when the ledger counted so many of this sum: a table of
    /// contacts does not read them again for each.
    var usedKeys: (tally: Tally, tags: Set<[UInt8]>)?
    /// True when the contacts' rows were found complete.
    var hasCheckedContacts = false

    /// What an unlocked keyring works with.
    final class Keys {
        let vault: Vault
        /// The ring of the identity in use.
        var ring: Ring
        /// The session that unlocked the keyring, and the transient identities that it holds.
        let session: Session?
        var transients: Transients

        init(
            vault: consuming Vault, ring: consuming Ring, session: consuming Session?,
            transients: consuming Transients
        ) {
            self.vault = vault
            self.ring = ring
            self.session = session
            self.transients = transients
        }
    }

    /// Opens a keyring, locked.
    ///
    /// - Throws: `missing`, `exposed`, `notAKeyring`, `otherVersion`, `damaged`.
    package init(path: String, places: StandardPaths, clocks: Clocks) throws(KeyringError) {
        try checkingPaths { () throws(PathFault) in
            try SafeFolder.check(of: path)
            try SafeFolder.checkFile(path)
        }
        self.path = path
        self.places = places
        self.clocks = clocks
        do throws(KeyringError) {
            database = try Database(path: path)
            isOfFirstVersion = try Self.version(of: database, path) == Schema.firstVersion
        } catch .store(.damaged) {
            throw .file(.notAKeyring(path))
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
        // A note that stays behind harms nobody.
        if try database.close() { try? note(tidied) }
    }

    deinit { try? closeFile() }

    private static func version(
        of database: Database, _ path: String
    ) throws(KeyringError) -> Int {
        let id = try database.statement("PRAGMA application_id").first { $0.integer(0) }
        let version = try database.statement("PRAGMA user_version").first { $0.integer(0) }
        guard id == Int64(Schema.applicationID), let version else {
            throw .file(.notAKeyring(path))
        }
        guard version == Schema.version || version == Schema.firstVersion else {
            throw .file(.otherVersion(Int(version)))
        }
        return Int(version)
    }

    /// The keys of an unlocked keyring.
    func unlocked() throws(KeyringError) -> Keys {
        guard let keys else { throw .account(.locked) }
        return keys
    }

    /// Runs `body` on one state of the keyring: many look-ups cost less so. Within a transaction it is
    /// that one's.
    package func reading<Result>(
        _ body: () throws(KeyringError) -> Result
    ) throws(KeyringError) -> Result {
        if database.isInTransaction { return try body() }
        notedBefore = try notedCommits()
        defer { notedBefore = nil }
        return try database.reading(body)
    }

    /// The same for what throws anything.
    func readingAll(_ body: () throws -> Void) throws {
        var failure: (any Error)?
        try reading { () throws(KeyringError) in
            do { try body() } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// The mark of this process.
    private(set) lazy var mark = ProcessMark.own(clocks)

    var lockout: Lockout { Lockout(database, account, clocks) }

    /// Seconds until the lock opens, or nil when it is open.
    package func lockedFor() throws(KeyringError) -> Int? { try lockout.remaining() }

    /// Wrong passwords since the last right one.
    package func failedTries() throws(KeyringError) -> Int { try lockout.failures() }

    /// Unlocks with the password: scrypt's time and memory, during which nothing else waits.
    ///
    /// - Throws: `wrongPassword`, `lockedOut`, `busy`.
    package func unlock(password: borrowing SecretBytes) throws(KeyringError) {
        let lockout = lockout
        try lockout.begin()
        let master: SecretBytes?
        do throws(KeyringError) {
            master = try account.unwrap(password)
        } catch {
            // Too little memory for scrypt says nothing of the password.
            _ = try lockout.end(.notTried)
            throw error
        }
        let left = try lockout.end(master == nil ? .wrong : .right)
        guard let master else {
            throw .account(.wrongPassword(triesLeft: left, lockSeconds: account.lockSeconds))
        }
        try unlock(master: master, session: nil, Transients())
    }

    /// Unlocks with an open session.
    package func unlock(session: consuming Session) throws(KeyringError) {
        let contents = try session.contents(of: account.keyring, clocks: clocks)
        let master = contents.master.duplicate()
        try unlock(master: master, session: session, contents.transients)
    }

    private func unlock(
        master: consuming SecretBytes, session: consuming Session?,
        _ transients: consuming Transients
    ) throws(KeyringError) {
        let none = try Ring(id: 0, key: SecretBytes(count: 32))
        let keys = Keys(
            vault: try Vault(master: master), ring: none, session: session, transients: transients)
        self.keys = keys
        do throws(KeyringError) {
            if isOfFirstVersion { try VersionOne.bringOver(self, keys) }
            try checkClear(keys)
        } catch {
            self.keys = nil
            throw error
        }
    }

    /// What stood in clear was anybody's to alter until now.
    private func checkClear(_ keys: Keys) throws(KeyringError) {
        try database.reading { () throws(KeyringError) in
            let ledger = try Ledger(from: database, keys.vault)
            // Another process may have changed it since it was read here.
            if account.digest != ledger.account { account = try Account(from: database) }
            guard account.digest == ledger.account else {
                throw .store(.damaged("the account was altered"))
            }
            try Audit(database, keys.vault, ledger).rings()
        }
        keys.ring = try ring(Identity.realID, keys)
    }

    /// Changes the transient identities of the session; the name of the session's file.
    ///
    /// - Throws: `noSession`.
    func changeTransients(
        _ keys: Keys, _ change: (inout Transients) throws(KeyringError) -> Void
    ) throws(KeyringError) -> String {
        switch keys.session {
        case .none: throw .identity(.noSession)
        case .some(let session):
            // Another tool of this session may have changed them since; within a commit none can now.
            keys.transients = try session.contents(of: account.keyring, clocks: clocks).transients
            try change(&keys.transients)
            try session.keep(keys.transients, master: keys.vault.master)
            return session.name
        }
    }

    /// True when the session with a file of this name is open.
    func isOpen(session name: String) -> Bool {
        Session.isOpen(name: name, folder: places.sessions, clocks: clocks)
    }

    /// Opens a session of `seconds`; its token.
    package func openSession(seconds: Int64) throws(KeyringError) -> SecretBytes {
        try Session.open(
            master: try unlocked().vault.master, keyring: account.keyring, seconds: seconds,
            folder: places.sessions, clocks: clocks)
    }

    /// Changes user name, country and password. The data is not enciphered again, only the master key
    /// wrapped again; all sessions end but the one named. Takes scrypt's time and memory.
    package func change(
        user: String, country: String, password: borrowing SecretBytes, keeping session: String?
    ) throws(KeyringError) {
        let changed = try account.changed(
            user: user, country: country, master: try unlocked().vault.master, password: password)
        try commit { (keys, commit) throws(KeyringError) in
            try changed.write(to: database)
            commit.ledger.account = changed.digest
            if country != account.country {
                try renumber(country: country, keys, commit.ledger)
            }
        }
        account = changed
        endSessions(but: session)
    }

    /// Ends all sessions of this keyring, but for one where that is named; how many there were.
    @discardableResult
    package func endSessions(but kept: String? = nil) -> Int {
        Session.endAll(of: account.keyring, but: kept, folder: places.sessions)
    }

    /// A session by its token.
    package func session(token: String) throws(KeyringError) -> Session {
        try Session(token: token, folder: places.sessions)
    }
}
