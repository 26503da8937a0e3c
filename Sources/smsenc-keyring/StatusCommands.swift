import UserInterface
import Keyring
import ToolKit
import System

/// Commands that show the state of the keyring, check the keyring, move it, and make a copy of it usable
/// (`adopt`).
extension Command {
    /// Prints the state of the account without asking for a password. Without a session, only part of the
    /// state is printed.
    static let status = Command(
        name: "status",
        forms: [("", "print the state of the account, the session and the lockout")],
        isForAccount: true
    ) { (context) throws(ExitError) in
        let access = try context.access()
        let file = try access.open()
        let account = file.account
        var lockout = "none"
        if let seconds = try throwingExitError(file.lockedFor()) {
            lockout = "\(seconds) s left"
        }
        let tries = try throwingExitError(file.failedTries())
        let session = access.sessionState(of: file)
        let (copy, backup) = try throwingExitError(sealedState(access, file))
        let rows = [
            ("user", account.user),
            ("country", account.country.isEmpty ? "-" : account.country),
            ("file", access.path),
            ("contacts", String(try throwingExitError(file.contactCount()))),
            ("session", session.state),
            ("session file", session.path ?? "-"),
            ("lockout", lockout),
            ("wrong passwords", "\(tries) of \(account.lockTries)"),
            ("keyring", copy),
            ("last backup", backup),
        ]
        if File.standardOutput().isTerminal { return try context.printOnTerminal(rows) }
        try context.print(rows.map { [$0.0, $0.1] })
    }

    /// Returns whether the keyring is the original, and the time of its last backup. Without a session,
    /// the function returns `unknown` for both facts, because they are encrypted.
    private static func sealedState(
        _ access: KeyringAccess, _ file: KeyringFile
    ) throws(KeyringError) -> (copy: String, backup: String) {
        do throws(KeyringError) {
            guard let keyring = try access.unlockedIfSessionIsOpen(file) else {
                return ("unknown", "unknown")
            }
            return (try copyState(of: keyring), try keyring.lastBackup().map(timestamp) ?? "-")
        } catch .store(.damaged) {
            return ("damaged", "unknown")
        }
    }

    private static func copyState(of keyring: Keyring) throws(KeyringError) -> String {
        do throws(KeyringError) {
            try keyring.checkCanBeChanged()
            return "original"
        } catch .copy(let fault) {
            return switch fault {
            case .moved, .incomplete: "copied"
            case .arrived: "moved here"
            case .leaving: "being moved"
            case .inUse: "in use"
            case .machineChanged: "machine changed"
            case .behind: "restored"
            case .noteMissing: "no rollback note"
            case .noNote: "rollback note unreadable"
            }
        }
    }

    static let check = Command(
        name: "check", forms: [("", "verify the whole keyring and print each error")],
        isForAccount: true
    ) { (context) throws(ExitError) in
        let keyring = try context.access().unlocked(toCheck: true)
        var lines: [[String]] = []
        let unseen = try throwingExitError(keyring.check { lines.append([$0.what, $0.touches]) })
        if unseen > 0 { context.diagnostics.say(DiagnosticText.unseen(unseen)) }
        try context.print(lines.map { $0.map(quoted) })
        context.closingNote = DiagnosticText.sound
        if !lines.isEmpty {
            throw KeyringError.store(.damaged("the errors were printed")).exitError
        }
        try throwingExitError(keyring.checkCanBeChanged())
    }

    /// Moves the keyring to another file. The user must then run `adopt` for the new file.
    static let move = Command(
        name: "move", forms: [("FILE", "move the keyring to FILE, and erase it here")],
        maximumOperands: 1, isForAccount: true
    ) { (context) throws(ExitError) in
        guard let path = context.operands.first, !path.isEmpty else {
            throw .misuse("move needs the name of the new file")
        }
        let access = try context.access()
        let needsNote = try moved(access, to: path)
        try throwingExitError(
            KeyringDeletion.destroy(
                at: access.path, places: access.places, keepingNote: needsNote))
        context.closingNote = DiagnosticText.moved(path)
    }

    /// Copies the keyring to a new file at `path`, but does not erase the old keyring. Returns true if the
    /// rollback note must not be removed.
    private static func moved(_ access: KeyringAccess, to path: String) throws(ExitError) -> Bool {
        do throws(ExitError) {
            let keyring = try access.unlocked()
            let isAdopted = try throwingExitError(keyring.move(to: path))
            try access.close()
            return isAdopted
        } catch {
            // An earlier attempt may have been interrupted while it erased the keyring. The user may
            // already have adopted the new file.
            guard error.status == .damaged,
                KeyringDeletion.wasInterrupted(
                    at: access.path, copy: path, places: access.places)
            else { throw error }
            try? access.close()
            return true
        }
    }

    /// Makes a copied keyring usable again. The user must give an option that says whether the keyring was
    /// moved or restored.
    static let adopt = Command(
        name: "adopt",
        forms: [("", "use a keyring that was copied, moved or restored")],
        options: [
            Option("moved", "the keyring was moved here, and the original is gone"),
            Option(
                "complete", "with --moved, use a keyring that was copied without move"),
            Option(
                "restored",
                "the keyring was restored from a copy; every contact must synchronise again"),
        ],
        isForAccount: true
    ) { (context) throws(ExitError) in
        try context.arguments.refuse(
            "moved", with: "restored", because: "only one of them can be true")
        let isMoved = context.arguments.has("moved")
        guard isMoved || context.arguments.has("restored") else {
            throw .misuse("adopt needs --moved or --restored")
        }
        if !isMoved, context.arguments.has("complete") {
            throw .misuse("--complete needs --moved")
        }
        let keyring = try context.access().unlocked()
        context.closingNote = isMoved ? DiagnosticText.adopted : DiagnosticText.adoptedRestored
        if isMoved {
            try throwingExitError(
                keyring.adoptMoved(isComplete: context.arguments.has("complete")))
        } else {
            try throwingExitError(keyring.adoptRestored())
        }
        try context.warnOfVolatileNote()
    }
}
