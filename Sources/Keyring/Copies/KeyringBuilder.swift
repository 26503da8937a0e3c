package import Crypto
package import System

/// A keyring that is being created in a temporary file. When the file is complete, it is renamed to its final
/// name. It never replaces an existing file.
final class KeyringBuilder {
    /// The store of the transaction that writes the content of the keyring.
    let store: KeyringStore
    private var transaction: WriteTransaction?
    private let path: String
    private let draft: String
    private var isPublished = false

    /// Creates the file and stores the account.
    ///
    /// - Throws: `cannotMake`, `exposed`.
    init(
        at path: String, _ account: Account, master: borrowing SecretBytes, places: StandardPaths
    ) throws(KeyringError) {
        try checkingPaths(PathChecks.make(of: path))
        try checkingPaths(PathChecks.check(of: path))
        self.path = path
        draft = try Keyring.draftPath(for: path)
        _ = try Database.resolved(draft, shownAs: path)
        try Keyring.create(draft, for: path)
        do throws(KeyringError) {
            let masterKeys = MasterKeys(master: master.duplicate())
            let header = KeyringHeader(home: try HostBinding(of: draft), account)
            try Database.createKeyring(at: draft, account, header, masterKeys) { (_) in }
            let file = try KeyringFile(path: draft, places: places, clocks: .system)
            let begun = try WriteTransaction(Keyring(new: file, masterKeys), .adoption)
            store = begun.store
            transaction = consume begun
        } catch {
            Database.remove(draft)
            RollbackNote(folder: places.state, keyring: account.keyring).remove()
            throw error
        }
    }

    deinit {
        // Roll back while the file is still open.
        transaction = nil
        Database.remove(draft)
        if !isPublished { store.keyring.file.note.remove() }
    }

    /// Adds an identity without contacts.
    @discardableResult
    func add(_ identity: Identity, _ fileKey: FileKey) throws(KeyringError) -> Ring {
        let record = try IdentityRecord(new: identity, fileKey)
        try store.identities.save(record)
        return record.ring
    }

    /// Adds contacts with the status `restored`. All contacts must belong to the address record `block`.
    func add(
        _ contacts: [(contact: Contact, getsReceipts: Bool)], as block: Int64, in ring: Ring
    ) throws(KeyringError) {
        try store.contacts(in: ring).add(contacts.map { $0.contact }, as: block)
        for (contact, getsReceipts) in contacts {
            let state = ContactState(contact: contact.id, in: ring)
            state.isRestored = true
            state.getsReceipts = getsReceipts
            try store.contacts.save(state)
        }
    }

    /// Commits the content and renames the file to its final name.
    ///
    /// - Throws: `exists`, `leftOver`, `cannotMake`.
    func publish() throws(KeyringError) {
        try transaction.take()?.commit()
        // Only the database file is renamed, so checkpoint the log first.
        try store.keyring.file.close()
        try Keyring.checkAbsent(path)
        try Keyring.publish(draft, as: path)
        isPublished = true
        PathChecks.synchronise(of: path)
    }
}

extension Database {
    /// Creates the tables of a keyring in an empty file, writes its account and header, and closes the file.
    ///
    /// - Parameter body: writes other records in the same transaction.
    static func createKeyring(
        at path: String, _ account: Account, _ header: KeyringHeader,
        _ masterKeys: borrowing MasterKeys, _ body: (Database) throws(KeyringError) -> Void
    ) throws(KeyringError) {
        let database = try Database(path: path)
        try database.execute(Schema.text)
        try database.transaction { () throws(KeyringError) in
            try database.statement("INSERT INTO account (id, record, lockout) VALUES (1, ?, ?)")
                .bind(account.record).bind(Lockout().stored).run()
            _ = try header.write(to: database, masterKeys)
            try body(database)
        }
        try database.close()
    }

    /// Removes a database with its log.
    static func remove(_ path: String) {
        for suffix in [""] + suffixes { try? File.remove(path + suffix) }
    }
}

extension Keyring {
    /// Returns a path for a new file that will be renamed to `path` when it is complete.
    package static func draftPath(for path: String) throws(KeyringError) -> String {
        draftPath(for: path, try randomBytes(4))
    }

    /// - Parameter number: at least 4 random bytes.
    static func draftPath(for path: String, _ number: [UInt8]) -> String {
        path + ".new-" + hex(Array(number.prefix(4)))
    }

    /// Creates an empty file that will be renamed to `path` when it is complete.
    ///
    /// - Throws: `cannotMake`, or `exposed` if the file system stores no permissions.
    static func create(_ draft: String, for path: String) throws(KeyringError) {
        let isExposed = try checkingIO(File(creating: draft).isAccessibleToOthers) {
            .file(.cannotMake(path, $0))
        }
        guard isExposed else { return }
        try? File.remove(draft)
        throw .file(.exposed(path, .fileSystem))
    }

    /// Renames a complete file to `path`, unless another file exists at `path`.
    ///
    /// - Throws: `exists`, `cannotMake`.
    static func publish(_ draft: String, as path: String) throws(KeyringError) {
        try checkingIO(File.publish(draft, as: path)) {
            .file($0 == ErrorNumber.exists ? .exists(path) : .cannotMake(path, $0))
        }
    }

    /// Checks that neither a keyring nor a log exists at `path`. SQLite would apply an old log to a new
    /// keyring.
    ///
    /// - Throws: `exists`, `leftOver`.
    package static func checkAbsent(_ path: String) throws(KeyringError) {
        if File.exists(path) { throw .file(.exists(path)) }
        let files = Database.suffixes.map { path + $0 }.filter(File.exists)
        if !files.isEmpty { throw .store(.leftOver(files)) }
    }

    /// Creates a keyring in a temporary file, and then renames the file to `path`. An existing file is never
    /// replaced. Runs scrypt.
    ///
    /// - Throws: `exists`, `leftOver`, `cannotMake`, `exposed`.
    package static func create(
        at path: String, user: String, country: String, lockTries: Int, lockSeconds: Int,
        password: borrowing SecretBytes, places: StandardPaths
    ) throws(KeyringError) {
        try checkAbsent(path)
        let master = try randomSecret(32)
        let account = try Account(
            keyring: try randomBytes(16), user: user, country: country, lockTries: lockTries,
            lockSeconds: lockSeconds, master: master, password: password)
        let draft = try KeyringBuilder(at: path, account, master: master, places: places)
        try draft.add(Identity(id: try randomID(), kind: .real, name: "real"), .drawn())
        try draft.publish()
    }
}
