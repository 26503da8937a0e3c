import UserInterface
import GSM7
import Keyring
import PhoneNumbers
import ToolKit
import System

extension Command {
    /// Options that the user can give before or after a command.
    static let generalOptions = KeyringAccess.options + ToolMain.options

    /// Options of all commands that can read a table.
    static let tableOptions = FilterOptions.tableWithoutField

    /// All options that a user can give with the command.
    var allOptions: [Option] {
        options + (columns == nil ? [] : Self.tableOptions) + Self.generalOptions
    }
}

extension Option {
    static let yes = Option("yes", "do not ask for confirmation")
    static let country = Option(
        "country", value: "CODE",
        "the calling code for telephone numbers without one, such as 27 (default: none)")
}

extension CommandContext {
    /// Checks that the operand is a name or `-`, and that all given options can be used with this operand.
    /// Options for tables can only be used if the operand is `-`. If a table has a column for an option,
    /// the option can only be used with a name.
    func checkOperand(inTable options: [String]) throws(ExitError) {
        if arguments.has("all") {
            if !operands.isEmpty { throw .misuse("--all takes no name") }
        } else if operands.isEmpty {
            throw .misuse("give a name, or - for a table")
        }
        if let file = operands.first(where: { $0.contains(".") && File.isNonEmptyFile($0) }) {
            throw .misuse("\(file) is a file; to read a table from it, use - <\(shellWord(file))")
        }
        let refused = isTable ? options : Command.tableOptions.map { $0.long }
        guard let option = refused.first(where: arguments.has) else { return }
        if !isTable { throw .misuse("--\(option) needs a table: write - instead of the name") }
        let stand = options.map { $0 + "s" }.joined(separator: " and ")
        throw .misuse("with -, put \(stand) in columns of the table")
    }
}

extension CommandContext {
    /// Parses an option whose value is a duration, such as `30m` or `8h`. Returns the number of seconds, or
    /// nil if the option is absent. A duration without a unit is refused, because it would be unclear
    /// whether a user means hours or seconds.
    func duration(of option: String) throws(ExitError) -> Int64? {
        guard let text = arguments.value(option) else { return nil }
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        let number = text.dropLast()
        guard let unit = text.last.flatMap({ units[$0] }), let count = Int64(number),
            (1...100_000_000).contains(count), number.first != "+", count * unit <= 366 * 86_400
        else {
            throw .misuse(
                "--\(option) takes a duration from 1s to 366d, such as 30m or 8h, not \(text)")
        }
        return count * unit
    }
}

/// Parses the values of options.
enum Options {
    /// The description of the lockout in `--help`. The description contains the value of
    /// `Account.defaultLockout`.
    static let lockoutSummary: StaticString =
        "accept no password for SECONDS after N wrong passwords in a row (default: 3/300)"

    /// Maximum length of a user name in bytes.
    private static let longestUser = 128

    static func userName(_ name: String) throws(ExitError) -> String {
        guard let normal = try? NormalText.utf8(of: name.utf8.span),
            (1...longestUser).contains(normal.count),
            !name.unicodeScalars.contains(where: CodePoint.isControl)
        else {
            throw .misuse(
                "the user name must have 1 to \(longestUser) bytes in UTF-8 and no control character"
            )
        }
        return String(decoding: normal, as: UTF8.self)
    }

    static func country(_ text: String) throws(ExitError) -> String {
        let digits = text.hasPrefix("+") ? String(text.dropFirst()) : text
        guard PhoneNumber.isCallingCode(digits) else {
            throw .misuse("the country must be a calling code such as 27, not \(text)")
        }
        return digits
    }

    /// Parses the setting of the lockout. Returns the number of consecutive wrong passwords before a
    /// lockout, and the duration of the lockout in seconds.
    static func lockout(_ text: String) throws(ExitError) -> (Int, Int) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let tries = Int(parts[0]), let seconds = Int(parts[1]),
            Account.lockTryLimits.contains(tries), Account.lockSecondLimits.contains(seconds)
        else {
            throw .misuse(
                "the lockout must be ATTEMPTS/SECONDS such as 3/300, not \(text)")
        }
        return (tries, seconds)
    }

    /// Parses a list of states such as `unverified,verified`.
    static func states(_ text: String) throws(ExitError) -> Set<ContactState.Status> {
        var states: Set<ContactState.Status> = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let state = ContactState.Status(rawValue: String(word)) else {
                throw .misuse("--state takes states such as unverified,verified, not \(word)")
            }
            states.insert(state)
        }
        return states
    }
}
