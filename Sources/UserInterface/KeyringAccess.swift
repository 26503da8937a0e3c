package import Keyring
package import ToolKit
package import Crypto
package import System

// This target is the interface between the user and the keyring. It handles the password, the terminal,
// the session in SMSENC_SESSION, and the texts of the keyring's errors.
//
// - `KeyringAccess` opens and unlocks the keyring for a tool.
// - `Password` normalises a password and converts it to bytes.
// - `Terminal` asks questions.
// - `KeyringError+DiagnosticText` provides the diagnostic and the exit status for each error of Keyring.
//   `AccessError` does the same for the errors of this target.
//
// This target does not store anything. Keyring stores sessions and lockouts, Crypto overwrites the bytes
// of a password, and System turns off the terminal's echo.

/// Finds, opens and unlocks the keyring that the options or the environment select.
package final class KeyringAccess {
    package static let identityOption = Option(
        "identity", short: "i", value: "IDENTITY",
        "use the contacts of this identity (default: SMSENC_IDENTITY, or real)")

    package static let options = [
        Option(
            "keyring", short: "k", value: "FILE",
            "use this keyring (default: SMSENC_KEYRING, or ~/.local/share/smsenc/keyring)"),
        identityOption,
        Option(
            "password-file", value: "FILE",
            "read the password from the first line of FILE (default: SMSENC_PASSWORD_FILE, or ask)"),
    ]

    package let path: String
    package let places: StandardPaths
    /// Path of the password file, or nil if the user did not give one.
    package let passwordFile: String?
    /// Name of the identity to use, or nil for the real identity.
    private let identity: String?
    private let diagnostics: Diagnostics
    private var opened: KeyringFile?

    /// Reads the options. If an option is missing, reads the environment variable for it.
    ///
    /// - Parameter usesIdentity: false if the command concerns the whole account instead of one identity.
    /// - Throws: `noHomeFolder`. Throws `misuse` if a file name is empty.
    package init(
        _ arguments: Arguments, tool: String, usesIdentity: Bool = true
    ) throws(ExitError) {
        let named = arguments.value("keyring") ?? Environment.value("SMSENC_KEYRING")
        do throws(PathFault) {
            path = if let named { named } else { try StandardPaths.keyring() }
            places = try StandardPaths()
        } catch {
            throw KeyringError.file(error).exitError
        }
        if path.isEmpty { throw .misuse("the name of the keyring is empty") }
        Session.removeExpired(in: places.sessions, clocks: .system)
        passwordFile = arguments.value("password-file") ?? Environment.value("SMSENC_PASSWORD_FILE")
        identity =
            usesIdentity
            ? arguments.value(Self.identityOption.long) ?? Environment.value("SMSENC_IDENTITY")
            : nil
        diagnostics = Diagnostics(tool: tool)
        ToolMain.exitIfMappedWriteFails(KeyringError.store(.diskFull), tool: tool)
    }

    /// Opens the keyring without unlocking it. The caller must call `close` when it no longer needs the
    /// keyring.
    ///
    /// - Throws: the errors of `KeyringFile.init`.
    ///
    /// - Parameter toCheck: true if the keyring is only opened to be checked. For a check, the keyring is
    ///   opened even if its list of records is damaged.
    package func open(toCheck: Bool = false) throws(ExitError) -> KeyringFile {
        do throws(KeyringError) {
            let file = try KeyringFile(
                path: path, places: places, clocks: .system, toCheck: toCheck)
            opened = file
            return file
        } catch {
            throw error.exitError
        }
    }

    /// Closes the keyring if `open` or `unlocked` has opened it.
    ///
    /// - Throws: `notClosed`.
    package func close() throws(ExitError) {
        try throwingExitError(opened.take()?.close())
    }

    /// Opens the keyring and unlocks it. First tries the session, then the password file, and then asks
    /// for the password at the terminal.
    ///
    /// - Parameters:
    ///   - usesSession: false if a session is not enough, because the command requires the password.
    ///   - needsSession: true if the command works only in a session. A command that works only in a
    ///     session never uses the password.
    /// - Throws: errors of the keyring, and `AccessError`. If the user presses ^C, for example, throws an
    ///   error that ends the tool with the signal SIGINT.
    package func unlocked(
        usesSession: Bool = true, needsSession: Bool = false, toCheck: Bool = false
    ) throws(ExitError) -> Keyring {
        if usesSession, let keyring = try unlockedWithSession(toCheck: toCheck) { return keyring }
        let file = try open(toCheck: toCheck)
        if needsSession { throw KeyringError.session(.needed).exitError }
        return try unlockWithPassword(file).keyring
    }

    /// Selects the identity that the options or the environment name.
    private func selectIdentity(of keyring: Keyring) throws(ExitError) {
        if let identity { try keyring.withIdentity(keyring.act(as: identity)) }
    }

    /// A keyring, and the password with which it was unlocked.
    package struct UnlockedByPassword: ~Copyable {
        package let keyring: Keyring
        package let password: Password
    }

    /// Unlocks a keyring with the password.
    ///
    /// - Throws: the same errors as `unlocked`.
    package func unlockWithPassword(
        _ file: KeyringFile
    ) throws(ExitError) -> UnlockedByPassword {
        // Check this first. During a lockout, the user should not be asked for a password.
        if let seconds = try throwingExitError(file.lockedFor()) {
            throw KeyringError.account(.lockedOut(seconds: seconds)).exitError
        }
        var master: SecretBytes?
        let password = try withPassword(of: file.account.user) { (password) throws(KeyringError) in
            master = try file.masterKey(password: password)
        }
        guard let master = master.take() else { preconditionFailure("a password gives a key") }
        let keyring: Keyring
        do throws(KeyringError) {
            keyring = try file.unlock(master: master)
        } catch {
            throw error.exitError
        }
        try selectIdentity(of: keyring)
        return UnlockedByPassword(keyring: keyring, password: password)
    }

    /// Passes the password of an account to `body`, and returns the password if `body` accepts it.
    ///
    /// If the user types a wrong password at the terminal, the function asks for the password again until
    /// no attempts are left.
    ///
    /// - Throws: the same errors as `unlocked`.
    package func withPassword(
        of user: String, _ body: (borrowing SecretBytes) throws(KeyringError) -> Void
    ) throws(ExitError) -> Password {
        while true {
            let password = try password(of: user)
            do throws(KeyringError) {
                try body(password.bytes)
                return password
            } catch {
                switch error {
                case .account(.wrongPassword(1..., _)), .backup(.wrongPassword):
                    if passwordFile != nil { throw error.exitError }
                    diagnostics.say(error.text)
                default: throw error.exitError
                }
            }
        }
    }

    /// Reads the password of an account from the password file, or asks for it at the terminal.
    private func password(of user: String) throws(ExitError) -> Password {
        if let passwordFile { return try Password(file: passwordFile) }
        guard let terminal = Terminal() else { throw AccessError.noTerminal.exitError }
        return try Password(
            try terminal.askSecret(
                "password of \(quoted(user)) (\(quoted(path))): "))
    }

    /// Returns the session that the environment variable SMSENC_SESSION names, or nil if the variable is
    /// not set.
    package func session() throws(KeyringError) -> Session? {
        guard let token = Environment.value("SMSENC_SESSION") else { return nil }
        return try Session(token: token, folder: places.sessions)
    }

    /// Unlocks an open keyring with the session in SMSENC_SESSION, but does not select an identity.
    /// Returns nil if the session cannot be used.
    package func unlockedIfSessionIsOpen(
        _ file: KeyringFile
    ) throws(KeyringError) -> Keyring? {
        do throws(KeyringError) {
            return try session().map { (session) throws(KeyringError) in
                try file.unlock(with: session)
            }
        } catch .session {
            return nil
        }
    }

    /// Returns the state of the session in SMSENC_SESSION. If the session is open, also returns the path
    /// of its file.
    package func sessionState(of file: KeyringFile) -> (state: String, path: String?) {
        do throws(KeyringError) {
            guard let session = try session() else { return ("none", nil) }
            _ = try session.contents(of: file.account.keyring, clocks: file.clocks)
            return ("open", session.path)
        } catch .session(.otherKeyring) {
            return ("of another keyring", nil)
        } catch .session(.unreadable) {
            return ("unreadable", nil)
        } catch {
            return ("ended", nil)
        }
    }

    /// Opens the keyring and unlocks it with the session. Returns nil if no session can be used.
    private func unlockedWithSession(toCheck: Bool) throws(ExitError) -> Keyring? {
        let keyring: Keyring
        do throws(KeyringError) {
            guard let session = try session() else { return nil }
            let file = try KeyringFile(
                path: path, places: places, clocks: .system, toCheck: toCheck)
            keyring = try file.unlock(with: session)
        } catch {
            guard case .session = error, error.status == .noPermission else {
                throw error.exitError
            }
            diagnostics.say(error.text)
            return nil
        }
        opened = keyring.file
        try selectIdentity(of: keyring)
        return keyring
    }
}
