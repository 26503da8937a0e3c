/// One commit under way: a transaction that the ledger counts (smsenc(7), State on disk).
///
/// It is made durable first and then noted outside; only after both may anything that depends on it go
/// out. Dropped before, nothing has changed.
struct Commit: ~Copyable {
    let keyring: Keyring
    let ledger: Ledger
    /// False where nothing was changed that counts.
    var isNeeded = true
    private let transaction: Database.Transaction
    private let transitAtStart: Tally

    fileprivate init(
        _ keyring: Keyring, _ ledger: Ledger, _ transaction: consuming Database.Transaction
    ) {
        self.keyring = keyring
        self.ledger = ledger
        self.transaction = transaction
        transitAtStart = ledger.transit
    }

    /// Makes it durable.
    ///
    /// - Returns: the count to be noted outside; nil where it was not needed.
    consuming func makeDurable() throws(KeyringError) -> UInt64? {
        guard isNeeded || ledger.transit != transitAtStart else {
            try transaction.commit()
            return nil
        }
        ledger.commits += 1
        try ledger.write(to: keyring.database, try keyring.unlocked().vault)
        let count = ledger.commits
        try transaction.commit()
        return count
    }
}

extension Keyring {
    /// Begins a commit.
    ///
    /// - Parameters:
    ///   - isUse: true for enciphering and deciphering, which a copied keyring refuses.
    ///   - isAdoption: true for the owner's answer, which alone may change one that is behind.
    /// - Throws: `moved`, `behind`, `busy`, `noNote`; `damaged` where rows are not those that were written.
    func beginCommit(isUse: Bool = false, isAdoption: Bool = false) throws(KeyringError) -> Commit {
        let keys = try unlocked()
        let noted = try notedCommits()
        let transaction = try database.begin()
        let ledger = try Ledger(from: database, keys.vault)
        if isUse { try check(ledger, noted) }
        // A commit would bring the count nearer to the note, until nothing told of the restoring.
        if !isAdoption, ledger.commits < noted { throw .copy(.behind) }
        try Audit(database, keys.vault, ledger).usual()
        return Commit(self, ledger, transaction)
    }

    /// Runs `body` as a commit that only tidies up: nobody waits for the disk, and its count is noted
    /// outside when the log is written back (`closeFile`).
    func tidyUp(_ body: (LinkRows) throws(KeyringError) -> Void) throws(KeyringError) {
        let keys = try unlocked()
        tidied = try database.transaction(.light) { () throws(KeyringError) in
            let ledger = try Ledger(from: database, keys.vault)
            try body(LinkRows(self, keys, ledger))
            ledger.commits += 1
            try ledger.write(to: database, keys.vault)
            return ledger.commits
        }
    }

    /// Notes the count of a durable commit outside.
    func note(_ count: UInt64?) throws(KeyringError) {
        if let count { try commitCount.raise(to: count) }
    }

    /// Runs `body` as one commit, durable and noted when this returns. When `body` throws nothing has
    /// changed.
    func commit<Result: ~Copyable>(
        isAdoption: Bool = false,
        _ body: (Keys, inout Commit) throws(KeyringError) -> Result
    ) throws(KeyringError) -> Result {
        var commit = try beginCommit(isAdoption: isAdoption)
        let result = try body(try unlocked(), &commit)
        try note(try commit.makeDurable())
        return result
    }

    /// Refuses a keyring that was copied or restored.
    ///
    /// - Throws: `moved`, `behind`.
    package func checkIsOriginal() throws(KeyringError) {
        let noted = try notedCommits()
        try check(try Ledger(from: database, try unlocked().vault), noted)
    }

    private func check(_ ledger: Ledger, _ noted: UInt64) throws(KeyringError) {
        if ledger.home != home { throw .copy(.moved) }
        if ledger.commits < noted { throw .copy(.behind) }
    }

    /// The count of commits that was noted outside, or that this process knows of.
    func notedCommits() throws(KeyringError) -> UInt64 {
        if let notedBefore { return notedBefore }
        return max(try commitCount.noted(), tidied ?? 0)
    }

    /// Records that the keyring lives here, and is as new as any that was seen here.
    func bringHere(_ ledger: Ledger, _ noted: UInt64) {
        ledger.home = home
        ledger.commits = max(ledger.commits, noted)
    }
}
