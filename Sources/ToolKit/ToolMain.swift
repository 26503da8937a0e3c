internal import System

// The target ToolKit contains the code that all tools share. This target handles records, output, the command
// line, diagnostics, and exit statuses.
//
// All tools therefore follow the same rules. The rules concern the format and maximum length of a record, the
// handling of bad records, the order in which outputs are flushed, the format of a diagnostic, and exit
// statuses (sysexits(3)). If an error of any target ends a tool, it is converted to an `ExitError`. The text
// comes from the error's conformance to `UserFacingError`. The texts for file errors are in ToolKit.
//
// This target does not depend on alphabets, frames or keys. ToolKit passes payloads as bytes to a closure of
// the tool. Buffers may contain plaintext, so they are overwritten after use. Only the target System makes
// system calls.

/// The entry point of a tool.
package enum ToolMain {
    /// Runs a tool and exits. Only this function converts errors to diagnostics and exit statuses.
    ///
    /// `body` receives the words after the tool's name. `body` returns before the process exits, so everything
    /// that it owns is overwritten and closed. To protect messages and keys in memory, this function disables
    /// core dumps and prevents other processes of the user from reading the memory, if the system supports this.
    package static func run(
        tool: String, _ body: ([String]) throws(ExitError) -> ExitStatus
    ) -> Never {
        Process.hideMemory()
        Process.openMissingStandardFiles()
        Process.ignoreFailedWrites()
        Process.exit(status(of: tool, body).rawValue)
    }

    /// Makes the tool exit with a diagnostic if a later write to a memory-mapped file fails. SQLite maps a
    /// sparse file into memory. A write to the mapped file fails if the disk is full and the system has to
    /// allocate a block.
    package static func exitIfMappedWriteFails(_ complaint: some UserFacingError, tool: String) {
        Process.exitIfMappedWriteFails(
            saying: "\(tool): \(complaint.text)\n", status: complaint.status.rawValue)
    }

    /// Runs a tool with options and input files, and exits the process.
    ///
    /// If `--help` or `--version` is given, this function prints the help or the version. If neither option
    /// is given, this function calls `body` with the parsed command line.
    ///
    /// - Parameter summary: the text in `--help` that says what the tool does.
    package static func run(
        tool: String, summary: String, options: [Option],
        _ body: (Arguments) throws(ExitError) -> ExitStatus
    ) -> Never {
        run(tool: tool) { (words) throws(ExitError) in
            let options = options + ToolMain.options
            let arguments = try Arguments(
                words, options: options,
                hint: "; \(tool) reads files or stdin, and prints the result to stdout")
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

    /// Options that every tool has, and that take precedence over all other options.
    package static let options = [
        Option("help", short: "h", "show this help"),
        Option("version", "show name and version"),
    ]

    /// Prints the help or the version if `--help` or `--version` is given. Returns nil if neither `--help`
    /// nor `--version` is given.
    ///
    /// - Throws: errors of writing to stdout.
    package static func answer(
        _ arguments: Arguments, tool: String, help: @autoclosure () -> String
    ) throws(ExitError) -> ExitStatus? {
        if arguments.has("help") { return try print(help()) }
        return arguments.has("version") ? try print("\(tool) \(version)\(build)\n") : nil
    }

    /// Prints a text on stdout.
    package static func print(_ text: String) throws(ExitError) -> ExitStatus {
        var output = Output(to: .standardOutput())
        output.append(text)
        try throwingExitError(io: output.flush())
        return .done
    }

    /// The version of all tools.
    private static let version = "1.0"

    #if SMSENC_TEST_BUILD
        /// Text by which scripts/build, scripts/install and scripts/package recognise and refuse a test
        /// build.
        private static let build = " (test build of smsenc: its keyrings are not protected)"
    #else
        private static let build = ""
    #endif

    private static func status(
        of tool: String, _ body: ([String]) throws(ExitError) -> ExitStatus
    ) -> ExitStatus {
        do throws(ExitError) {
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

/// The exit statuses of the tools. The numbers above 1 are from sysexits(3).
package enum ExitStatus: Int32, Equatable, Sendable {
    /// All records were processed.
    case done = 0
    /// Some records were rejected, or the command was refused. A command is refused, for example, if a
    /// contact on the command line does not exist or already exists, or if a code is wrong.
    case rejected = 1
    /// The command line is wrong (EX_USAGE).
    case usage = 64
    /// A keyring, session or backup is damaged (EX_DATAERR).
    case damaged = 65
    /// An input file or keyring does not exist or cannot be read (EX_NOINPUT).
    case noInput = 66
    /// A file cannot be created, or already exists (EX_CANTCREAT).
    case cannotCreate = 73
    /// Reading or writing failed (EX_IOERR).
    case inputOutput = 74
    /// The keyring is busy or in a lockout. Try again later (EX_TEMPFAIL).
    case tryLater = 75
    /// Access was refused (EX_NOPERM), for example, because the password is wrong, the tool cannot ask for
    /// the password, or the keyring was copied.
    case noPermission = 77

    /// Combines this status with another status. If this status is 0 or 1, a higher status replaces it. An
    /// exit status above 1 is never replaced.
    package mutating func merge(_ other: ExitStatus) {
        if rawValue <= ExitStatus.rejected.rawValue, rawValue < other.rawValue { self = other }
    }
}
