internal import System

/// Who may try a password, and when.
///
/// A try is committed before the password is checked, so that killing the process does not take it
/// back. Tries go one at a time; so jobs with the right password never lock each other out. It
/// stops guessing through these tools; whoever copies the file guesses against scrypt alone.
extension Keyring {
    /// Seconds that a try waits for its turn.
    private static let patience = 30

    /// Seconds until the lock opens, or nil when it is open.
    package func lockedFor() throws(KeyringError) -> Int? {
        try readLockout().remaining(clocks, account)
    }

    /// Wrong passwords since the last right one.
    package func failedTries() throws(KeyringError) -> Int { try readLockout().tries }

    /// Takes the right to try and counts the try.
    ///
    /// - Throws: `lockedOut`, or `busy` when others try for too long.
    func beginTry() throws(KeyringError) {
        for _ in 0..<(Self.patience * 20) {
            if try attempt() { return }
            Moment.pause(milliseconds: 50)
        }
        throw .store(.busy)
    }

    /// Gives the right to try back. A right password clears the count.
    ///
    /// - Returns: tries left before the lock.
    func endTry(_ outcome: TryOutcome) throws(KeyringError) -> Int {
        try database.transaction { () throws(KeyringError) in
            var state = try readLockout()
            guard state.holder == mark.text else { return max(0, account.lockTries - state.tries) }
            state.holder = ""
            switch outcome {
            case .right: state = Lockout()
            case .wrong: break
            case .notTried:
                state.tries = max(0, state.tries - 1)
                if state.tries < account.lockTries { (state.boot, state.until) = ("", 0) }
            }
            try write(state)
            return max(0, account.lockTries - state.tries)
        }
    }

    /// How a try ended.
    enum TryOutcome {
        case right
        case wrong
        /// The password could not be checked.
        case notTried
    }

    /// One commit: sees that nobody else is trying and that the lock is open, and counts the try. False while
    /// another is trying.
    ///
    /// - Throws: `lockedOut`.
    private func attempt() throws(KeyringError) -> Bool {
        let transaction = try database.begin(.waiting)
        var state = try readLockout()
        if !state.holder.isEmpty, ProcessMark(text: state.holder).isAlive(clocks) { return false }
        if let seconds = state.remaining(clocks, account) {
            if state.boot != clocks.bootID {
                state.lock(clocks, account)
                try write(state)
                try transaction.commit()
            }
            throw .account(.lockedOut(seconds: seconds))
        }
        if !state.boot.isEmpty { state = Lockout() }
        state.tries += 1
        state.holder = mark.text
        if state.tries >= account.lockTries { state.lock(clocks, account) }
        try write(state)
        try transaction.commit()
        return true
    }

    /// The lockout's row.
    private struct Lockout {
        var tries = 0
        /// Who is trying now.
        var holder = ""
        /// The boot that `until` counts in; empty when nothing is locked.
        var boot = ""
        var until: Int64 = 0

        mutating func lock(_ clocks: Clocks, _ account: Account) {
            boot = clocks.bootID
            until = clocks.boot() + Int64(account.lockSeconds)
        }

        /// Another boot's lock counts in full from now; none is ever longer than its full length.
        func remaining(_ clocks: Clocks, _ account: Account) -> Int? {
            guard !boot.isEmpty else { return nil }
            guard boot == clocks.bootID else { return account.lockSeconds }
            // The row is not sealed: a damaged one may hold any number.
            let (left, isBeyond) = until.subtractingReportingOverflow(clocks.boot())
            if isBeyond { return until > 0 ? account.lockSeconds : nil }
            return left > 0 ? min(Int(clamping: left), account.lockSeconds) : nil
        }
    }

    private func readLockout() throws(KeyringError) -> Lockout {
        let state = try database.statement(
            "SELECT tries, holder, boot, until FROM lockout WHERE id = 1"
        ).first {
            (row) throws(KeyringError) in
            Lockout(
                tries: max(0, min(Int(clamping: row.integer(0)), account.lockTries)),
                holder: row.text(1),
                boot: row.text(2),
                until: row.integer(3))
        }
        guard let state else { throw .store(.damaged("the lockout's row is missing")) }
        return state
    }

    private func write(_ state: Lockout) throws(KeyringError) {
        try database.statement(
            "REPLACE INTO lockout (id, tries, holder, boot, until) VALUES (1, ?, ?, ?, ?)"
        )
        .bind(Int64(state.tries)).bind(state.holder).bind(state.boot).bind(state.until).run()
    }
}
