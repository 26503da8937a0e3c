internal import System

/// Where a tool begins and ends.
package enum ToolMain {
    /// Runs a tool and exits: the one place where errors become words and a status.
    ///
    /// `body` is handed the words after the tool's name. It returns before the process exits, so
    /// that everything it owns is cleansed and closed. All tools hold messages, or keys: no core is
    /// dumped, and no other process of the user reads their memory, as far as the system allows.
    package static func run(
        tool: String, _ body: ([String]) throws -> ExitStatus
    ) -> Never {
        Process.hideMemory()
        Process.holdStandardFiles()
        Process.ignoreBrokenPipes()
        Process.exit(status(of: tool, body).rawValue)
    }

    /// Runs a tool that takes options and input files, and exits: `--help` and `--version` are answered,
    /// and `body` is handed the rest of the command line.
    package static func run(
        tool: String, usage: String, options: [Option],
        _ body: (Arguments) throws -> ExitStatus
    ) -> Never {
        run(tool: tool) { (words) in
            let arguments = try Arguments(words, options: options + ToolMain.options)
            return try answer(arguments, tool: tool, usage: usage) ?? body(arguments)
        }
    }

    /// Options that every tool has, and that outrank all others.
    package static let options = [Option("help"), Option("version")]

    /// Answers `--help` and `--version`; nil where neither was given.
    package static func answer(
        _ arguments: Arguments, tool: String, usage: String
    ) throws -> ExitStatus? {
        if arguments.has("help") { return try print(usage) }
        return arguments.has("version") ? try printVersion(of: tool) : nil
    }

    /// Prints a text on stdout.
    package static func print(_ text: String) throws -> ExitStatus {
        var output = Output(to: .standardOutput())
        output.append(text)
        try output.flush()
        return .done
    }

    /// Prints name and version.
    package static func printVersion(of tool: String) throws -> ExitStatus {
        try print("\(tool) \(version)\n")
    }

    /// The version of all tools.
    private static let version = "1.0"

    private static func status(
        of tool: String, _ body: ([String]) throws -> ExitStatus
    ) -> ExitStatus {
        let diagnostics = Diagnostics(tool: tool)
        do {
            return try body(Array(CommandLine.arguments.dropFirst()))
        } catch IOError.readerLeft {
            return die(of: Process.brokenPipe)
        } catch let interruption as Interrupted {
            return die(of: interruption.signal)
        } catch let complaint as any Complaint {
            diagnostics.say(complaint.text)
            return complaint.status
        } catch {
            diagnostics.say("unexpected failure: \(error)")
            return .inputOutput
        }
    }

    private static func die(of signal: Int32) -> ExitStatus {
        Process.die(of: signal)
        return .inputOutput
    }
}
