package import Crypto
internal import System

/// The lockout, which limits how often passwords can be tried.
///
/// An attempt is counted in a commit before the password is checked, so killing the process does not undo the
/// count. Only one process tries a password at a time, so that several jobs with the correct password never
/// lock each other out. The lockout prevents an attacker from guessing passwords with these tools, but not
/// with other programs. An attacker who has copied the file is slowed down only by scrypt.
extension KeyringFile {
    /// Seconds to wait for attempts by other processes.
    private static let patience = 30

    /// Returns the number of seconds until the lockout ends, or nil if there is no lockout.
    package func lockedFor() throws(KeyringError) -> Int? {
        try readLockout().remaining(clocks, account)
    }

    /// Returns the number of wrong passwords since the last correct password.
    package func failedTries() throws(KeyringError) -> Int { try readLockout().tries }

    /// Returns the master key if the password is correct. Runs scrypt. Other processes can use the keyring
    /// while scrypt runs.
    ///
    /// - Throws: `wrongPassword`, `lockedOut`, `busy`.
    package func masterKey(password: borrowing SecretBytes) throws(KeyringError) -> SecretBytes {
        try beginTry()
        let master: SecretBytes?
        do throws(KeyringError) {
            master = try account.unwrap(password)
        } catch {
            // Do not count this attempt. The password was not checked, because there was not enough memory
            // for scrypt.
            _ = try endTry { (state) in
                state.tries = max(0, state.tries - 1)
                if state.tries < account.lockTries { (state.boot, state.until) = ("", 0) }
            }
            throw error
        }
        let isRight = master != nil
        let left = try endTry { (state) in if isRight { state = Lockout() } }
        guard let master else {
            throw .account(.wrongPassword(triesLeft: left, lockSeconds: account.lockSeconds))
        }
        return master
    }

    /// Waits for attempts by other processes, and counts this attempt.
    ///
    /// - Throws: `lockedOut`, or `busy` if the attempts by other processes take too long.
    private func beginTry() throws(KeyringError) {
        for _ in 0..<(Self.patience * 20) {
            if try countTry() { return }
            MonotonicClock.pause(milliseconds: 50)
        }
        throw .store(.busy)
    }

    /// Ends this process's attempt, and applies `change` to the lockout.
    ///
    /// - Returns: the number of attempts left before the lockout.
    private func endTry(_ change: (inout Lockout) -> Void) throws(KeyringError) -> Int {
        try database.transaction { () throws(KeyringError) in
            var state = try readLockout()
            if state.holder == mark.text {
                state.holder = ""
                change(&state)
                try write(state)
            }
            return max(0, account.lockTries - state.tries)
        }
    }

    /// Counts the attempt in one commit, if no other process is trying a password and there is no lockout.
    /// Returns false if another process is trying a password.
    ///
    /// - Throws: `lockedOut`.
    private func countTry() throws(KeyringError) -> Bool {
        let transaction = try database.beginWriting(.waiting)
        var state = try readLockout()
        if !state.holder.isEmpty, ProcessIdentity(text: state.holder).isAlive(clocks) {
            return false
        }
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

    /// The content of the row in table `lockout`.
    private struct Lockout {
        var tries = 0
        /// The process that is trying a password now, or empty.
        var holder = ""
        /// The id of the boot to which `until` refers, or empty if there is no lockout.
        var boot = ""
        var until: Int64 = 0

        mutating func lock(_ clocks: Clocks, _ account: Account) {
            boot = clocks.bootID
            until = clocks.boot() + Int64(account.lockSeconds)
        }

        /// Returns the number of seconds until the lockout ends, or nil if there is no lockout. After a
        /// reboot, the full waiting time starts again. The result never exceeds the full waiting time.
        func remaining(_ clocks: Clocks, _ account: Account) -> Int? {
            guard !boot.isEmpty else { return nil }
            guard boot == clocks.bootID else { return account.lockSeconds }
            // The row is not sealed, so a damaged row may contain any number.
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
        guard let state else { throw .store(.damaged("the state of the lockout is missing")) }
        return state
    }

    private func write(_ state: Lockout) throws(KeyringError) {
        try database.statement(
            "REPLACE INTO lockout (id, tries, holder, boot, until) VALUES (1, ?, ?, ?, ?)"
        )
        .bind(Int64(state.tries)).bind(state.holder).bind(state.boot).bind(state.until).run()
    }
}
