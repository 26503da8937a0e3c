package import Keyring
package import ToolKit
package import Crypto
package import System

// The interface between a user and the keyring: the password, the terminal, the session that the
// environment names, and the texts of the keyring's errors.
//
// - `KeyringAccess` gives a tool an unlocked keyring.
// - `Password` normalises a password and converts it to bytes.
// - `Terminal` asks questions.
// - `KeyringError+DiagnosticText` provides the diagnostic and exit status for each error of Keyring, and
//   `AccessError` for each error of this target.
//
// This target does not store anything. Keyring stores sessions and lockouts, Crypto overwrites the bytes
// of a password, and System turns off the terminal's echo.

/// Finds, opens and unlocks the keyring that the options or the environment select.
package final class KeyringAccess {
    package static let options = [
        Option(
            "keyring", short: "k", value: "FILE",
            "use this keyring (default: SMSENC_KEYRING, or ~/.local/share/smsenc/keyring)"),
        Option(
            "identity", short: "i", value: "IDENTITY",
            "use the contacts of this identity (default: SMSENC_IDENTITY, or real)"),
        Option(
            "password-file", value: "FILE",
            "read the password from the first line of FILE (default: SMSENC_PASSWORD_FILE, or ask)"),
    ]

    package let path: String
    package let places: StandardPaths
    /// Path of the password file, or nil if the user did not give one.
    package let passwordFile: String?
    private let identity: String?
    private let diagnostics: Diagnostics
    private var opened: KeyringFile?

    /// Reads the options, and the environment variables that replace missing options.
    ///
    /// - Throws: `misuse` for an empty file name; `noHomeFolder`.
    package init(_ arguments: Arguments, tool: String) throws(ExitError) {
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
        identity = arguments.value("identity") ?? Environment.value("SMSENC_IDENTITY")
        diagnostics = Diagnostics(tool: tool)
        ToolMain.exitIfMappedWriteFails(KeyringError.store(.diskFull), tool: tool)
    }

    /// Opens the keyring without unlocking it. The caller must call `close` at the end of its work.
    ///
    /// - Throws: what `LockedKeyring.init` throws.
    package func open() throws(ExitError) -> LockedKeyring {
        do throws(KeyringError) {
            let locked = try LockedKeyring(path: path, places: places, clocks: .system)
            opened = locked.file
            return locked
        } catch {
            throw error.exitError
        }
    }

    /// Closes the keyring if it is open.
    ///
    /// - Throws: `notClosed`.
    package func close() throws(ExitError) {
        try throwingExitError(opened.take()?.close())
    }

    /// Opens the keyring and unlocks it. The session is tried first, then the password file, then a
    /// password typed at the terminal.
    ///
    /// - Parameters:
    ///   - usesSession: false if the command requires the password itself.
    ///   - needsSession: true if the command works only in a session, so that no password is asked for.
    ///   - actsAsIdentity: false for commands that concern the whole account.
    /// - Throws: errors of the keyring, `AccessError`, and the signal that ends the tool.
    package func unlocked(
        usesSession: Bool = true, needsSession: Bool = false, actsAsIdentity: Bool = true
    ) throws(ExitError) -> Keyring {
        var found = usesSession ? try unlockedWithSession() : nil
        if found == nil {
            let locked = try open()
            if needsSession { throw KeyringError.session(.needed).exitError }
            found = try unlockWithPassword(locked).keyring
        }
        guard let keyring = found else { preconditionFailure("neither unlocked nor refused") }
        if actsAsIdentity, let identity {
            try keyring.withIdentity(keyring.act(as: identity))
        }
        return keyring
    }

    /// A keyring that was unlocked with the password, and that password.
    package struct UnlockedByPassword: ~Copyable {
        package let keyring: Keyring
        package let password: Password
    }

    /// Unlocks a keyring with the password.
    ///
    /// - Throws: the same errors as `unlocked`.
    package func unlockWithPassword(
        _ locked: consuming LockedKeyring
    ) throws(ExitError) -> UnlockedByPassword {
        // Check this first, so that nobody types a password during a lockout.
        if let seconds = try throwingExitError(locked.file.lockedFor()) {
            throw KeyringError.account(.lockedOut(seconds: seconds)).exitError
        }
        var master: SecretBytes?
        let file = locked.file
        let password = try withPassword(of: file.account.user) { (password) throws(KeyringError) in
            master = try file.masterKey(password: password)
        }
        guard let master = master.take() else { preconditionFailure("a password gives a key") }
        do throws(KeyringError) {
            return UnlockedByPassword(
                keyring: try locked.unlock(master: master), password: password)
        } catch {
            throw error.exitError
        }
    }

    /// Passes the password of an account to `body`, and returns the password if `body` accepts it.
    ///
    /// If a password typed at the terminal is wrong, this function asks for it again until no attempts are
    /// left.
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

    /// Returns the session that the environment selects, or nil if there is none.
    package func session() throws(KeyringError) -> Session? {
        guard let token = Environment.value("SMSENC_SESSION") else { return nil }
        return try Session(token: token, folder: places.sessions)
    }

    /// Returns the state of the session that the environment selects, and the path of its file if it is open.
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

    /// Opens the keyring and unlocks it with the session. Returns nil if there is no usable session.
    private func unlockedWithSession() throws(ExitError) -> Keyring? {
        do throws(KeyringError) {
            guard let session = try session() else { return nil }
            let keyring = try Keyring.open(
                path: path, places: places, clocks: .system, with: session)
            opened = keyring.file
            return keyring
        } catch {
            guard case .session = error, error.status == .noPermission else {
                throw error.exitError
            }
            diagnostics.say(error.text)
            return nil
        }
    }
}
