package import Keyring
package import LineIO
package import Crypto
package import System

// Between a person and the keyring: the password, the terminal, the session that the environment names,
// and the words for what the keyring refuses.
//
// It owns how a tool gets an unlocked keyring (KeyringAccess), what a password may be (Password), how it
// is asked for (Terminal), and the wording and exit status of every error of Keyring (KeyringError+Words)
// and of its own (AccessError). It keeps nothing: sessions and lockout are Keyring's, and the bytes of a
// password are Crypto's to cleanse. How a terminal is made quiet is System's.

/// How a tool comes to an unlocked keyring: which one, and where the password is from.
package final class KeyringAccess {
    package static let options = [
        Option("keyring", short: "k", takesValue: true),
        Option("identity", short: "i", takesValue: true),
        Option("password-file", takesValue: true),
    ]

    package let path: String
    package let places: StandardPaths
    /// The file that passwords come from, where one was named.
    package let passwordFile: String?
    private let identity: String?
    private let diagnostics: Diagnostics
    private var opened: Keyring?

    /// - Throws: `Misuse` for an empty name, `KeyringError.file(.homeless)`.
    package init(_ arguments: Arguments, tool: String) throws {
        let named = arguments.value("keyring") ?? Environment.value("SMSENC_KEYRING")
        do throws(StandardPaths.Homeless) {
            path = if let named { named } else { try StandardPaths.keyring() }
            places = try StandardPaths()
        } catch {
            throw KeyringError.file(.homeless(error.variable))
        }
        if path.isEmpty { throw Misuse("--keyring takes the name of a file") }
        passwordFile = arguments.value("password-file") ?? Environment.value("SMSENC_PASSWORD_FILE")
        identity = arguments.value("identity") ?? Environment.value("SMSENC_IDENTITY")
        diagnostics = Diagnostics(tool: tool)
        ToolMain.endWhereMappingFails(KeyringError.store(.full), tool: tool)
    }

    /// Opens the keyring, locked; to be closed when its work is done.
    ///
    /// - Throws: `KeyringError`, as `Keyring.init`.
    package func open() throws -> Keyring {
        let keyring = try Keyring(path: path, places: places, clocks: .system)
        opened = keyring
        return keyring
    }

    /// Closes the keyring that was opened, if one was.
    ///
    /// - Throws: `notClosed`.
    package func close() throws(KeyringError) {
        try opened.take()?.closeFile()
    }

    /// Opens the keyring and unlocks it: with the session, else with the password from the file, else
    /// with the one typed at the terminal.
    ///
    /// - Parameters:
    ///   - usesSession: false where the password itself is to be given.
    ///   - actsAsIdentity: false for what concerns the whole account.
    /// - Throws: `KeyringError`, `AccessError`, `Interrupted`.
    package func unlocked(
        usesSession: Bool = true, actsAsIdentity: Bool = true
    ) throws -> Keyring {
        let keyring = try open()
        if try !usesSession || !unlockWithSession(keyring) {
            _ = try unlockWithPassword(keyring)
        }
        if actsAsIdentity, let identity { try keyring.act(as: identity) }
        return keyring
    }

    /// Unlocks a keyring with the password.
    ///
    /// - Throws: `KeyringError`, `AccessError`, `Interrupted`, as the next two.
    package func unlockWithPassword(_ keyring: Keyring) throws -> Password {
        // Nobody types a password that will not be tried.
        if let seconds = try keyring.lockedFor() {
            throw KeyringError.account(.lockedOut(seconds: seconds))
        }
        return try withPassword(of: keyring.account.user) { (password) throws(KeyringError) in
            try keyring.unlock(password: password)
        }
    }

    /// Does something with the password of an account; a wrong one that was typed is asked for again, as
    /// long as tries are left.
    package func withPassword(
        of user: String, _ body: (borrowing SecretBytes) throws(KeyringError) -> Void
    ) throws -> Password {
        while true {
            let password = try password(of: user)
            do throws(KeyringError) {
                try body(password.bytes)
                return password
            } catch {
                switch error {
                case .account(.wrongPassword(1..., _)), .backup(.wrongPassword):
                    if passwordFile != nil { throw error }
                    diagnostics.say(error.text)
                default: throw error
                }
            }
        }
    }

    /// The password of an account, from the file or the terminal.
    private func password(of user: String) throws -> Password {
        if let passwordFile { return try Password(try Self.firstLine(of: passwordFile)) }
        guard let terminal = Terminal() else { throw AccessError.nobodyToAsk }
        return try Password(
            try terminal.askSecret(
                "password of \(quoted(user)) (\(quoted(path))): "))
    }

    /// A new password: from a file, or typed twice, and again until it keeps the rules.
    ///
    /// - Parameter option: what names the file.
    package func newPassword(
        from file: String?, option: String, for user: String
    ) throws -> Password {
        if let file {
            let password = try Password(try Self.firstLine(of: file))
            try password.check()
            return password
        }
        guard let terminal = Terminal() else { throw AccessError.nobodyToAskNew(option) }
        while true {
            do {
                let first = try Password(
                    try terminal.askSecret("new password for \(quoted(user)) (\(Password.rule)): "))
                try first.check()
                let second = try Password(try terminal.askSecret("the same again: "))
                guard first.bytes == second.bytes else { throw AccessError.differentPasswords }
                return first
            } catch let fault as AccessError where fault.status == .rejected {
                diagnostics.say(fault.text)
            }
        }
    }

    /// The name of the file of the session that the environment names, so that it can stay.
    package func sessionName() -> String? {
        guard let token = Environment.value("SMSENC_SESSION") else { return nil }
        return Session.fileName(token: token, folder: places.sessions)
    }

    /// How things stand with the session that the environment names, for `status`.
    package func sessionState(of keyring: Keyring) -> String {
        guard let token = Environment.value("SMSENC_SESSION") else { return "none" }
        do throws(KeyringError) {
            _ = try keyring.session(token: token).contents(
                of: keyring.account.keyring, clocks: keyring.clocks)
            return "open"
        } catch .session(.expired) {
            return "expired"
        } catch .session(.otherKeyring) {
            return "of another keyring"
        } catch {
            return "ended"
        }
    }

    private func unlockWithSession(_ keyring: Keyring) throws -> Bool {
        guard let token = Environment.value("SMSENC_SESSION") else { return false }
        do throws(KeyringError) {
            try keyring.unlock(session: try keyring.session(token: token))
            return true
        } catch {
            guard case .session(let fault) = error, fault.status == .noPermission else {
                throw error
            }
            diagnostics.say(error.text)
            return false
        }
    }

    /// The first line of a file, its end left out.
    private static func firstLine(of path: String) throws -> SecretBytes {
        do {
            let file = try File(reading: path)
            // Who hands over a descriptor has opened the file; what it is called here says nothing.
            if !path.hasPrefix("/dev/fd/"), path != "/dev/stdin", file.isOthersToo {
                throw AccessError.exposedPasswordFile(path)
            }
            return try RecordReader.withFirst(of: file) { (password) in
                guard !password.isEmpty else { throw AccessError.noPassword(path) }
                return SecretBytes(copying: password)
            }
        } catch let fault as IOError {
            throw AccessError.passwordFile(fault)
        }
    }
}
