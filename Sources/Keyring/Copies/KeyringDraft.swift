package import Crypto
package import System

/// A keyring in the making, in a file beside the one that it becomes: it appears whole or not at
/// all, and never takes the place of anything.
final class KeyringDraft {
    let database: Database
    let vault: Vault
    let ledger: Ledger
    private let path: String
    private let draft: String
    private let account: Account
    private let places: StandardPaths

    /// Makes the file, with the account and the real identity in it.
    ///
    /// - Throws: `exists`, `cannotMake`, `exposed`.
    init(
        at path: String, _ account: Account, master: borrowing SecretBytes, places: StandardPaths
    ) throws(KeyringError) {
        try Keyring.checkAbsent(path)
        try checkingPaths { () throws(PathFault) in
            try SafeFolder.make(of: path)
            try SafeFolder.check(of: path)
        }
        self.path = path
        self.account = account
        self.places = places
        draft = path + ".new-" + hex(try randomBytes(4))
        do throws(IOError) {
            _ = try File(creating: draft)
        } catch {
            throw .file(.cannotMake(path, error.code))
        }
        let secret = master.duplicate()
        do throws(KeyringError) {
            vault = try Vault(master: secret)
            database = try Database(path: draft)
            ledger = Ledger(home: try Home(of: draft), account)
            try database.execute(Schema.text)
            try database.execute("BEGIN IMMEDIATE")
            try account.write(to: database)
            try database.execute(
                "INSERT INTO lockout (id, tries, holder, boot, until) VALUES (1, 0, '', '', 0)")
        } catch {
            Self.remove(draft)
            throw error
        }
    }

    deinit {
        Self.remove(draft)
    }

    /// Puts an identity with an empty ring in.
    ///
    /// - Parameter fileKey: of a backup; nil where that has none, and one is drawn when it is needed.
    @discardableResult
    func add(_ identity: Identity, _ fileKey: FileKey?) throws(KeyringError) -> Ring {
        let key = try randomSecret(32)
        let ring = try Ring(id: identity.id, key: key.duplicate())
        try RingRecord(
            id: identity.id, kind: identity.kind, key: key, name: identity.name, fileKey: fileKey
        ).write(to: database, vault, ledger)
        ledger.lastRing = max(ledger.lastRing, identity.id)
        return ring
    }

    /// Makes the keyring appear under its name.
    func publish() throws(KeyringError) {
        ledger.commits = 1
        try ledger.write(to: database, vault)
        try database.execute("COMMIT")
        // What is published is the file alone.
        try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        try database.close()
        let note = CommitCount(folder: places.state, keyring: account.keyring)
        try note.raise(to: 1)
        do throws(IOError) {
            try File.publish(draft, as: path)
        } catch {
            note.remove()
            throw .file(
                error.code == ErrorNumber.exists ? .exists(path) : .cannotMake(path, error.code))
        }
        SafeFolder.synchronise(of: path)
    }

    private static func remove(_ draft: String) {
        for suffix in ["", "-wal", "-shm"] { try? File.remove(draft + suffix) }
    }
}

extension Keyring {
    /// Throws `exists` when there is something at `path`.
    package static func checkAbsent(_ path: String) throws(KeyringError) {
        if File.exists(path) { throw .file(.exists(path)) }
    }

    /// Makes a keyring. It appears whole or not at all, and never takes the place of anything.
    ///
    /// - Throws: `exists`, `cannotMake`, `exposed`.
    package static func create(
        at path: String, user: String, country: String, lockTries: Int, lockSeconds: Int,
        password: borrowing SecretBytes, places: StandardPaths
    ) throws(KeyringError) {
        try checkAbsent(path)
        let master = try randomSecret(32)
        let account = try Account(
            keyring: try randomBytes(16), user: user, country: country, lockTries: lockTries,
            lockSeconds: lockSeconds, master: master, password: password)
        let draft = try KeyringDraft(at: path, account, master: master, places: places)
        try draft.add(Identity(id: Identity.realID, kind: .real, name: "real"), .drawn())
        try draft.publish()
    }
}
