package import Crypto
internal import System

/// The lockout, which limits how often passwords can be tried.
///
/// An attempt is counted before the password is checked. The count is committed, so killing the process does
/// not undo it. Only one process tries a password at a time. Several jobs with the correct password therefore
/// never lock each other out. The lockout prevents an attacker from guessing passwords with these tools, but
/// not with other programs. An attacker who has copied the file is slowed down only by scrypt.
extension KeyringFile {
    /// Maximum number of seconds to wait for attempts by other processes.
    private static let patience = 30

    /// Returns the number of seconds until the lockout ends, or nil if there is no lockout.
    package func lockedFor() throws(KeyringError) -> Int? {
        try readLockout().remaining(clocks, account)
    }

    /// Returns the number of attempts since the last correct password, including an attempt in progress.
    package func failedTries() throws(KeyringError) -> Int { try readLockout().tries }

    /// Returns the master key if the password is correct. Runs scrypt. Other processes can use the keyring
    /// while scrypt runs.
    ///
    /// - Throws: `wrongPassword`, `lockedOut`, `busy`.
    package func masterKey(password: borrowing SecretBytes) throws(KeyringError) -> SecretBytes {
        do throws(KeyringError) {
            try beginTry()
        } catch {
            guard case .store(.readOnly) = error else { throw error }
            return try masterKeyWithoutCount(password: password)
        }
        let master: SecretBytes?
        do throws(KeyringError) {
            master = try account.unwrap(password)
        } catch {
            // Do not count this attempt. The password was not checked, because scrypt could not allocate
            // enough memory.
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

    /// Returns the master key of a keyring whose file is read-only. The file cannot store the number of
    /// attempts, so only this process counts them.
    private func masterKeyWithoutCount(
        password: borrowing SecretBytes
    ) throws(KeyringError) -> SecretBytes {
        let state = try readLockout()
        if let seconds = state.remaining(clocks, account) {
            throw .account(.lockedOut(seconds: seconds))
        }
        if let master = try account.unwrap(password) { return master }
        uncountedTries += 1
        throw .account(
            .wrongPassword(
                triesLeft: max(0, account.lockTries - state.tries - uncountedTries),
                lockSeconds: account.lockSeconds))
    }

    /// Waits until no other process is trying a password, and counts this attempt.
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

    /// Counts an attempt to enter the password, in a commit of its own. If another process is trying a
    /// password, does nothing and returns false.
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

    private func readLockout() throws(KeyringError) -> Lockout {
        let bytes = try database.statement("SELECT lockout FROM account WHERE id = 1").first {
            $0.bytes(0)
        }
        return try parsing(
            Lockout(stored: bytes ?? [], account),
            or: .store(.damaged("the state of the lockout is missing or malformed")))
    }

    private func write(_ state: Lockout) throws(KeyringError) {
        try database.statement("UPDATE account SET lockout = ? WHERE id = 1").bind(state.stored)
            .run()
    }
}

/// The state of the lockout, which is not sealed (smsenc-keyring(5), Account):
///
///     offset  bytes  content
///     0       2      number of attempts since the last correct password, including one in progress
///     2       8      end of the lockout, in seconds since the boot
///     10      2 + n  the boot id as text, or an empty text if there is no lockout
///     12+n    2 + m  the name of the process that is trying a password now (`ProcessIdentity`), or an empty
///                    text
struct Lockout {
    fileprivate var tries = 0
    fileprivate var until: Int64 = 0
    /// The id of the boot to which `until` refers, or empty if there is no lockout.
    fileprivate var boot = ""
    /// The process that is trying a password now, or empty.
    fileprivate var holder = ""

    init() {}

    /// Parses a stored state. The numbers may have any value, because anybody who can write to the file can
    /// change them.
    fileprivate init(stored bytes: [UInt8], _ account: Account) throws(InvalidRecord) {
        var reader = SecretReader(SecretBytes(copying: bytes.span))
        tries = min(Int(try reader.integer() as UInt16), account.lockTries)
        until = try reader.integer()
        boot = try reader.text()
        holder = try reader.text()
        guard reader.remaining == 0 else { throw InvalidRecord() }
    }

    var stored: [UInt8] {
        var record = SecretWriter()
        record.put(UInt16(tries))
        record.put(until)
        record.put(boot)
        record.put(holder)
        return record.finish().withSpan { Array(copying: $0) }
    }

    fileprivate mutating func lock(_ clocks: Clocks, _ account: Account) {
        boot = clocks.bootID
        until = clocks.boot() + Int64(account.lockSeconds)
    }

    /// Returns the number of seconds until the lockout ends, or nil if there is no lockout. After a
    /// restart of the machine, the full waiting time starts again. The result never exceeds the full
    /// waiting time.
    fileprivate func remaining(_ clocks: Clocks, _ account: Account) -> Int? {
        guard !boot.isEmpty else { return nil }
        guard boot == clocks.bootID else { return account.lockSeconds }
        let (left, isBeyond) = until.subtractingReportingOverflow(clocks.boot())
        if isBeyond { return until > 0 ? account.lockSeconds : nil }
        return left > 0 ? min(Int(clamping: left), account.lockSeconds) : nil
    }
}
