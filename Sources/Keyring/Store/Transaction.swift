/// A transaction that reads a consistent snapshot of the keyring, even if other processes write at the
/// same time. The transaction ends when the `ReadTransaction` is destroyed.
package struct ReadTransaction: ~Copyable {
    // This property is declared before the store, because the transaction must end before the file is closed.
    private let transaction: DatabaseTransaction
    package let store: KeyringStore

    /// Begins a transaction that only reads.
    ///
    /// - Throws: `busy`, `damaged`.
    package init(_ keyring: Keyring) throws(KeyringError) {
        let count = try keyring.file.note.count()
        let begun = try keyring.database.beginReading()
        store = try KeyringStore(keyring, countInNote: count)
        transaction = begun
    }
}

/// A transaction that changes the keyring (smsenc-keyring(5), Durability). At its beginning, each
/// transaction verifies the list of records. At its end, each transaction computes the new digest from the
/// verified list and its own changes.
///
/// First, the commit becomes durable. Then the new count of commits is written to the rollback note. Until
/// the note was written, the caller must not write any output that depends on the commit. If the
/// transaction is dropped before the commit, the keyring remains unchanged.
struct WriteTransaction: ~Copyable {
    // The order of the following properties matters. First, the transaction must end. Then the lock is
    // released, and then the file is closed.
    private let transaction: DatabaseTransaction
    /// The lock on the rollback note. The lock is taken before the count in the note is read, and released
    /// after this count was raised.
    private let noteLock: RollbackNoteLock?
    let store: KeyringStore
    private let kind: Kind

    enum Kind {
        /// An ordinary change, which also takes over the keys of processes that died.
        case change
        /// A transaction that only erases data that is no longer needed. The commit of a cleanup does not
        /// wait for the disk. The count of commits is written to the rollback note later, after the log
        /// has been checkpointed (`KeyringFile.close`).
        case cleanup
        /// A transaction that adopts a copied, moved or restored keyring, or the first transaction of a
        /// new keyring. Only an adoption may change a keyring that is behind its rollback note. Only an
        /// adoption creates a missing rollback note.
        case adoption
        /// A change by the command `move`. Such a change is possible even if the keyring is already in the
        /// state `leaving`.
        case move
    }

    /// Begins a transaction.
    ///
    /// - Throws: `moved`, `leaving`, `behind`, `noteMissing`, `busy`, `noNote`, `damaged`.
    init(_ keyring: Keyring, _ kind: Kind = .change) throws(KeyringError) {
        let begun = try keyring.database.beginWriting(kind == .cleanup ? .light : .waiting)
        let note = keyring.file.note
        let lock = try note.lock(createsMissing: kind == .adoption)
        let store = try KeyringStore(keyring, countInNote: try note.count())
        if store.verified.isDamaged { throw .store(.damaged(VerifiedList.mismatch)) }
        if kind != .adoption {
            try store.checkHasNote()
            // A commit to a copy would raise the count in the note. The original would then look as if it had
            // been restored.
            try store.checkIsOriginal(isMoving: kind == .move)
        }
        if kind == .change || kind == .move { try store.runs.takeOverDeadRuns() }
        self.store = store
        self.kind = kind
        transaction = begun
        noteLock = lock
    }

    /// Commits the transaction. When this function returns, the commit is durable and its count is in the
    /// rollback note, except if the transaction is a cleanup.
    ///
    /// - Returns: true if there was something to commit.
    /// - Throws: `noNote` if the commit is durable but its count could not be written to the rollback note.
    ///   If any other error is thrown, nothing has changed.
    @discardableResult
    consuming func commit() throws(KeyringError) -> Bool {
        let (store, kind) = (store, kind)
        let note = store.keyring.file.note
        // An adoption is committed even if it changes only the rollback note.
        if !store.contactsToForget.isEmpty { try store.updateSession(adding: []) }
        let verified = store.hasChanges || kind == .adoption ? try store.writeHeader() : nil
        let noteLock = noteLock
        try transaction.commit()
        // This keyring is now the newest copy, so its log may be checkpointed. In an adoption, the user has
        // decided this.
        store.database.keepsLog = false
        guard let verified else { return false }
        store.keyring.verified = verified
        if kind == .cleanup {
            note.countToRaiseTo = verified.header.commits
        } else {
            try note.raise(to: verified.header.commits)
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

    /// Checks that the keyring was neither copied nor restored, and runs `body` in the same read transaction.
    ///
    /// - Parameter toCommit: true to check also that the rollback note exists. Commits are impossible
    ///   without the rollback note.
    /// - Throws: `moved`, `leaving`, `behind`, `noteMissing`, and the errors of `body`.
    package func readingOriginal<Result: ~Copyable>(
        toCommit: Bool, _ body: (KeyringStore) throws(KeyringError) -> Result
    ) throws(KeyringError) -> Result {
        try reading { (store) throws(KeyringError) in
            try store.checkIsOriginal()
            if toCommit { try store.checkHasNote() }
            return try body(store)
        }
    }

    /// Checks that the keyring can be changed. The keyring must not have been copied or restored, and its
    /// rollback note must exist.
    ///
    /// - Throws: `moved`, `leaving`, `behind`, `noteMissing`.
    package func checkCanBeChanged() throws(KeyringError) {
        try readingOriginal(toCommit: true) { (_) in }
    }

    /// Runs `body` in a transaction that changes the keyring, and commits the transaction. If `body` throws,
    /// nothing has changed.
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
