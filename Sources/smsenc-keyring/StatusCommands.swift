import UserInterface
import Keyring
import ToolKit
import System

/// Commands that show the state of the keyring, and the command `adopt`, which makes a copied keyring
/// usable.
extension Command {
    /// Prints the state of the account without asking for a password.
    static let status = Command(
        name: "status", forms: [("", "print the state of the account, the session and the lockout")]
    ) { (context) throws(ExitError) in
        let access = try context.access()
        let file = try access.open().file
        let account = file.account
        var lockout = "none"
        if let seconds = try throwingExitError(file.lockedFor()) {
            lockout = "\(seconds) s left"
        }
        let tries = try throwingExitError(file.failedTries())
        let session = access.sessionState(of: file)
        let lines = [
            ["user", account.user],
            ["country", account.country.isEmpty ? "-" : account.country],
            ["file", access.path],
            ["contacts", String(try throwingExitError(file.contactCount()))],
            ["session", session.state],
            ["session file", session.path ?? "-"],
            ["lockout", lockout],
            ["wrong passwords", "\(tries) of \(account.lockTries)"],
            ["last backup", try throwingExitError(file.lastExport()).map(timestamp) ?? "-"],
            [
                "changed since backup",
                String(try throwingExitError(file.changedContactCount())),
            ],
        ]
        guard File.standardOutput().isTerminal else { return try context.print(lines) }
        let width = (lines.map { $0[0].count }.max() ?? 0) + 2
        try context.print(
            lines.map {
                [
                    $0[0] + String(repeating: " ", count: width - $0[0].count)
                        + ($0[1] == "-" ? "none" : $0[1])
                ]
            })
    }

    static let check = Command(
        name: "check", forms: [("", "verify the whole keyring and print each error")]
    ) { (context) throws(ExitError) in
        let keyring = try context.access().unlocked(actsAsIdentity: false)
        var lines: [[String]] = []
        let unseen = try throwingExitError(keyring.check { lines.append([$0.what, $0.touches]) })
        if unseen > 0 { context.diagnostics.say(DiagnosticText.unseen(unseen)) }
        try context.print(lines.map { $0.map(quoted) })
        context.closingNote = DiagnosticText.sound
        if !lines.isEmpty {
            throw KeyringError.store(.damaged("the errors were printed")).exitError
        }
    }

    /// Makes a copied keyring usable again, after the user has stated whether it was moved or restored.
    static let adopt = Command(
        name: "adopt",
        forms: [("", "use a keyring that was copied, moved or restored")],
        options: [
            Option("moved", "the keyring was moved here, and the original is gone"),
            Option(
                "restored",
                "the keyring was restored from a copy; every contact must synchronise again"),
        ]
    ) { (context) throws(ExitError) in
        try context.arguments.refuse(
            "moved", with: "restored", because: "only one of them can be true")
        let isMoved = context.arguments.has("moved")
        guard isMoved || context.arguments.has("restored") else {
            throw .misuse("adopt needs --moved or --restored")
        }
        let keyring = try context.access().unlocked(actsAsIdentity: false)
        context.closingNote = isMoved ? DiagnosticText.adopted : DiagnosticText.adoptedRestored
        if isMoved {
            try throwingExitError(keyring.adoptMoved())
        } else {
            try throwingExitError(keyring.adoptRestored())
        }
        try context.warnOfVolatileNote()
    }
}
