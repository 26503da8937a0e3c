/// Commits: each is durable, counted in the ledger, and noted outside before anything depends on it
/// (PROTOCOL.md, section 7).
extension Keyring {
    /// Runs `body` as one commit, which the ledger counts.
    ///
    /// - Parameters:
    ///   - ending: what is done before it returns; `completeCommit` does the rest, and where that fails
    ///     the commit stands all the same.
    ///   - isUse: true for enciphering and deciphering, which a copied keyring refuses.
    ///   - isAdoption: true for the owner's answer, which alone may change one that is behind.
    func commit<Result: ~Copyable>(
        _ ending: Ending = .complete, isUse: Bool = false, isAdoption: Bool = false,
        _ body: (Keys, inout Change) throws(KeyringError) -> Result
    ) throws(KeyringError) -> Result {
        let keys = try unlocked()
        let noted = try note.count()
        var count: UInt64?
        let result = try database.transaction(ending.durability) {
            (stands) throws(KeyringError) -> Result in
            var change = Change(ledger: try Ledger(from: database, keys.vault))
            if isUse { try check(change.ledger, noted) }
            // A commit would bring the count nearer to the note, until nothing told of the restoring.
            if !isAdoption, change.ledger.commits < noted { throw KeyringError.behind }
            let result = try body(keys, &change)
            stands = change.stands
            guard change.isNeeded, stands else { return result }
            change.ledger.commits += 1
            try change.ledger.write(to: database, keys.vault)
            count = change.ledger.commits
            return result
        }
        guard let count else { return result }
        incomplete = count
        switch ending {
        case .complete: try completeCommit()
        case .onDisk, .onDiskWithKeys: break
        case .open: database.log?.begin()
        }
        return result
    }

    /// What a commit does before it returns.
    enum Ending {
        /// It is on the disk, and noted outside.
        case complete
        /// It is on the disk.
        case onDisk
        /// The same, with a list of keys that is emptied when the output is out.
        case onDiskWithKeys
        /// It is under way to the disk.
        case open

        fileprivate var durability: Database.Durability {
            switch self {
            case .complete, .onDisk: .waiting
            case .onDiskWithKeys: .waitingWithMuch
            case .open: .unsynchronised
            }
        }
    }

    /// Sees to it that the last commit is on the disk, and notes it outside. Nothing that depends on it
    /// may go out before.
    package func completeCommit() throws(KeyringError) {
        guard let count = incomplete.take() else { return }
        try database.log?.finish()
        try note.raise(to: count)
    }

    /// What a commit changes beside what its body writes.
    struct Change {
        var ledger: Ledger
        /// False when the body found nothing to write; then the commit does not count.
        var isNeeded = true
        /// False when nothing of what was written is to stand.
        var stands = true
    }

    /// Refuses a keyring that was copied or restored (PROTOCOL.md, section 7).
    ///
    /// - Returns: how many contacts it has.
    @discardableResult
    package func checkHome() throws(KeyringError) -> Int {
        let keys = try unlocked()
        let noted = try note.count()
        let ledger = try Ledger(from: database, keys.vault)
        try check(ledger, noted)
        return Int(clamping: ledger.contacts)
    }

    private func check(_ ledger: Ledger, _ noted: UInt64) throws(KeyringError) {
        if ledger.home != home { throw .moved }
        if ledger.commits < noted { throw .behind }
    }

    /// The count of commits that was noted outside.
    func notedCommits() throws(KeyringError) -> UInt64 { try note.count() }

    /// Records that the keyring lives here, and is as new as any that was seen here.
    func settleHere(_ ledger: inout Ledger, _ noted: UInt64) {
        ledger.home = home
        ledger.commits = max(ledger.commits, noted)
    }
}
