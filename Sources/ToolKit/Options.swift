/// An option of a tool or command. An `Option` specifies how the option is parsed, and how `--help` shows it.
///
/// The completions in `scripts/completions` and the tests of the manual parse the lines of `--help`.
package struct Option: Sendable {
    let short: Character?
    package let long: String
    /// Name of the value in `--help`, or nil if the option takes no value. This name determines which values
    /// the shell completions offer. For `CONTACT` and `IDENTITY`, the completions offer names from the
    /// keyring. For a name such as `this|that`, the completions offer the words `this` and `that`.
    let value: StaticString?
    let help: StaticString

    package init(
        _ long: String, short: Character? = nil, value: StaticString? = nil, _ help: StaticString
    ) {
        self.long = long
        self.short = short
        self.value = value
        self.help = help
    }
}

/// Formats the text that `--help` prints.
package enum Help {
    /// Maximum width of the left column. If an entry in the left column is wider, the text in the right
    /// column begins on the next line.
    private static let maximumLeftWidth = 26
    /// Maximum width of a line.
    private static let maximumWidth = 80

    /// Returns the lines of `--help` for options.
    package static func lines(_ options: [Option]) -> String {
        lines(
            options.map { option in
                let short = option.short.map { "-\($0), " } ?? "    "
                let value = option.value.map { " " + $0.description } ?? ""
                return (short + "--" + option.long + value, option.help.description)
            })
    }

    /// Returns the lines of `--help` for a table with two columns.
    ///
    /// If a text is too long for one line, its continuation lines begin with at least seven spaces, by which
    /// the completions recognise them.
    package static func lines(_ rows: [(left: String, text: String)]) -> String {
        let width = rows.map { $0.left.utf8.count }.filter { $0 <= maximumLeftWidth }.max() ?? 0
        let margin = String(repeating: " ", count: max(width + 4, 7))
        return rows.map { left, text in
            var (lines, line) = ("", "  " + left)
            var isAtStart = left.utf8.count > width
            if isAtStart {
                (lines, line) = (line + "\n", margin)
            } else {
                line += margin.dropFirst(line.utf8.count)
                isAtStart = true
            }
            for word in text.split(separator: " ") {
                if !isAtStart, line.utf8.count + 1 + word.utf8.count > maximumWidth {
                    lines += line + "\n"
                    (line, isAtStart) = (margin, true)
                }
                line += (isAtStart ? "" : " ") + word
                isAtStart = false
            }
            return lines + line + "\n"
        }.joined()
    }
}

extension ExitError {
    /// Returns the error for a wrong command line. The text of the error is a single line that refers the
    /// user to `--help`.
    ///
    /// - Parameter suggestion: what the user probably meant, or nil. If there is a suggestion, the text
    ///   contains it instead of the reference to `--help`.
    package static func misuse(_ reason: String, suggesting suggestion: String? = nil) -> ExitError
    {
        let hint = suggestion.map { "did you mean \($0)?" } ?? "see --help"
        return ExitError(.usage, "\(TerminalText.escaped(reason)); \(hint)")
    }
}

/// A parsed command line.
///
/// Short options can be grouped (`-dz`). The value of a long option is the text after `=`, or the next word.
/// The word `--` ends the list of options. If an option is given twice, its last value is used.
package struct Arguments: Sendable {
    package private(set) var operands: [String] = []
    private var given: [String: String] = [:]
    private let hint: String

    /// Parses the words that follow the tool's name.
    ///
    /// - Parameters:
    ///   - stopsAtOperand: true to treat all words after the first operand as operands.
    ///   - hint: advice that is printed if an option is unknown.
    /// - Throws: `misuse` if an option is unknown, if the value of an option is missing, or if an option
    ///   has a value but takes none.
    package init(
        _ words: [String], options: [Option], stopsAtOperand: Bool = false, hint: String = ""
    ) throws(ExitError) {
        self.hint = hint
        var left = words[...]
        while let word = left.popFirst() {
            if word == "--" {
                operands += left
                break
            } else if word.hasPrefix("--") {
                try parseLong(word, options, &left)
            } else if word.hasPrefix("-"), word != "-" {
                try parseShort(word, options, &left)
            } else if stopsAtOperand {
                operands = [word] + left
                break
            } else {
                operands.append(word)
            }
        }
    }

    package func has(_ long: String) -> Bool { given[long] != nil }

    package func value(_ long: String) -> String? { given[long] }

    /// Returns the value of an option as a decimal integer, or nil if the option was not given.
    ///
    /// - Throws: `misuse` if the value is not an integer within `limits`.
    package func integer(_ long: String, in limits: ClosedRange<Int>) throws(ExitError) -> Int? {
        guard let text = given[long] else { return nil }
        guard let number = Int(text), text.utf8.allSatisfy({ (48...57).contains($0) }),
            limits.contains(number)
        else {
            throw .misuse(
                "--\(long) takes a number from \(limits.lowerBound) to \(limits.upperBound), not \(text)"
            )
        }
        return number
    }

    /// Checks that two contradictory options are not used together.
    ///
    /// - Throws: `misuse`.
    package func refuse(_ first: String, with second: String, because reason: String)
        throws(ExitError)
    {
        if has(first), has(second) {
            throw .misuse("--\(first) and --\(second) cannot be combined: \(reason)")
        }
    }

    /// Checks that no option other than `long` is given.
    ///
    /// - Throws: `misuse`.
    package func rejectOtherOptions(than long: String) throws(ExitError) {
        if let other = given.keys.sorted().first(where: { $0 != long }) {
            throw .misuse("--\(long) cannot be combined with --\(other)")
        }
    }

    private mutating func parseLong(
        _ word: String, _ options: [Option], _ left: inout ArraySlice<String>
    ) throws(ExitError) {
        let body = word.dropFirst(2)
        let equals = body.firstIndex(of: "=")
        let name = String(body[..<(equals ?? body.endIndex)])
        guard let option = options.first(where: { $0.long == name }) else {
            throw unknownOption("--\(name)", name, among: options)
        }
        if let equals {
            guard option.value != nil else { throw .misuse("--\(name) takes no value") }
            given[name] = String(body[body.index(after: equals)...])
        } else if option.value != nil {
            given[name] = try Self.value(of: word, &left)
        } else {
            given[name] = ""
        }
    }

    private mutating func parseShort(
        _ word: String, _ options: [Option], _ left: inout ArraySlice<String>
    ) throws(ExitError) {
        var rest = word.dropFirst()
        while let letter = rest.popFirst() {
            guard let option = options.first(where: { $0.short == letter }) else {
                // The user has written a long option with a single hyphen.
                if options.contains(where: { "-" + $0.long == word }) {
                    throw .misuse("there is no option \(word)", suggesting: "-" + word)
                }
                throw unknownOption("-\(letter)", String(letter), among: options)
            }
            guard option.value != nil else {
                given[option.long] = ""
                continue
            }
            given[option.long] =
                rest.isEmpty ? try Self.value(of: "-\(letter)", &left) : String(rest)
            return
        }
    }

    /// Names of options in other programs, and the options of smsenc that have the same meaning.
    private static let otherNames: KeyValuePairs = [
        "cell": "number", "column": "field", "confirm": "yes", "duration": "for",
        "f": "yes", "force": "yes", "mobile": "number", "n": "number", "n": "user", "name": "user",
        "pass": "password-file", "passphrase": "password-file", "password": "password-file",
        "phone": "number", "print0": "null", "r": "contact", "recipient": "contact",
        "t": "contact", "tel": "number", "telephone": "number", "time": "for", "timeout": "for",
        "to": "contact", "u": "contact", "u": "user", "username": "user", "y": "yes",
    ]

    /// Returns the error for an option that does not exist. If another option has a similar name or the
    /// same meaning, the error message suggests this option.
    private func unknownOption(_ shown: String, _ name: String, among options: [Option])
        -> ExitError
    {
        let names = options.map { $0.long }
        let suggestion =
            SpellingSuggestion.word(to: name, among: names)
            ?? Self.otherNames.first { $0.key == name && names.contains($0.value) }?.value
        let reason = "there is no option \(shown)"
        return suggestion.map { .misuse(reason, suggesting: "--" + $0) } ?? .misuse(reason + hint)
    }

    private static func value(
        of option: String, _ left: inout ArraySlice<String>
    ) throws(ExitError) -> String {
        guard let value = left.popFirst() else { throw .misuse("\(option) needs a value") }
        return value
    }
}

/// The options that all filters have.
package struct FilterOptions: Sendable {
    /// Byte that ends each record: LF, or NUL with `-z`.
    package let terminator: UInt8
    /// Number of the field that contains the payload, counted from 1. The payload is the last field of a
    /// record.
    package let payloadField: Int
    /// True to reject a record if a spreadsheet has added quotation marks to one of its fields.
    package var refusesQuotedFields = false
    /// True if the payload is a message. The sender may have written the quotation marks around a message.
    package var payloadIsMessage = false
    /// True if the payload may contain TABs.
    package var payloadHasTabs = false
    package let rejectsPath: String?
    package let statusPath: String?
    package let stopsAtFirst: Bool
    package let showsProgress: Bool
    /// True if the tool has the option `-f`, and false if the payload is always in the same field.
    package let hasFieldOption: Bool
    /// True if the status file contains the positions of messages.
    package var reportsPositions = false
    /// Number of characters in each payload, or 0 if payloads differ in length. A ciphertext can look like
    /// CSV by chance, so a line that is not longer than the payload is never treated as CSV.
    package var payloadLength = 0
    /// Advice that is printed for a record that has too few fields.
    package var missing = "separate the fields with TAB"
    /// Advice that is printed if an input file does not exist.
    package var operandAdvice =
        "specify the name of a file, or give the text on stdin, for example with echo"
    /// Paths of the input files. The path `-` stands for stdin.
    package let inputs: [String]

    /// Returns the options that all filters have.
    ///
    /// - Parameter payload: the help text for the option `-f`.
    package static func table(payload: StaticString) -> [Option] {
        [Option("field", short: "f", value: "N", payload)] + tableWithoutField
    }

    package static let tableWithoutField = [
        Option("null", short: "z", "records end in NUL instead of a newline"),
        Option(
            "rejects", value: "FILE",
            "write a copy of each rejected record to FILE, which must not exist yet"),
        Option(
            "status", value: "FILE",
            "write the status of each record to FILE, which must not exist yet"),
        Option("fail-fast", "stop at the first record that is rejected"),
        Option("progress", "print the progress to stderr"),
    ]

    /// Permitted values of `-f`.
    package static let fieldLimits = 1...1000

    /// Reads the options from the command line.
    ///
    /// - Parameters:
    ///   - payloadField: number of the payload's field if `-f` is not given.
    ///   - inputs: the input files, or nil if the operands name them. A tool that passes `inputs` has no
    ///     option `-f`.
    /// - Throws: `misuse` if a field number is out of range. Throws `misuse` if the rejects file or the
    ///   status file has the name `-`, or if both have the same name.
    package init(
        _ arguments: Arguments, payloadField: Int = 1, inputs: [String]? = nil
    ) throws(ExitError) {
        terminator = arguments.has("null") ? 0 : UInt8(ascii: "\n")
        self.payloadField =
            try arguments.integer("field", in: Self.fieldLimits) ?? payloadField
        rejectsPath = try Self.file("rejects", arguments)
        statusPath = try Self.file("status", arguments)
        if let rejectsPath, rejectsPath == statusPath {
            throw .misuse("--rejects and --status need different files, not both \(rejectsPath)")
        }
        stopsAtFirst = arguments.has("fail-fast")
        showsProgress = arguments.has("progress")
        hasFieldOption = inputs == nil
        self.inputs = inputs ?? (arguments.operands.isEmpty ? ["-"] : arguments.operands)
    }

    private static func file(_ long: String, _ arguments: Arguments) throws(ExitError) -> String? {
        let path = arguments.value(long)
        if path == "-" { throw .misuse("--\(long) needs the name of a file, not -") }
        return path
    }
}
