internal import System

// The target ToolKit contains what all tools need: records, output, the command line, diagnostics, and
// exit statuses.
//
// It implements the rules that all tools follow: the format and maximum length of a record, the handling
// of bad records, the order in which outputs are flushed, diagnostics of one line, and exit statuses
// (sysexits(3)). An error of any layer ends a tool as an `ExitError`, with the text that a
// `UserFacingError` provides. The texts for file errors are in this target.
//
// This target does not depend on alphabets, frames or keys. Payloads are bytes that are passed to a
// closure of the tool. Buffers may contain plaintext, so they are overwritten after use. All system calls
// are in System.

/// The entry point of a tool.
package enum ToolMain {
    /// Runs a tool and exits. No other function turns errors into diagnostics and exit statuses.
    ///
    /// `body` receives the words after the tool's name. It returns before the process exits, so everything
    /// that it owns is overwritten and closed. All tools process messages or keys. For this reason, core
    /// dumps are disabled, and other processes of the user cannot read the memory, as far as the system
    /// supports that.
    package static func run(
        tool: String, _ body: ([String]) throws(ExitError) -> ExitStatus
    ) -> Never {
        Process.hideMemory()
        Process.openMissingStandardFiles()
        Process.ignoreFailedWrites()
        Process.exit(status(of: tool, body).rawValue)
    }

    /// Ensures that a later failure to write to a memory-mapped file ends the tool with a diagnostic. SQLite
    /// maps a sparse file into memory, and a write fails if the disk is full when the system allocates a block
    /// for it.
    package static func exitIfMappedWriteFails(_ complaint: some UserFacingError, tool: String) {
        Process.exitIfMappedWriteFails(
            saying: "\(tool): \(complaint.text)\n", status: complaint.status.rawValue)
    }

    /// Runs a tool with options and input files, and exits the process.
    ///
    /// If `--help` or `--version` is given, this function prints the help or the version. Otherwise, it
    /// calls `body` with the parsed command line.
    ///
    /// - Parameter summary: what the tool does, for `--help`.
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

    /// Options of every tool. They take precedence over all other options.
    package static let options = [
        Option("help", short: "h", "show this help"),
        Option("version", "show name and version"),
    ]

    /// Prints the help or the version if `--help` or `--version` is given. Returns nil if neither is
    /// given.
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
        /// scripts/build, scripts/install and scripts/package refuse executables that contain this text.
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

/// The exit statuses of the tools, as in sysexits(3).
package enum ExitStatus: Int32, Equatable, Sendable {
    /// All records were processed.
    case done = 0
    /// Some records were rejected, or the command was refused. For example, a contact named on the command
    /// line does not exist or already exists, or a code is wrong.
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
    /// Access was refused (EX_NOPERM), for example because the password is wrong or cannot be asked for, or
    /// because the keyring was copied.
    case noPermission = 77

    /// Combines this status with another. A higher status replaces 0 or 1. A status above 1 is never replaced.
    package mutating func merge(_ other: ExitStatus) {
        if rawValue <= ExitStatus.rejected.rawValue, rawValue < other.rawValue { self = other }
    }
}
