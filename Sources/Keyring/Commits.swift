/// Commits: each is durable, counted in the ledger, and noted outside (PROTOCOL.md, section 7).
extension Keyring {
    /// Runs `body` as one durable commit, which the ledger counts and the note outside notes.
    ///
    /// - Parameters:
    ///   - disk: `later` where the caller waits for it with `awaitDisk`, before anything depends on it.
    ///   - isUse: true for enciphering and deciphering, which a copied keyring refuses.
    ///   - isAdoption: true for the owner's answer, which alone may change one that is behind.
    func commit<Result: ~Copyable>(
        disk: Disk = .now, isUse: Bool = false, isAdoption: Bool = false,
        _ body: (Keys, inout Change) throws(KeyringError) -> Result
    ) throws(KeyringError) -> Result {
        let keys = try unlocked()
        let noted = try note.count()
        var committed: UInt64 = 0
        let result = try database.transaction(disk == .now ? .waiting : .unsynchronised) {
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
            committed = change.ledger.commits
            return result
        }
        guard committed > 0 else { return result }
        switch disk {
        case .now: try note.raise(to: committed)
        case .later:
            awaited = committed
            try database.log?.begin()
        }
        return result
    }

    /// When a commit waits for the disk.
    enum Disk {
        case now, later
    }

    /// Waits until the last commit is on the disk, where that did not, and notes it outside.
    package func awaitDisk() throws(KeyringError) {
        guard let committed = awaited.take() else { return }
        try database.log?.finish()
        try note.raise(to: committed)
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
    package func checkHome() throws(KeyringError) {
        let keys = try unlocked()
        let noted = try note.count()
        try check(try Ledger(from: database, keys.vault), noted)
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
