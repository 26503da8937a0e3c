internal import System

// What every filter is made of: records in, results out, the command line, diagnostics, exit statuses.
//
// It owns the rules that all tools share: what a record is and how long it may be, that a bad one is
// reported and kept and never lost, in which order outputs are flushed, that one line on stderr says
// what was wrong, and which status that gives (sysexits(3)). An error of any layer becomes words here by
// being a Complaint; this target words those of files itself.
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
    package static let options = [Option("help", short: "h"), Option("version")]

    /// Answers `--help` and `--version`; nil where neither was given.
    /// - Throws: `IOError` where stdout takes nothing, as the next.
    package static func answer(
        _ arguments: Arguments, tool: String, usage: String
    ) throws -> ExitStatus? {
        if arguments.has("help") { return try print(usage) }
        return arguments.has("version") ? try print("\(tool) \(version)\n") : nil
    }

    /// Prints a text on stdout.
    package static func print(_ text: String) throws -> ExitStatus {
        var output = Output(to: .standardOutput())
        output.append(text)
        try output.flush()
        return .done
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

/// An error that a tool can end with: facts below, one line of words in main.
///
/// The words are lower case, without a full stop: what was wrong, then, after a semicolon, what to
/// do about it. They never hold a secret.
package protocol Complaint: Error {
    var status: ExitStatus { get }
    var text: String { get }
}

/// A signal came while somebody was being asked; the tool dies of it when all is as it was.
package struct Interrupted: Error, Equatable {
    package let signal: Int32
    package init(signal: Int32) { self.signal = signal }
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
