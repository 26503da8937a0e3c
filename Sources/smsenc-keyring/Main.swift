import Access
import LineIO

/// The account, the contacts and their keys.
///
/// This target owns what smsenc-keyring(1) says: which commands there are and what each takes (`Main`,
/// `Command`, `Options`), how a table of contacts goes through one of them (`Table`), what is asked of a
/// person and said to them (`Asking`, `Words`), what a new password may be (`NewPassword`), and, a file
/// for each group, the commands themselves.
///
/// What a command does to a keyring is Keyring's affair, how it is unlocked Access's, and how records are
/// read, kept and counted LineIO's. It holds no key longer than it takes to print it.
@main
enum Main {
    static let name = "smsenc-keyring"

    /// Used for dispatch and for `--help`.
    static let commands: [Command] = [
        .initialise, .passwd, .destroy, .unlock, .lock, .status,
        .add, .sync, .resync, .offer, .accept, .verify, .edit, .remove, .list, .show, .set, .check,
        .export, .restore, .adopt, .identity, .fileKey,
    ]

    static func main() {
        ToolMain.run(tool: name, run)
    }

    private static func run(_ words: [String]) throws(Stop) -> ExitStatus {
        // True when the command may be unlock, and when it is: words before it may be none that can be read.
        var isUnlock = words.contains(Command.unlock.name)
        do throws(Stop) {
            let general = try Arguments(
                words, options: Command.generalOptions, stopsAtOperand: true)
            isUnlock = general.operands.first == Command.unlock.name
            return try perform(words, general)
        } catch {
            // What a shell evaluates must fail when unlock does.
            if isUnlock { _ = try ToolMain.print("false\n") }
            throw error
        }
    }

    private static func perform(
        _ words: [String], _ general: Arguments
    ) throws(Stop) -> ExitStatus {
        let answer = try ToolMain.answer(
            general, tool: name, help: help(commands, Command.generalOptions))
        if let answer { return answer }
        guard let word = general.operands.first else { throw .misuse("a command is missing") }
        guard let command = commands.first(where: { $0.name == word }) else {
            let meant = Similar.word(to: word, among: commands.map { $0.name })
            throw .misuse("there is no command \(word)", meant: meant)
        }
        let before = words.dropLast(general.operands.count).filter { $0 != "--" }
        let arguments = try Arguments(
            before + general.operands.dropFirst(), options: command.allOptions)
        let commandAnswer = try ToolMain.answer(
            arguments, tool: name, help: help([command], command.allOptions))
        if let commandAnswer { return commandAnswer }
        if let other = arguments.operands.dropFirst(command.mostOperands).first {
            throw .misuse("there is no place for \(other)\(command.hint)")
        }
        let context = Context(arguments: arguments, printsAgain: command.printsAgain)
        if let columns = command.columns { try context.expectName(inTable: columns) }
        try command.run(context)
        if context.isAtTerminal, let parting = context.parting { context.diagnostics.say(parting) }
        try context.close()
        return context.status
    }

    private static func help(_ commands: [Command], _ options: [Option]) -> String {
        let rows = commands.flatMap { command in
            command.forms.map { form in
                let left = form.words.isEmpty ? command.name : "\(command.name) \(form.words)"
                return (left: left, text: form.summary)
            }
        }
        return """
            usage: \(name) [OPTION ...] COMMAND [OPTION ...] [ARGUMENT ...]

            Manages an account, its contacts and their keys. With -, a command reads a table from stdin.

            \(Help.lines(rows))
            \(Help.lines(options))
            Options of a command: \(name) COMMAND --help
            Exit statuses and details: \(name)(1)

            """
    }
}
