package import Keyring
package import LineIO
package import Crypto
package import System

// Between a person and the keyring: the password, the terminal, the session that the environment names,
// and the words for what the keyring refuses.
//
// It owns how a tool gets an unlocked keyring (KeyringAccess), which bytes a password has (Password), how it
// is asked for (Terminal), and the wording and exit status of every error of Keyring (KeyringError+Words)
// and of its own (AccessError). It keeps nothing: sessions and lockout are Keyring's, and the bytes of a
// password are Crypto's to cleanse. How a terminal is made quiet is System's.

/// How a tool comes to an unlocked keyring: which one, and where the password is from.
package final class KeyringAccess {
    package static let options = [
        Option("keyring", short: "k", value: "FILE", "use this keyring"),
        Option(
            "identity", short: "i", value: "IDENTITY",
            "act under this identity instead of the real one"),
        Option("password-file", value: "FILE", "read the password from the first line of FILE"),
    ]

    package let path: String
    package let places: StandardPaths
    /// The file that passwords come from, where one was named.
    package let passwordFile: String?
    private let identity: String?
    private let diagnostics: Diagnostics
    private var opened: Keyring?

    /// - Throws: `misuse` for an empty name, `homeless`.
    package init(_ arguments: Arguments, tool: String) throws(Stop) {
        let named = arguments.value("keyring") ?? Environment.value("SMSENC_KEYRING")
        do throws(PathFault) {
            path = if let named { named } else { try StandardPaths.keyring() }
            places = try StandardPaths()
        } catch {
            throw KeyringError.file(error).stop
        }
        if path.isEmpty { throw .misuse("--keyring takes the name of a file") }
        passwordFile = arguments.value("password-file") ?? Environment.value("SMSENC_PASSWORD_FILE")
        identity = arguments.value("identity") ?? Environment.value("SMSENC_IDENTITY")
        diagnostics = Diagnostics(tool: tool)
        ToolMain.endWhereMappingFails(KeyringError.store(.full), tool: tool)
    }

    /// Opens the keyring, locked; to be closed when its work is done.
    ///
    /// - Throws: as `Keyring.init`.
    package func open() throws(Stop) -> Keyring {
        let keyring = try orStop(Keyring(path: path, places: places, clocks: .system))
        opened = keyring
        return keyring
    }

    /// Closes the keyring that was opened, if one was.
    ///
    /// - Throws: `notClosed`.
    package func close() throws(Stop) {
        try orStop(opened.take()?.closeFile())
    }

    /// Opens the keyring and unlocks it: with the session, else with the password from the file, else
    /// with the one typed at the terminal.
    ///
    /// - Parameters:
    ///   - usesSession: false where the password itself is to be given.
    ///   - needsSession: true to ask for no password, where no session is open.
    ///   - actsAsIdentity: false for what concerns the whole account.
    /// - Throws: what the keyring refuses, `AccessError`, what ends the tool by a signal.
    package func unlocked(
        usesSession: Bool = true, needsSession: Bool = false, actsAsIdentity: Bool = true
    ) throws(Stop) -> Keyring {
        let keyring = try open()
        let isOpen = usesSession ? try unlockWithSession(keyring) : false
        if !isOpen, needsSession { throw KeyringError.session(.needed).stop }
        if !isOpen { _ = try unlockWithPassword(keyring) }
        if actsAsIdentity, let identity {
            try keyring.withIdentity(keyring.act(as: identity))
        }
        return keyring
    }

    /// Unlocks a keyring with the password.
    ///
    /// - Throws: as `unlocked`, and so the next two.
    package func unlockWithPassword(_ keyring: Keyring) throws(Stop) -> Password {
        // Nobody types a password that will not be tried.
        if let seconds = try orStop(keyring.lockedFor()) {
            throw KeyringError.account(.lockedOut(seconds: seconds)).stop
        }
        return try withPassword(of: keyring.account.user) { (password) throws(KeyringError) in
            try keyring.unlock(password: password)
        }
    }

    /// Does something with the password of an account; a wrong one that was typed is asked for again, as
    /// long as tries are left.
    package func withPassword(
        of user: String, _ body: (borrowing SecretBytes) throws(KeyringError) -> Void
    ) throws(Stop) -> Password {
        while true {
            let password = try password(of: user)
            do throws(KeyringError) {
                try body(password.bytes)
                return password
            } catch {
                switch error {
                case .account(.wrongPassword(1..., _)), .backup(.wrongPassword):
                    if passwordFile != nil { throw error.stop }
                    diagnostics.say(error.text)
                default: throw error.stop
                }
            }
        }
    }

    /// The password of an account, from the file or the terminal.
    private func password(of user: String) throws(Stop) -> Password {
        if let passwordFile { return try Password(file: passwordFile) }
        guard let terminal = Terminal() else { throw AccessError.nobodyToAsk.stop }
        return try Password(
            try terminal.askSecret(
                "password of \(quoted(user)) (\(quoted(path))): "))
    }

    /// The session that the environment names; nil where it names none.
    package func session() throws(KeyringError) -> Session? {
        guard let token = Environment.value("SMSENC_SESSION") else { return nil }
        return try Session(token: token, folder: places.sessions)
    }

    /// How things stand with the session that the environment names, for `status`.
    package func sessionState(of keyring: Keyring) -> String {
        do throws(KeyringError) {
            guard let session = try session() else { return "none" }
            _ = try session.contents(of: keyring.account.keyring, clocks: keyring.clocks)
            return "open"
        } catch .session(.expired) {
            return "expired"
        } catch .session(.otherKeyring) {
            return "of another keyring"
        } catch .session(.unreadable) {
            return "unreadable"
        } catch {
            return "ended"
        }
    }

    private func unlockWithSession(_ keyring: Keyring) throws(Stop) -> Bool {
        do throws(KeyringError) {
            guard let session = try session() else { return false }
            try keyring.unlock(session: session)
            return true
        } catch {
            guard case .session = error, error.status == .noPermission else { throw error.stop }
            diagnostics.say(error.text)
            return false
        }
    }
}
