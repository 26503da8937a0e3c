internal import System

// What every filter is made of: records in, results out, the command line, diagnostics, exit statuses.
//
// It owns the rules that all tools share: what a record is and how long it may be, that a bad one is
// reported and kept and never lost, in which order outputs are flushed, that one line on stderr says
// what was wrong, and which status that gives (sysexits(3)). An error of any layer ends a tool as a Stop, in
// the words of a Complaint; this target words those of files itself.
//
// It knows no alphabet, frame or key: payloads are bytes, handed to a closure of the tool. What it reads
// and gathers may be plaintext, and is cleansed. System calls are System's.

/// Where a tool begins and ends.
package enum ToolMain {
    /// Runs a tool and exits: the one place where errors become words and a status.
    ///
    /// `body` is handed the words after the tool's name. It returns before the process exits, so
    /// that everything it owns is cleansed and closed. All tools hold messages, or keys: no core is
    /// dumped, and no other process of the user reads their memory, as far as the system allows.
    package static func run(
        tool: String, _ body: ([String]) throws(Stop) -> ExitStatus
    ) -> Never {
        Process.hideMemory()
        Process.holdStandardFiles()
        Process.ignoreBrokenPipes()
        Process.exit(status(of: tool, body).rawValue)
    }

    /// Ends the tool with a complaint where a file that is mapped into memory cannot be written to: SQLite
    /// maps a file with holes.
    package static func endWhereMappingFails(_ complaint: some Complaint, tool: String) {
        Process.endWhereMappingFails(
            saying: "\(tool): \(complaint.text)\n", status: complaint.status.rawValue)
    }

    /// Runs a tool that takes options and input files, and exits. Answers `--help` and `--version`; otherwise
    /// calls `body` with the command line.
    ///
    /// - Parameter summary: what the tool does, for `--help`.
    package static func run(
        tool: String, summary: String, options: [Option],
        _ body: (Arguments) throws(Stop) -> ExitStatus
    ) -> Never {
        run(tool: tool) { (words) throws(Stop) in
            let options = options + ToolMain.options
            let arguments = try Arguments(words, options: options)
            let answer = try answer(
                arguments, tool: tool,
                help: """
                    usage: \(tool) [OPTION ...] [FILE ...]

                    \(summary)

                    \(Help.lines(options))
                    Exit statuses and details: \(tool)(1)

                    """)
            if let answer { return answer }
            return try body(arguments)
        }
    }

    /// Options that every tool has, and that outrank all others.
    package static let options = [
        Option("help", short: "h", "show this help"),
        Option("version", "show name and version"),
    ]

    /// Answers `--help` and `--version`. Returns nil if neither was given.
    /// - Throws: if stdout cannot be written.
    package static func answer(
        _ arguments: Arguments, tool: String, help: @autoclosure () -> String
    ) throws(Stop) -> ExitStatus? {
        if arguments.has("help") { return try print(help()) }
        return arguments.has("version") ? try print("\(tool) \(version)\(build)\n") : nil
    }

    /// Prints a text on stdout.
    package static func print(_ text: String) throws(Stop) -> ExitStatus {
        var output = Output(to: .standardOutput())
        output.append(text)
        try orStop(io: output.flush())
        return .done
    }

    /// The version of all tools.
    private static let version = "1.0"

    #if SMSENC_TEST_BUILD
        /// scripts/build, scripts/install and scripts/package refuse executables that hold this text.
        private static let build = " (test build of smsenc: its keyrings are not protected)"
    #else
        private static let build = ""
    #endif

    private static func status(
        of tool: String, _ body: ([String]) throws(Stop) -> ExitStatus
    ) -> ExitStatus {
        do throws(Stop) {
            return try body(Array(Process.arguments().dropFirst()))
        } catch {
            if let signal = error.signal {
                Process.die(of: signal)
            } else {
                Diagnostics(tool: tool).say(error.text)
            }
            return error.status
        }
    }
}

/// How a tool ends, after sysexits(3).
package enum ExitStatus: Int32, Equatable, Sendable {
    /// Everything went through.
    case done = 0
    /// Some records were rejected, or what was named is unknown, double, refused or wrong.
    case rejected = 1
    /// The command line makes no sense (EX_USAGE).
    case usage = 64
    /// A keyring, session or backup is damaged (EX_DATAERR).
    case damaged = 65
    /// An input or keyring is not there or cannot be read (EX_NOINPUT).
    case noInput = 66
    /// A file cannot be made, or is there already (EX_CANTCREAT).
    case cannotCreate = 73
    /// Reading or writing failed (EX_IOERR).
    case inputOutput = 74
    /// Locked out or busy: try again later (EX_TEMPFAIL).
    case tryLater = 75
    /// Wrong password, locked with nobody to ask, or a copied keyring (EX_NOPERM).
    case noPermission = 77

    /// Takes in what else happened: anything above 1 outranks 1, and the first of those stays.
    package mutating func merge(_ other: ExitStatus) {
        if rawValue <= ExitStatus.rejected.rawValue, rawValue < other.rawValue { self = other }
    }
}
