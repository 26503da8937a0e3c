import UserInterface
import Keyring
import ToolKit
import System

/// A command of smsenc-keyring, with its options and operands and the function that runs it.
struct Command: Sendable {
    let name: String
    /// For each way to call the command: its operands, and what it does. The completions know `CONTACT` and
    /// `IDENTITY`, and offer words in lower case.
    let forms: [(words: String, summary: String)]
    var options: [Option] = []
    var maximumOperands = 0
    /// Advice for the diagnostic about an extra operand.
    var hint = ""
    /// For a command that takes a contact's name, or `-` for a table of contacts: the options whose values
    /// are columns of the table. Nil for other commands.
    var columns: [String]?
    /// For a command that changes a contact and prints something: the command that prints it again if
    /// printing failed.
    var reprintCommand: String?
    let run: @Sendable (CommandContext) throws(ExitError) -> Void
}

/// The environment in which a command runs. It has the arguments, the keyring, and messages for the user.
final class CommandContext {
    let arguments: Arguments
    let diagnostics = Diagnostics(tool: Main.name)

    private var keyringAccess: KeyringAccess?

    /// True if the operand is `-`, which stands for a table on stdin.
    var isTable: Bool { operands == ["-"] }

    /// See `Command.reprintCommand`.
    private let reprintCommand: String?

    init(arguments: Arguments, reprintCommand: String?) {
        self.arguments = arguments
        self.reprintCommand = reprintCommand
    }

    var operands: [String] { arguments.operands }

    /// Returns access to the keyring. Does not open it.
    func access() throws(ExitError) -> KeyringAccess {
        if let keyringAccess { return keyringAccess }
        let access = try KeyringAccess(arguments, tool: Main.name)
        keyringAccess = access
        return access
    }

    private var keyringToChange: Keyring?

    /// Opens and unlocks the keyring for a command that changes it. Throws before anything is asked or read
    /// if the keyring cannot be changed.
    func unlockedForChange(actsAsIdentity: Bool = true) throws(ExitError) -> Keyring {
        if let keyringToChange { return keyringToChange }
        let keyring = try access().unlocked(actsAsIdentity: actsAsIdentity)
        try throwingExitError(keyring.checkCanBeChanged())
        keyringToChange = keyring
        return keyring
    }

    /// Closes the keyring, if the command has opened it.
    func close() throws(ExitError) { try keyringAccess?.close() }

    /// True if a user types the input and sees the diagnostics. Scripts, and commands that read a table, are
    /// not at a terminal.
    var isAtTerminal: Bool {
        !isTable && File.standardInput().isTerminal && File.standardError().isTerminal
    }

    /// The exit status if the command does not throw.
    var status = ExitStatus.done

    /// Diagnostics about a contact, to be printed after it has been changed.
    var notes: [String] = []

    /// The state of the contact and the next step, printed when the command has finished. Printed at a
    /// terminal only.
    var closingNote: String?

    /// Returns the error for output that could not be written after a contact was changed. The text names the
    /// command that prints the output again.
    func printError(_ fault: IOError, of name: String) -> ExitError {
        guard let reprintCommand else { return fault.exitError }
        return ExitError(
            .inputOutput,
            DiagnosticText.notPrinted(fault, again: "\(reprintCommand) \(shellWord(name))"))
    }

    /// Warns the user if the rollback note that the command has created is lost at a restart.
    func warnOfVolatileNote() throws(ExitError) {
        let access = try access()
        guard let folder = access.places.volatileState(besides: access.path) else { return }
        diagnostics.say(DiagnosticText.noteIsVolatile(folder))
    }

    /// Prints lines of fields separated by TABs on stdout.
    func print(_ lines: [[String]]) throws(ExitError) {
        _ = try ToolMain.print(lines.map { $0.joined(separator: "\t") + "\n" }.joined())
    }
}
