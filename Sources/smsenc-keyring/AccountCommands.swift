import Access
import GSM7
import Keyring
import LineIO

/// init: makes the keyring.
extension Command {
    static let initialise = Command(
        "init",
        [("--user NAME [--country CODE] [--lockout N/SECONDS]", ""), ("", "makes the keyring")],
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
        let password = try access.newPassword(from: access.namedPasswordFile, for: account.user)
        try Keyring.create(
            at: access.path, for: account, password: password.bytes, places: access.places,
            clocks: .system)
        return .done
    }

    private static func userName(_ name: String) throws(Misuse) -> String {
        let utf8 = Array(name.utf8)
        do throws(TextFault) {
            _ = try Measure(utf8.span, newline: .symbol, basicOnly: false)
            let normal = try NormalText(utf8.span).utf8
            if normal.isEmpty { throw .malformed(0, column: 1) }
            return String(decoding: normal, as: UTF8.self)
        } catch {
            throw Misuse("--user takes a name of GSM characters")
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
            (1...1000).contains(tries), (1...86_400).contains(seconds)
        else {
            throw Misuse("--lockout takes tries and seconds such as 3/300, not \(text)")
        }
        return (tries, seconds)
    }
}

/// adopt: the owner's answer to a keyring that found itself copied.
extension Command {
    static let adopt = Command(
        "adopt",
        [
            ("--moved", "the keyring was moved here, and the original is gone"),
            ("--restored", "it was restored; every contact must synchronise again"),
        ],
        options: [Option("moved"), Option("restored")],
        run: adoptKeyring)

    private static func adoptKeyring(_ context: Context) throws -> ExitStatus {
        try context.expect(0...0, "")
        try context.arguments.refuse("moved", with: "restored", because: "it is one of them")
        let isMoved = context.arguments.has("moved")
        guard isMoved || context.arguments.has("restored") else {
            throw Misuse("adopt needs --moved or --restored")
        }
        let keyring = try context.access().unlocked()
        if isMoved {
            try keyring.adoptMoved()
        } else {
            try keyring.adoptRestored()
        }
        return .done
    }
}

/// status: what can be told without a password.
extension Command {
    static let status = Command(
        "status", [("", "account, file, contacts, session, lockout")],
        run: showStatus)

    private static func showStatus(_ context: Context) throws -> ExitStatus {
        try context.expect(0...0, "")
        let access = try context.access()
        let keyring = try access.open()
        let account = keyring.account
        var lock = "open"
        if let seconds = try keyring.lockedFor() { lock = "locked for \(seconds) s" }
        try context.print([
            ["user", account.user],
            ["country", account.country.isEmpty ? "-" : account.country],
            ["file", access.path],
            ["contacts", String(try keyring.contactCount())],
            ["session", access.sessionState(of: keyring)],
            ["lockout", lock],
            ["failed tries", "\(try keyring.failedTries()) of \(account.lockTries)"],
        ])
        return .done
    }
}
