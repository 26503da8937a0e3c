import Access
import Keyring
import LineIO

/// adopt: the owner's answer to a keyring that found itself copied.
extension Command {
    static let adopt = Command(
        name: "adopt",
        forms: [
            ("--moved", "the keyring was moved here, and the original is gone"),
            ("--restored", "it was restored; every contact must synchronise again"),
        ],
        options: [Option("moved"), Option("restored")],
        run: adoptKeyring)

    private static func adoptKeyring(_ context: Context) throws -> ExitStatus {
        try context.arguments.refuse("moved", with: "restored", because: "it is one of them")
        let isMoved = context.arguments.has("moved")
        guard isMoved || context.arguments.has("restored") else {
            throw Misuse("adopt needs --moved or --restored")
        }
        let keyring = try context.access().unlocked(actsAsIdentity: false)
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
        name: "status", forms: [("", "account, file, contacts, session, lockout")],
        run: showStatus)

    private static func showStatus(_ context: Context) throws -> ExitStatus {
        let access = try context.access()
        let keyring = try access.open()
        let account = keyring.account
        var lock = "not locked"
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
