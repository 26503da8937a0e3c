package import Crypto
package import System

/// An open keyring file that is not unlocked. It provides the unencrypted data of a keyring, which are the
/// account and the lockout.
package final class KeyringFile {
    package let path: String
    package internal(set) var account: Account
    package let clocks: Clocks
    let database: Database
    let places: StandardPaths
    let note: RollbackNote
    let hostBinding: HostBinding
    /// True if the keyring was opened only for a check. In a check, the list of records may be damaged.
    let isChecked: Bool
    private var nameLock: File?
    /// Number of wrong passwords that this process could not record in the file, because the file is
    /// read-only.
    var uncountedTries = 0

    /// Opens a keyring file. Checks the version, the tables and the account of the file in one read
    /// transaction.
    ///
    /// - Parameter toCheck: true if the keyring is opened only for a check. In a check, the list of
    ///   records may be damaged.
    /// - Throws: `missing`, `exposed`, `hardLinked`, `openElsewhere`, `notAKeyring`, `otherVersion`, `damaged`.
    package init(
        path: String, places: StandardPaths, clocks: Clocks, toCheck: Bool = false
    ) throws(KeyringError) {
        try checkingPaths(PathChecks.check(of: path))
        try checkingPaths(PathChecks.checkFile(path))
        self.path = path
        self.places = places
        self.clocks = clocks
        isChecked = toCheck
        let lock = try DirectoryEntryLock.hold(path)
        let beginning = try checkingIO(lock.beginning(Schema.journalOffset + 2)) {
            .store(.unreadable($0))
        }
        nameLock = consume lock
        let opened = try Self.reportingOtherFiles(path) { () throws(KeyringError) in
            try Database(path: path)
        }
        database = opened
        let transaction = try opened.beginReading()
        try Self.reportingOtherFiles(path) { () throws(KeyringError) in
            try Self.checkVersion(of: opened, path)
            try opened.limitCache()
        }
        guard beginning.dropFirst(Schema.journalOffset) == [2, 2] else {
            throw .store(.damaged("it does not use a write-ahead log"))
        }
        try Schema.check(database)
        account = try Account(from: database)
        note = RollbackNote(folder: places.state, keyring: account.keyring)
        hostBinding = try HostBinding(of: path)
        transaction.end()
    }

    /// Runs `body`. If `body` throws `damaged`, throws `notAKeyring` instead.
    private static func reportingOtherFiles<Result>(
        _ path: String, _ body: () throws(KeyringError) -> Result
    ) throws(KeyringError) -> Result {
        do throws(KeyringError) {
            return try body()
        } catch {
            if case .store(.damaged) = error { throw .store(.notAKeyring(path)) }
            throw error
        }
    }

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

    /// Unlocks the keyring with its master key (see `masterKey`).
    package func unlock(master: consuming SecretBytes) throws(KeyringError) -> Keyring {
        try Keyring(self, master: master)
    }

    /// Unlocks the keyring with a session.
    ///
    /// - Throws: the errors of `Session.contents`.
    package func unlock(with session: Session) throws(KeyringError) -> Keyring {
        let contents = try session.contents(of: account.keyring, clocks: clocks)
        return try Keyring(
            self, master: contents.master.duplicate(), session: session, contents.transients,
            contents.reread)
    }

    /// Closes the file. The file must not be used after it was closed. `deinit` also closes the file, but
    /// ignores failures.
    ///
    /// - Throws: `notClosed`. No data is lost if this function throws.
    package func close() throws(KeyringError) {
        defer { nameLock = nil }
        if try database.close() { note.raiseAfterCleanup() }
    }

    deinit { try? close() }

    /// Identifies this process in the lockout and in `RunStore`.
    lazy var mark = ProcessIdentity.own(clocks)

    /// Compares the account with the keyring header. If another process has changed the account, first reads
    /// the account again.
    func verifyAccount(_ header: KeyringHeader) throws(KeyringError) {
        if account.digest != header.accountDigest { account = try Account(from: database) }
        guard account.digest == header.accountDigest else {
            throw .store(.damaged("the account was altered"))
        }
    }

    /// Returns the number of contacts of all identities. The number is not authenticated, so anybody who can
    /// write to the file can change it.
    package func contactCount() throws(KeyringError) -> Int64 {
        try database.statement("SELECT count(*) FROM tags WHERE kind = 3").first { $0.integer(0) }
            ?? 0
    }

    /// Ends all sessions of this keyring except the session named `kept`. Returns the number of sessions that
    /// were ended.
    @discardableResult
    package func endSessions(but kept: String? = nil) -> Int {
        Session.endAll(of: account.keyring, but: kept, folder: places.sessions)
    }
}
