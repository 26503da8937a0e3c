/// A transaction that reads one state of the keyring, even if other processes write meanwhile. It ends with its
/// variable.
package struct ReadTransaction: ~Copyable {
    // Declared before the store, so that it ends while the file is open.
    private let reading: DatabaseTransaction
    package let store: KeyringStore

    /// - Throws: `busy`, `damaged`.
    package init(_ keyring: Keyring) throws(KeyringError) {
        let noted = try keyring.commitCount.known()
        let begun = try keyring.database.begin(nil)
        store = try KeyringStore(keyring, noted: noted)
        reading = begun
    }
}

/// A transaction that changes the keyring (smsenc-keyring(5), Durability).
///
/// If it is dropped before it is committed, nothing has changed. A commit first becomes durable. Then its
/// count is written to the rollback note. Only then may output that depends on the commit be written.
struct WriteTransaction: ~Copyable {
    // Declared before the store, so that the transaction ends while the file is open, and then the lock.
    private let writing: DatabaseTransaction
    /// The lock on the rollback note, held from reading the count to raising it.
    private let noteLock: CommitNoteLock?
    let store: KeyringStore
    private let kind: Kind
    private let inTransitAtStart: CountedHash

    private enum Kind { case change, cleanup, adoption }

    private init(_ keyring: Keyring, _ kind: Kind) throws(KeyringError) {
        let begun = try keyring.database.begin(kind == .cleanup ? .light : .waiting)
        let lock = try keyring.commitCount.lock(createsMissing: kind == .adoption)
        let store = try KeyringStore(keyring, noted: try keyring.commitCount.known())
        let inTransit = store.ledger[.transit]
        try Self.verify(store, kind)
        self.store = store
        inTransitAtStart = inTransit
        self.kind = kind
        writing = begun
        noteLock = lock
    }

    private static func verify(_ store: KeyringStore, _ kind: Kind) throws(KeyringError) {
        if kind == .adoption { return try Verification(store).beforeCommit() }
        try store.checkHasNote()
        // A commit to a copy would raise the note, and the original would then look as if it had been
        // restored.
        try store.checkIsOriginal()
        if kind == .change { try store.verify() }
        try store.setMissingTimes()
    }

    /// Begins a change, and verifies the rows on which every change depends.
    ///
    /// - Throws: `moved`, `behind`, `noteMissing`, `busy`, `noNote`, or `damaged` if rows are missing or were
    ///   replaced.
    static func change(_ keyring: Keyring) throws(KeyringError) -> WriteTransaction {
        try WriteTransaction(keyring, .change)
    }

    /// Begins a transaction that only erases what is of no use any more. Its commit does not wait for the disk.
    /// Its count is noted once the log has been written back (`KeyringFile.close`).
    static func cleanup(_ keyring: Keyring) throws(KeyringError) -> WriteTransaction {
        try WriteTransaction(keyring, .cleanup)
    }

    /// Begins the transaction in which the user decides about a keyring that was copied or restored, or the
    /// first one of a new keyring. Only these may change a keyring that is behind its rollback note, and only
    /// these make a missing note.
    static func adoption(_ keyring: Keyring) throws(KeyringError) -> WriteTransaction {
        try WriteTransaction(keyring, .adoption)
    }

    /// Commits the transaction. Unless it only cleans up, the commit is durable and its count noted when this
    /// returns.
    ///
    /// - Returns: true if there was something to commit.
    /// - Throws: `noNote` if the commit is durable but not noted. After all other errors, nothing has changed.
    @discardableResult
    consuming func commit() throws(KeyringError) -> Bool {
        let (store, ledger) = (store, store.ledger)
        let note = store.keyring.commitCount
        let isCounted = store.isNeeded || store.hasSetTimes || ledger[.transit] != inTransitAtStart
        if isCounted {
            try store.eraseRowsOfEndedSessions()
            ledger.commits += 1
            try ledger.write(to: store.database, store.keys.vault)
        }
        let kind = kind
        let noteLock = noteLock
        try writing.commit()
        // The keyring is now the newest, if only because the user has said so.
        store.database.keepsLog = false
        guard isCounted else { return false }
        if kind == .cleanup {
            note.later = ledger.commits
        } else {
            try note.raise(to: ledger.commits)
            if kind == .adoption { try note.sync() }
        }
        noteLock?.release()
        return true
    }
}

extension Keyring {
    /// Runs `body` in a transaction that only reads.
    package func reading<Result: ~Copyable>(
        _ body: (KeyringStore) throws(KeyringError) -> Result
    ) throws(KeyringError) -> Result {
        let transaction = try ReadTransaction(self)
        return try body(transaction.store)
    }

    /// Runs `body` in a transaction that changes the keyring. If `body` throws, nothing has changed. When this
    /// returns, the commit is durable and noted.
    func change<Result: ~Copyable>(
        _ body: (KeyringStore) throws(KeyringError) -> Result
    ) throws(KeyringError) -> Result {
        try commit(.change(self), body)
    }

    /// Runs `body` in a transaction that only erases what is of no use any more.
    func cleanUp(_ body: (KeyringStore) throws(KeyringError) -> Void) throws(KeyringError) {
        try commit(.cleanup(self), body)
    }

    /// Runs `body` in the transaction in which the user decides about a copied or restored keyring.
    func adopt(_ body: (KeyringStore) throws(KeyringError) -> Void) throws(KeyringError) {
        try commit(.adoption(self), body)
    }

    private func commit<Result: ~Copyable>(
        _ transaction: consuming WriteTransaction,
        _ body: (KeyringStore) throws(KeyringError) -> Result
    ) throws(KeyringError) -> Result {
        let result = try body(transaction.store)
        try transaction.commit()
        return result
    }

    /// Runs `body` in a transaction that only reads, after a check that the keyring was neither copied nor
    /// restored.
    ///
    /// - Parameter toCommit: true to check also that the rollback note exists, which commits need.
    /// - Throws: `moved`, `behind`, `noteMissing`, and the errors of `body`.
    package func readingOriginal<Result: ~Copyable>(
        toCommit: Bool, _ body: (KeyringStore) throws(KeyringError) -> Result
    ) throws(KeyringError) -> Result {
        try reading { (store) throws(KeyringError) in
            try store.checkIsOriginal()
            if toCommit { try store.checkHasNote() }
            return try body(store)
        }
    }

    /// Checks that the keyring can be changed: it was neither copied nor restored, and has its rollback note.
    ///
    /// - Throws: `moved`, `behind`, `noteMissing`.
    package func checkCanBeChanged() throws(KeyringError) {
        try readingOriginal(toCommit: true) { (_) in }
    }
}
