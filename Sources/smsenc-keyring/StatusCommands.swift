import Access
import Keyring
import LineIO
import System

/// How the keyring stands.
extension Command {
    /// What can be told without a password.
    static let status = Command(
        name: "status", forms: [("", "account, file, contacts, session, lockout")]
    ) { (context) in
        let access = try context.access()
        let keyring = try access.open()
        let account = keyring.account
        var lock = "not locked"
        if let seconds = try keyring.lockedFor() { lock = "locked for \(seconds) s" }
        let lines = [
            ["user", account.user],
            ["country", account.country.isEmpty ? "-" : account.country],
            ["file", access.path],
            ["contacts", String(try keyring.contactCount())],
            ["session", access.sessionState(of: keyring)],
            ["lockout", lock],
            ["failed tries", "\(try keyring.failedTries()) of \(account.lockTries)"],
        ]
        guard File.standardOutput().isTerminal else { return try context.print(lines) }
        let width = (lines.map { $0[0].count }.max() ?? 0) + 2
        try context.print(
            lines.map { [$0[0] + String(repeating: " ", count: width - $0[0].count) + $0[1]] })
    }

    static let check = Command(
        name: "check", forms: [("", "verifies the whole keyring, and says what is wrong")]
    ) { (context) in
        let keyring = try context.access().unlocked(actsAsIdentity: false)
        var lines: [[String]] = []
        let unseen = try keyring.check { lines.append([$0.what, $0.touches]) }
        if unseen > 0 { context.diagnostics.say(Words.unseen(unseen)) }
        try context.print(lines.map { $0.map(quoted) })
        if !lines.isEmpty { throw KeyringError.store(.damaged("what is wrong was printed")) }
    }

    /// The owner's answer to a keyring that found itself copied.
    static let adopt = Command(
        name: "adopt",
        forms: [
            ("--moved", "the keyring was moved here, and the original is gone"),
            ("--restored", "it was restored; every contact must synchronise again"),
        ],
        options: [Option("moved"), Option("restored")]
    ) { (context) in
        try context.arguments.refuse("moved", with: "restored", because: "it is one of them")
        let isMoved = context.arguments.has("moved")
        guard isMoved || context.arguments.has("restored") else {
            throw Misuse("adopt needs --moved or --restored")
        }
        let keyring = try context.access().unlocked(actsAsIdentity: false)
        if isMoved { try keyring.adoptMoved() } else { try keyring.adoptRestored() }
    }
}
