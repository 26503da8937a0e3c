import UserInterface
import ToolKit

/// The entry point of smsenc-keyring, which manages the account, the contacts and their keys.
///
/// This target implements smsenc-keyring(1):
///
/// - `Main`, `Command` and `Options` contain the list of commands, and define how the commands are called.
/// - `Table` runs a command for each row of a table of contacts.
/// - `Asking` and `DiagnosticText` contain questions to the user, and the texts of diagnostics.
/// - `NewPassword` contains the rules for a new password.
/// - There is a file for each group of commands.
///
/// The target Keyring implements the operations on the keyring. UserInterface unlocks the keyring. ToolKit
/// reads records and reports bad records. smsenc-keyring keeps a key in memory only until the key has been
/// printed.
@main
enum Main {
    static let name = "smsenc-keyring"

    /// All commands, in the order in which `--help` shows them.
    static let commands: [Command] = [
        .initialise, .passwd, .destroy, .unlock, .lock, .status,
        .add, .sync, .resync, .offer, .accept, .verify, .edit, .remove, .list, .show, .set, .check,
        .export, .importBackup, .move, .adopt, .identity, .fileKey, .hash, .sent,
    ]

    /// Names of commands in other programs, and the commands here that have the same meaning.
    private static let otherNames: KeyValuePairs = [
        "backup": "export", "close": "lock", "compare": "verify", "compose": "smsenc-compose",
        "config": "set", "contacts": "list", "create": "init", "decrypt": "smsenc-read",
        "delete": "remove", "encrypt": "smsenc-compose", "fingerprint": "verify",
        "full-generate-key": "init", "gen-key": "init", "generate": "init",
        "generate-key": "init", "get": "show", "history": "smsenc-inbox", "inbox": "smsenc-inbox",
        "info": "status", "invite": "offer", "key": "sync", "keygen": "init", "link": "offer",
        "list-keys": "list", "log": "smsenc-inbox", "login": "unlock", "logout": "lock",
        "ls": "list", "mv": "move", "new": "init", "open": "unlock", "pair": "sync",
        "password": "passwd", "read": "smsenc-read", "register": "init", "rename": "edit",
        "restore": "import", "revoke": "resync --lost", "rm": "remove", "send": "smsenc-compose",
        "sign": "verify", "trust": "verify", "update": "edit", "version": "--version",
    ]

    /// Returns the command that the user probably meant, or nil if no command is similar to the word that
    /// the user typed.
    private static func command(meantBy word: String) -> String? {
        otherNames.first { $0.key == word }?.value
            ?? SpellingSuggestion.word(to: word, among: commands.map { $0.name })
    }

    static func main() {
        ToolMain.run(tool: name, run)
    }

    private static func run(_ words: [String]) throws(ExitError) -> ExitStatus {
        // True if the command may be `unlock`. Before the general options are parsed, any word may be the
        // command.
        var isUnlock = words.contains(Command.unlock.name)
        do throws(ExitError) {
            // Other programs have options such as --list-keys instead of commands.
            if let first = words.first, first.hasPrefix("--"),
                !Command.generalOptions.contains(where: { first.dropFirst(2).hasPrefix($0.long) }),
                let command = commands.first(where: { "--" + $0.name == first })?.name
                    ?? otherNames.first(where: { "--" + $0.key == first })?.value
            {
                throw .misuse("there is no option \(first)", suggesting: command)
            }
            let general = try Arguments(
                words, options: Command.generalOptions, stopsAtOperand: true,
                hint: "; the options of a command follow the command")
            isUnlock = general.operands.first == Command.unlock.name
            return try perform(words, general)
        } catch {
            // The shell evaluates the output of `unlock`. If `unlock` fails, print a shell command that
            // fails, too.
            if isUnlock { _ = try ToolMain.print("false\n") }
            throw error
        }
    }

    private static func perform(
        _ words: [String], _ general: Arguments
    ) throws(ExitError) -> ExitStatus {
        let answer = try ToolMain.answer(
            general, tool: name, help: help(Command.generalOptions))
        if let answer { return answer }
        guard let word = general.operands.first else { throw .misuse("give a command") }
        guard let command = commands.first(where: { $0.name == word }) else {
            let help =
                ["help", "man", "usage"].contains(word)
                ? (general.operands.dropFirst().first.map { $0 + " " } ?? "") + "--help" : nil
            throw .misuse(
                "there is no command \(word)", suggesting: help ?? command(meantBy: word))
        }
        let before = words.dropLast(general.operands.count).filter { $0 != "--" }
        let namesOption = command.hint.split(separator: " ").contains { $0.hasPrefix("--") }
        let arguments = try Arguments(
            before + general.operands.dropFirst(), options: command.allOptions,
            hint: namesOption ? command.hint : "")
        let commandAnswer = try ToolMain.answer(
            arguments, tool: name, help: help(of: command))
        if let commandAnswer { return commandAnswer }
        if let other = arguments.operands.dropFirst(command.maximumOperands).first {
            throw .misuse("unexpected argument \(other)\(command.hint)")
        }
        if command.isForAccount, arguments.has(KeyringAccess.identityOption.long) {
            throw .misuse("\(command.name) applies to all identities, so it takes no -i")
        }
        let context = CommandContext(command, arguments: arguments)
        if let columns = command.columns { try context.checkOperand(inTable: columns) }
        if command.forms.allSatisfy({ $0.words == "-" }), !context.isTable {
            throw .misuse(String(command.hint.dropFirst(2)))
        }
        try command.run(context)
        if context.isAtTerminal, let closingNote = context.closingNote {
            context.diagnostics.say(closingNote)
        }
        try context.close()
        return context.status
    }

    private static func help(_ options: [Option]) -> String {
        """
        usage: \(name) [OPTION ...] COMMAND [OPTION ...] [ARGUMENT ...]

        Manages an account, its contacts and their keys.
        With -, a command reads a table from stdin.

        \(lines(commands))
        \(Help.lines(options))
        Options of a command: \(name) COMMAND --help
        Exit statuses and details: \(name)(1)

        """
    }

    private static func help(of command: Command) -> String {
        """
        usage: \(name) \(command.name) [OPTION ...]\(command.maximumOperands > 0 ? " [ARGUMENT ...]" : "")

        \(lines([command]))
        \(Help.lines(command.allOptions))
        Exit statuses and details: \(name)(1)

        """
    }

    private static func lines(_ commands: [Command]) -> String {
        Help.lines(
            commands.flatMap { command in
                command.forms.map { form in
                    let left = form.words.isEmpty ? command.name : "\(command.name) \(form.words)"
                    return (left: left, text: form.summary)
                }
            })
    }
}
