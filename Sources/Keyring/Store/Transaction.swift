/// A transaction that reads a consistent snapshot of the keyring, even if other processes write at the
/// same time. The transaction ends when its variable is destroyed.
package struct ReadTransaction: ~Copyable {
    // Declared before the store, so that it ends while the file is open.
    private let transaction: DatabaseTransaction
    package let store: KeyringStore

    /// - Throws: `busy`, `damaged`.
    package init(_ keyring: Keyring) throws(KeyringError) {
        let count = try keyring.file.note.count()
        let begun = try keyring.database.begin(nil)
        store = try KeyringStore(keyring, countInNote: count)
        transaction = begun
    }
}

/// A transaction that changes the keyring (smsenc-keyring(5), Durability).
///
/// If it is dropped before it is committed, nothing has changed. First, the commit becomes durable. Then
/// its count is written to the rollback note. Only then may output that depends on the commit be written.
struct WriteTransaction: ~Copyable {
    // Declared before the store, so that the transaction ends while the file is open, and then the lock.
    private let transaction: DatabaseTransaction
    /// The lock on the rollback note, held from reading the count to raising it.
    private let noteLock: RollbackNoteLock?
    let store: KeyringStore
    private let kind: Kind
    private let inTransitAtStart: CountedHash

    enum Kind {
        /// An ordinary change. It begins by verifying the rows on which every change depends.
        case change
        /// A transaction that only erases what is of no use any more. Its commit does not wait for the disk.
        /// Its count is noted once the log has been written back (`KeyringFile.close`).
        case cleanup
        /// The transaction in which the user decides about a keyring that was copied or restored, or the first
        /// one of a new keyring. Only this kind may change a keyring that is behind its rollback note, and only
        /// this kind creates a missing note.
        case adoption
    }

    /// Begins a transaction.
    ///
    /// - Throws: `moved`, `behind`, `noteMissing`, `busy`, `noNote`, or `damaged` if rows are missing or were
    ///   replaced.
    init(_ keyring: Keyring, _ kind: Kind = .change) throws(KeyringError) {
        let begun = try keyring.database.begin(kind == .cleanup ? .light : .waiting)
        let note = keyring.file.note
        let lock = try note.lock(createsMissing: kind == .adoption)
        let store = try KeyringStore(keyring, countInNote: try note.count())
        let inTransit = store.header[.transit]
        if kind == .adoption {
            try Verification(store).beforeCommit()
        } else {
            try store.checkHasNote()
            // A commit to a copy would raise the note, and the original would then look as if it had been
            // restored.
            try store.checkIsOriginal()
            if kind == .change { try store.verify() }
            try store.setMissingTimes()
        }
        self.store = store
        inTransitAtStart = inTransit
        self.kind = kind
        transaction = begun
        noteLock = lock
    }

    /// Commits the transaction. Unless it is a cleanup, the commit is durable and its count is in the rollback
    /// note when this returns.
    ///
    /// - Returns: true if there was something to commit.
    /// - Throws: `noNote` if the commit is durable but not noted. If any other error is thrown, nothing
    ///   has changed.
    @discardableResult
    consuming func commit() throws(KeyringError) -> Bool {
        let (store, header, kind) = (store, store.header, kind)
        let note = store.keyring.file.note
        let isCounted =
            store.hasChanges || store.hasSetTimes || header[.transit] != inTransitAtStart
        if isCounted {
            try store.reread.eraseRowsOfEndedSessions()
            header.commits += 1
            try header.write(to: store.database, store.keys.masterKeys)
        }
        let noteLock = noteLock
        try transaction.commit()
        // This keyring is now the newest copy. After an adoption, this is so because the user has decided
        // it.
        store.database.keepsLog = false
        guard isCounted else { return false }
        if kind == .cleanup {
            note.countToRaiseTo = header.commits
        } else {
            try note.raise(to: header.commits)
            if kind == .adoption { try note.synchronise() }
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

    /// Runs `body` in a transaction that changes the keyring, and commits it. If `body` throws, nothing has
    /// changed.
    func change<Result: ~Copyable>(
        _ kind: WriteTransaction.Kind = .change,
        _ body: (KeyringStore) throws(KeyringError) -> Result
    ) throws(KeyringError) -> Result {
        let transaction = try WriteTransaction(self, kind)
        let result = try body(transaction.store)
        try transaction.commit()
        return result
    }
}
