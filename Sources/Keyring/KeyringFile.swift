internal import Crypto
package import System

/// An open keyring file, and the part of it that is not encrypted: the account, the lockout, and the number of
/// contacts.
package final class KeyringFile {
    package let path: String
    package fileprivate(set) var account: Account
    package let clocks: Clocks
    let database: Database
    let places: StandardPaths
    let commitCount: CommitNote
    let home: HostBinding
    private var nameLock: File?

    /// Opens a keyring file. Checks its version, its tables and the account in one reading transaction.
    ///
    /// - Parameter body: runs in that transaction.
    /// - Throws: `missing`, `exposed`, `hardLinked`, `openElsewhere`, `notAKeyring`, `otherVersion`, `damaged`,
    ///   and the errors of `body`.
    init(
        path: String, places: StandardPaths, clocks: Clocks,
        _ body: (KeyringFile) throws(KeyringError) -> Void = { (_) in }
    ) throws(KeyringError) {
        try checkingPaths(PathChecks.check(of: path))
        try checkingPaths(PathChecks.checkFile(path))
        self.path = path
        self.places = places
        self.clocks = clocks
        nameLock = try DirectoryEntryLock.hold(path)
        let opened = try Self.reportingOtherFiles(path) { () throws(KeyringError) in
            try Database(path: path)
        }
        database = opened
        let opening = try opened.begin(nil)
        try Self.reportingOtherFiles(path) { () throws(KeyringError) in
            try Self.checkVersion(of: opened, path)
            try opened.limitCache()
        }
        try Schema.check(database)
        account = try Account(from: database)
        commitCount = CommitNote(folder: places.state, keyring: account.keyring)
        home = try HostBinding(of: path)
        try body(self)
        opening.end()
    }

    /// Runs `body`, and reports damage as a file that is not a keyring.
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

    /// Closes the file. It must not be used afterwards. `deinit` does the same, but ignores failures.
    ///
    /// - Throws: `notClosed`. Nothing is lost then.
    package func close() throws(KeyringError) {
        defer { nameLock = nil }
        // A rollback note that is behind the keyring does no harm.
        if try database.close(), let later = commitCount.later { try? commitCount.raise(to: later) }
    }

    deinit { try? close() }

    /// SHA-256 of the id of this boot, as sessions store it.
    lazy var bootDigest = Digest.sha256(Array(clocks.bootID.utf8))

    /// Identifies this process in rows (smsenc-keyring(5), lockout).
    lazy var mark = ProcessIdentity.own(clocks)

    /// Reads the account again if another process has changed it, and compares it with the keyring header.
    ///
    /// - Throws: `damaged`.
    func verifyAccount(_ header: KeyringHeader) throws(KeyringError) {
        if account.digest != header.account { account = try Account(from: database) }
        guard account.digest == header.account else {
            throw .store(.damaged("the account was altered"))
        }
    }

    /// Sets the account after a commit has stored it.
    func accountWasChanged(to changed: Account) { account = changed }

    /// Returns the number of contacts of all identities.
    package func contactCount() throws(KeyringError) -> Int64 {
        try database.statement("SELECT count(*) FROM contacts").first { $0.integer(0) } ?? 0
    }

    /// Ends all sessions of this keyring, except the one named `kept`. Returns how many it has ended.
    @discardableResult
    package func endSessions(but kept: String? = nil) -> Int {
        Session.endAll(of: account.keyring, but: kept, folder: places.sessions)
    }
}
