import Access
import LineIO

/// smsenc-keyring: the account, the contacts and their keys.
@main
enum SmsencKeyring {
    static let name = "smsenc-keyring"

    /// One table gives both dispatch and help.
    static let commands: [Command] = [
        .initialise, .unlock, .lock, .status,
        .add, .sync, .resync, .verify, .edit, .remove, .list, .show,
        .adopt,
    ]

    static let options =
        KeyringAccess.options + [Option("help"), Option("version")]

    static func main() {
        ToolMain.run(tool: name, run)
    }

    private static func run(_ words: [String]) throws -> ExitStatus {
        let general = try Arguments(words, options: options, stopsAtOperand: true)
        if general.has("help") { return try ToolMain.print(usage) }
        if general.has("version") { return try ToolMain.printVersion(of: name) }
        guard let word = general.rest.first else { throw Misuse("a command is missing") }
        guard let command = commands.first(where: { $0.name == word }) else {
            throw Misuse("there is no command \(word)")
        }
        let before = words.dropLast(general.rest.count).filter { $0 != "--" }
        let arguments = try Arguments(
            before + general.rest.dropFirst(), options: options + command.options)
        if arguments.has("help") { return try ToolMain.print(usage) }
        return try command.run(Context(arguments: arguments))
    }

    private static var usage: String {
        let column = 34
        let lines = commands.flatMap { command in
            command.forms.map { form in
                let left = "\(command.name) \(form.words)"
                let gap = String(repeating: " ", count: max(2, column - left.count))
                return "  \(left)\(gap)\(form.summary)\n"
            }
        }
        return """
            usage: \(name) [-k KEYRING] [--password-file FILE] COMMAND ...
            Keeps the account, the contacts and their keys.

            \(lines.joined())
              -k, --keyring KEYRING   the keyring's file
                  --password-file FILE
                                      the password is the first line of FILE
                  --help              show this text
                  --version           show name and version

            With add - and sync - also --rejects FILE, --fail-fast, --progress and -z, --null.

            """
    }
}
