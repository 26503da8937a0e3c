import UserInterface
import Keyring
import ToolKit
import System

/// A command of smsenc-keyring, with its options, its operands, and the function that runs it.
struct Command: Sendable {
    let name: String
    /// The ways to call the command, each with its operands and a description. The shell completions use
    /// the operands. For the operands `CONTACT` and `IDENTITY`, the completions offer names. If an operand
    /// is a word in lower case, the completions offer the word itself.
    let forms: [(words: String, summary: String)]
    var options: [Option] = []
    var maximumOperands = 0
    /// True if the command concerns the whole account. A command for the whole account has no option `-i`,
    /// which selects an identity.
    var isForAccount = false
    /// Advice that is printed if there are too many operands. Advice that names an option is also printed
    /// if the user gives an unknown option.
    var hint = ""
    /// Options that cannot be used with a table, because their values are columns of the table. Nil if the
    /// command does not take `-` for a table.
    var columns: [String]?
    /// Name of another command that can print the output of this command again. A diagnostic suggests the
    /// other command if this command changes a contact but cannot print its output.
    var reprintCommand: String?
    let run: @Sendable (CommandContext) throws(ExitError) -> Void
}

/// The environment in which a command runs. The environment contains the arguments, the keyring, and
/// messages for the user.
final class CommandContext {
    let arguments: Arguments
    let diagnostics = Diagnostics(tool: Main.name)

    private var keyringAccess: KeyringAccess?
    let suggestions = NameSuggestions()

    /// True if the operand is `-`. The command then reads a table from stdin.
    var isTable: Bool { operands == ["-"] }

    private let command: Command

    init(_ command: Command, arguments: Arguments) {
        (self.command, self.arguments) = (command, arguments)
    }

    var operands: [String] { arguments.operands }

    /// Returns the `KeyringAccess` of this command, which the first call creates. Does not open the
    /// keyring.
    func access() throws(ExitError) -> KeyringAccess {
        if let keyringAccess { return keyringAccess }
        let access = try KeyringAccess(
            arguments, tool: Main.name, usesIdentity: !command.isForAccount)
        keyringAccess = access
        return access
    }

    private var keyringToChange: Keyring?

    /// Opens and unlocks the keyring for a command that changes it. If the keyring cannot be changed, this
    /// function throws an error before the user is asked for input.
    func unlockedForChange() throws(ExitError) -> Keyring {
        if let keyringToChange { return keyringToChange }
        let keyring = try access().unlocked()
        try throwingExitError(keyring.checkCanBeChanged())
        keyringToChange = keyring
        return keyring
    }

    /// Closes the keyring if the command has opened it.
    func close() throws(ExitError) { try keyringAccess?.close() }

    /// True if a person types the input and sees the diagnostics. In a script, and for a command that
    /// reads a table, `isAtTerminal` is false.
    var isAtTerminal: Bool {
        !isTable && File.standardInput().isTerminal && File.standardError().isTerminal
    }

    /// The exit status of a command that does not throw.
    var status = ExitStatus.done

    /// Diagnostics about a contact that are printed after a command has changed the contact.
    var notes: [String] = []

    /// A message about the new state and the user's next step, which is printed at a terminal when the
    /// command has finished.
    var closingNote: String?

    /// Returns the error for a command that has changed a contact, but could not print its output. The
    /// text of the error names the command that prints the output again.
    func printError(_ fault: IOError, of name: String) -> ExitError {
        guard let reprintCommand = command.reprintCommand else { return fault.exitError }
        return ExitError(
            .inputOutput,
            DiagnosticText.notPrinted(fault, again: "\(reprintCommand) \(shellWord(name))"))
    }

    /// Warns the user if the rollback note that the command has created will be lost when the machine
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

    /// Prints labels and values on a terminal, one pair on each line.
    func printOnTerminal(_ rows: [(String, String)]) throws(ExitError) {
        let width = (rows.map { $0.0.count }.max() ?? 0) + 2
        let lines = rows.map { (label, value) in
            let gap = String(repeating: " ", count: width - label.count)
            return [label + gap + quoted(value == "-" ? "none" : value)]
        }
        try print(lines)
    }
}
