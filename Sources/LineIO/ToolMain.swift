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

    /// Ends the tool with a complaint where a file that is mapped into memory cannot be written to: SQLite
    /// maps a file with holes.
    package static func endWhereMappingFails(_ complaint: some Complaint, tool: String) {
        Process.endWhereMappingFails(
            saying: "\(tool): \(complaint.text)\n", status: complaint.status.rawValue)
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
            let words = Process.arguments()
            guard !words.isEmpty else { throw NoArguments() }
            return try body(Array(words.dropFirst()))
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

/// The system does not say with which arguments the tool was called: what to do is not known.
private struct NoArguments: Complaint {
    let status = ExitStatus.inputOutput
    let text =
        "the arguments cannot be read; see that /proc is mounted and that files can be opened"
}
