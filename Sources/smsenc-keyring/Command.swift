import Access
import Keyring
import LineIO
import System

/// One command: how it is called, what it takes, and what it does.
struct Command: Sendable {
    let name: String
    /// The ways to call it, without options, and what each does. The completions know `CONTACT` and
    /// `IDENTITY`, and offer words in lower case.
    let forms: [(words: String, summary: String)]
    var options: [Option] = []
    var mostOperands = 0
    /// What to do with one too many.
    var hint = ""
    /// For a command that takes a contact's name, or `-` for a table of contacts: the options whose values
    /// stand in the table. Nil for any other.
    var columns: [String]?
    /// For a command that changes a contact and prints something: the command that prints it again.
    var printsAgain: String?
    let run: @Sendable (Context) throws(Stop) -> Void
}

/// What a command works with.
final class Context {
    let arguments: Arguments
    let diagnostics = Diagnostics(tool: Main.name)

    private var known: KeyringAccess?

    /// True where the operand is `-`: a table on stdin.
    var isTable: Bool { operands == ["-"] }

    /// The command that prints again what this one prints for a contact whom it has changed.
    private let printsAgain: String?

    init(arguments: Arguments, printsAgain: String?) {
        self.arguments = arguments
        self.printsAgain = printsAgain
    }

    var operands: [String] { arguments.operands }

    /// The way to the keyring in question; nothing is opened yet.
    func access() throws(Stop) -> KeyringAccess {
        if let known { return known }
        let access = try KeyringAccess(arguments, tool: Main.name)
        known = access
        return access
    }

    private var keyringToChange: Keyring?

    /// The unlocked keyring, for a command that changes it. If it cannot be changed, this says so before anything
    /// is asked or read.
    func unlockedToChange(actsAsIdentity: Bool = true) throws(Stop) -> Keyring {
        if let keyringToChange { return keyringToChange }
        let keyring = try access().unlocked(actsAsIdentity: actsAsIdentity)
        try orStop(keyring.checkIsOriginal(toCommit: true))
        keyringToChange = keyring
        return keyring
    }

    /// Closes the keyring, if the command has opened it.
    func close() throws(Stop) { try known?.close() }

    /// True where a person sits: they type what is read, and see what is said. In scripts, and where a
    /// table is read, it is false.
    var isAtTerminal: Bool {
        !isTable && File.standardInput().isTerminal && File.standardError().isTerminal
    }

    /// How the command ends that throws nothing.
    var status = ExitStatus.done

    /// What is said of a contact once all is done for it.
    var notes: [String] = []

    /// How things stand and what comes next: told to a person once the command is done, not in scripts.
    var parting: String?

    /// How the command ends if it has changed a contact, and what it prints for that could not be written.
    func stop(notPrinting fault: IOError, of name: String) -> Stop {
        guard let printsAgain else { return fault.stop }
        return Stop(
            .inputOutput, Words.notPrinted(fault, again: "\(printsAgain) \(shellWord(name))"))
    }

    /// Says so if the rollback note that a command has made does not outlive a restart.
    func warnOfVolatileNote() throws(Stop) {
        let access = try access()
        guard let folder = access.places.volatileState(besides: access.path) else { return }
        diagnostics.say(Words.noteIsVolatile(folder))
    }

    /// Prints lines of TAB-separated fields on stdout.
    func print(_ lines: [[String]]) throws(Stop) {
        _ = try ToolMain.print(lines.map { $0.joined(separator: "\t") + "\n" }.joined())
    }
}
