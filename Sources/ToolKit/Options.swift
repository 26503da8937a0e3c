/// An option of a tool or command. This type says how the option is parsed and shown in `--help`.
///
/// The completions in `scripts/completions` and the tests of the manual read these lines.
package struct Option: Sendable {
    let short: Character?
    package let long: String
    /// The name of the value in `--help`; nil if the option takes no value. The completions know `CONTACT`
    /// and `IDENTITY`, and offer the words of `this|that`.
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
    /// Maximum width of the left column. The text of a wider row begins further to the right.
    private static let maximumLeftWidth = 30

    /// Returns one line for each option.
    package static func lines(_ options: [Option]) -> String {
        lines(
            options.map { option in
                let short = option.short.map { "-\($0), " } ?? "    "
                let value = option.value.map { " " + $0.description } ?? ""
                return (short + "--" + option.long + value, option.help.description)
            })
    }

    /// Returns one line for each row, in two columns.
    package static func lines(_ rows: [(left: String, text: String)]) -> String {
        let width = rows.map { $0.left.utf8.count }.filter { $0 <= maximumLeftWidth }.max() ?? 0
        return rows.map { left, text in
            let gap = String(repeating: " ", count: max(0, width - left.utf8.count) + 2)
            return "  \(left)\(gap)\(text)\n"
        }.joined()
    }
}

extension ExitError {
    /// Returns the error for a wrong command line. Its text is one line that points to `--help`.
    ///
    /// - Parameter suggestion: what the user probably meant. It is suggested instead of `--help`.
    package static func misuse(_ reason: String, suggesting suggestion: String? = nil) -> ExitError
    {
        let hint = suggestion.map { "do you mean \($0)?" } ?? "see --help"
        return ExitError(.usage, "\(TerminalText.escaped(reason)); \(hint)")
    }
}

/// A parsed command line.
///
/// Short options can be grouped (`-dz`). The value of a long option follows after `=` or as the next word.
/// `--` ends the options. If an option is given twice, the last value counts.
package struct Arguments: Sendable {
    package private(set) var operands: [String] = []
    private var given: [String: String] = [:]

    /// Parses the words after the tool's name.
    ///
    /// - Parameter stopsAtOperand: true if all words from the first operand on are operands.
    /// - Throws: `misuse` for an unknown option, a missing value, or a value for an option that takes none.
    package init(
        _ words: [String], options: [Option], stopsAtOperand: Bool = false
    ) throws(ExitError) {
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

    /// Checks that two options that contradict each other are not both given.
    ///
    /// - Throws: `misuse`.
    package func refuse(_ first: String, with second: String, because reason: String)
        throws(ExitError)
    {
        if has(first), has(second) {
            throw .misuse("--\(first) and --\(second) cannot be combined: \(reason)")
        }
    }

    /// Checks that no option other than this one is given.
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
            let suggestion = SpellingSuggestion.word(to: name, among: options.lazy.map { $0.long })
            throw .misuse("there is no option --\(name)", suggesting: suggestion.map { "--" + $0 })
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
                throw .misuse("there is no option -\(letter)")
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

    private static func value(
        of option: String, _ left: inout ArraySlice<String>
    ) throws(ExitError) -> String {
        guard let value = left.popFirst() else { throw .misuse("\(option) needs a value") }
        return value
    }
}

/// The options that the filters have in common.
package struct FilterOptions: Sendable {
    /// LF, or NUL with `-z`.
    package let terminator: UInt8
    /// Number of the field that holds the payload, from 1. It is the last field of a record.
    package let payloadField: Int
    /// True if the payload may contain TABs.
    package var payloadHasTabs = false
    package let rejectsPath: String?
    package let statusPath: String?
    package let stopsAtFirst: Bool
    package let showsProgress: Bool
    /// False if the fields are fixed, so that there is no `-f`.
    package let hasFieldOption: Bool
    /// Number of characters of every payload, or 0 if they differ. A line that is no longer than this is not
    /// taken for CSV, because a ciphertext contains all characters.
    package var payloadLength = 0
    /// Advice for a record that has too few fields.
    package var missing = "separate fields with TAB"
    /// Paths of the input files. `-` is stdin.
    package let inputs: [String]

    /// - Parameter payload: the help for `-f`, which names the payload.
    package static func table(payload: StaticString) -> [Option] {
        [Option("field", short: "f", value: "N", payload)] + tableWithoutField
    }

    package static let tableWithoutField = [
        Option("null", short: "z", "records end in NUL instead of a newline"),
        Option(
            "rejects", value: "FILE",
            "write a copy of each rejected record to FILE, which must not exist"),
        Option(
            "status", value: "FILE",
            "write the status of each record to FILE, which must not exist"),
        Option("fail-fast", "stop at the first rejected record"),
        Option("progress", "show progress on stderr"),
    ]

    /// The values that `-f` takes.
    package static let fieldLimits = 1...1000

    /// - Parameters:
    ///   - payloadField: number of the payload's field if `-f` is not given.
    ///   - inputs: the input files if they are not the operands. The tool then has no `-f` option.
    /// - Throws: `misuse` for a field number out of range, or for a file name that is `-` or given twice.
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
