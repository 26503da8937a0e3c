import UserInterface
import Keyring
import ToolKit
import System

/// A command of smsenc-keyring: its options, its operands, and the function that runs it.
struct Command: Sendable {
    let name: String
    /// Operands and description of each way to call the command. The shell completions recognise `CONTACT`
    /// and `IDENTITY`, and offer words in lower case.
    let forms: [(words: String, summary: String)]
    var options: [Option] = []
    var maximumOperands = 0
    /// True if the command concerns the whole account. Such a command takes no `-i`.
    var isForAccount = false
    /// Advice that is printed if an extra operand is given and, if it names an option, for unknown options.
    var hint = ""
    /// Options whose values are columns of the table, for a command that takes the name of a contact or `-` for
    /// a table. Nil for other commands.
    var columns: [String]?
    /// Name of the command that prints the output again. If a contact was changed but the output could not be
    /// printed, the diagnostic suggests this command.
    var reprintCommand: String?
    let run: @Sendable (CommandContext) throws(ExitError) -> Void
}

/// The environment in which a command runs: its arguments, the keyring, and messages to the user.
final class CommandContext {
    let arguments: Arguments
    let diagnostics = Diagnostics(tool: Main.name)

    private var keyringAccess: KeyringAccess?
    let suggestions = NameSuggestions()

    /// True if the operand is `-`, which stands for a table on stdin.
    var isTable: Bool { operands == ["-"] }

    /// See `Command.reprintCommand`.
    private let reprintCommand: String?

    private let isForAccount: Bool

    init(_ command: Command, arguments: Arguments) {
        self.arguments = arguments
        reprintCommand = command.reprintCommand
        isForAccount = command.isForAccount
    }

    var operands: [String] { arguments.operands }

    /// Returns the `KeyringAccess` of this command. The first call creates it. Does not open the keyring.
    func access() throws(ExitError) -> KeyringAccess {
        if let keyringAccess { return keyringAccess }
        let access = try KeyringAccess(
            arguments, tool: Main.name, usesIdentity: !isForAccount)
        keyringAccess = access
        return access
    }

    private var keyringToChange: Keyring?

    /// Opens and unlocks the keyring for a command that changes it. If the keyring cannot be changed,
    /// throws before the user is asked for any input.
    func unlockedForChange() throws(ExitError) -> Keyring {
        if let keyringToChange { return keyringToChange }
        let keyring = try access().unlocked()
        try throwingExitError(keyring.checkCanBeChanged())
        keyringToChange = keyring
        return keyring
    }

    /// Closes the keyring if the command has opened it.
    func close() throws(ExitError) { try keyringAccess?.close() }

    /// True if a user types the input and sees the diagnostics. False in a script, and for a command that
    /// reads a table.
    var isAtTerminal: Bool {
        !isTable && File.standardInput().isTerminal && File.standardError().isTerminal
    }

    /// Exit status if the command does not throw.
    var status = ExitStatus.done

    /// Diagnostics about a contact that are printed after the contact has been changed.
    var notes: [String] = []

    /// A message about the new state and the next step. It is printed at a terminal when the command has
    /// finished.
    var closingNote: String?

    /// Returns the error for output that could not be written after a contact was changed. The text names
    /// the command that prints the output again.
    func printError(_ fault: IOError, of name: String) -> ExitError {
        guard let reprintCommand else { return fault.exitError }
        return ExitError(
            .inputOutput,
            DiagnosticText.notPrinted(fault, again: "\(reprintCommand) \(shellWord(name))"))
    }

    /// Warns the user if the command has created a rollback note that will be lost when the machine
    /// restarts.
    func warnOfVolatileNote() throws(ExitError) {
        let access = try access()
        guard let folder = access.places.volatileState(besides: access.path) else { return }
        diagnostics.say(DiagnosticText.noteIsVolatile(folder))
    }

    /// Prints lines on stdout. The fields of a line are separated by TABs.
    func print(_ lines: [[String]]) throws(ExitError) {
        _ = try ToolMain.print(lines.map { $0.joined(separator: "\t") + "\n" }.joined())
    }
}
