import Access
import GSM7
import Keyring
import LineIO
import System

/// init: makes the keyring.
extension Command {
    static let initialise = Command(
        "init",
        [("--user NAME [--country CODE] [--lockout N/SECONDS]", "makes the keyring")],
        options: [
            Option("user", takesValue: true), Option("country", takesValue: true),
            Option("lockout", takesValue: true),
        ],
        run: makeKeyring)

    private static func makeKeyring(_ context: Context) throws -> ExitStatus {
        try context.expect(0...0, "")
        guard let user = context.arguments.value("user") else {
            throw Misuse("init needs --user NAME")
        }
        let (tries, seconds) = try lockout(context.arguments.value("lockout"))
        let account = Keyring.NewAccount(
            user: try userName(user), country: try country(context.arguments.value("country")),
            lockTries: tries, lockSeconds: seconds)
        let access = try context.access()
        try Keyring.checkAbsent(access.path)
        let password = try access.newPassword(
            from: access.namedPasswordFile, option: "--password-file", for: account.user)
        try Keyring.create(
            at: access.path, for: account, password: password.bytes, places: access.places,
            clocks: .system)
        return .done
    }

    /// Bytes in a user name.
    private static let longestUser = 128

    private static func userName(_ name: String) throws(Misuse) -> String {
        let utf8 = Array(name.utf8)
        do throws(TextFault) {
            let normal = try NormalText.utf8(of: utf8.span)
            _ = try Measure(normal.span, newline: .picture, basicOnly: false)
            if normal.isEmpty || normal.count > longestUser { throw .malformed(0, column: 1) }
            return String(decoding: normal, as: UTF8.self)
        } catch {
            throw Misuse("--user takes a name of GSM characters, \(longestUser) bytes at most")
        }
    }

    private static func country(_ text: String?) throws(Misuse) -> String {
        guard let text else { return "" }
        let digits = text.hasPrefix("+") ? String(text.dropFirst()) : text
        guard (1...3).contains(digits.utf8.count),
            digits.utf8.allSatisfy({ (48...57).contains($0) }),
            !digits.hasPrefix("0")
        else { throw Misuse("--country takes a calling code such as 27, not \(text)") }
        return digits
    }

    /// Wrong passwords in a row, and the seconds that they lock for.
    private static func lockout(_ text: String?) throws(Misuse) -> (Int, Int) {
        guard let text else { return (3, 300) }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let tries = Int(parts[0]), let seconds = Int(parts[1]),
            Account.lockTryLimits.contains(tries), Account.lockSecondLimits.contains(seconds)
        else {
            throw Misuse("--lockout takes tries and seconds such as 3/300, not \(text)")
        }
        return (tries, seconds)
    }
}

/// passwd: password, user name, country.
extension Command {
    static let passwd = Command(
        "passwd",
        [
            (
                "[--user NEW] [--country CODE] [--new-password-file FILE]",
                "changes them and the password; the old password first"
            )
        ],
        options: [
            Option("user", takesValue: true), Option("country", takesValue: true),
            Option("new-password-file", takesValue: true),
        ],
        run: changeAccount)

    private static func changeAccount(_ context: Context) throws -> ExitStatus {
        try context.expect(0...0, "")
        let newUser = try context.arguments.value("user").map(userName)
        let newCountry = try context.arguments.value("country").map { try country($0) }
        let file = context.arguments.value("new-password-file")
        let access = try context.access()
        let keyring = try access.open()
        let old = try access.password(of: keyring.account.user)
        try keyring.unlock(password: old.bytes)
        let user = newUser ?? keyring.account.user
        // Who names only a user or a country, and no file, keeps the password.
        let keepsPassword = file == nil && (newUser != nil || newCountry != nil)
        let new =
            keepsPassword
            ? old
            : try access.newPassword(
                from: file, option: "--new-password-file", for: user)
        try keyring.change(
            user: user, country: newCountry ?? keyring.account.country, password: new.bytes,
            keeping: access.sessionName())
        return .done
    }
}

/// destroy: everything goes.
extension Command {
    static let destroy = Command(
        "destroy", [("[--yes]", "deletes the account and all its data, after asking")],
        options: [Option("yes")], run: destroyKeyring)

    private static func destroyKeyring(_ context: Context) throws -> ExitStatus {
        try context.expect(0...0, "")
        let access = try context.access()
        if !context.arguments.has("yes") {
            guard let terminal = Terminal() else {
                throw Misuse("there is no terminal to ask on; give --yes")
            }
            let answer = try terminal.ask(
                "delete \(quoted(access.path)) with all contacts and keys, for good? Type yes: ")
            guard answer == "yes" else {
                context.diagnostics.say(Note.nothingDeleted)
                return .rejected
            }
        }
        try Destruction.destroy(at: access.path, places: access.places)
        return .done
    }
}
