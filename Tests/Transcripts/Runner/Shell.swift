import Foundation
import Support

/// A /bin/sh that runs the commands of a transcript, in a separate session and folder.
///
/// The shell is the leader of its session, so a terminal that it opens becomes its controlling terminal.
/// In this way, a command in the same shell has a /dev/tty. Closing our side of the terminal removes the
/// controlling terminal again.
final class Shell {
    struct Outcome {
        var output: [UInt8] = []
        var ending: Ending
        var leftInputUnread = false
    }

    enum Ending: Equatable {
        case status(Int32)
        /// The shell itself has ended, either through `exit` or through a signal.
        case shellEnded(Int32)
        /// The screen differs from the transcript, so the next prompt may never appear.
        case stopped
        case timedOut
    }

    let folder: URL
    private let process: pid_t
    private let input: Descriptor
    private let output: Descriptor
    private let status: Descriptor
    private let patience: Duration
    private var lastStatus: Int32 = 0
    private(set) var isRunning = true

    /// The descriptor to which the shell reports the exit status of each command.
    private static let statusNumber: Int32 = 9

    /// Maximum time during which a command at a terminal shows nothing. A command that asks a question too
    /// many would otherwise wait as long as the slowest command may take.
    private static let silence = Duration.seconds(60)

    /// Starts a shell.
    ///
    /// - Parameter patience: maximum time for a command, which only prevents tests from hanging.
    init(tools: URL, patience: Duration) throws {
        self.patience = patience
        let (folder, environment) = try makeHome(tools: tools)
        self.folder = folder
        let commands = try PipeEnds()
        let outputs = try PipeEnds()
        let statuses = try PipeEnds()
        process = try spawn(
            ["/bin/sh"], environment: environment,
            descriptors: [
                (commands.reader.number, 0), (outputs.writer.number, 1),
                (outputs.writer.number, 2), (statuses.writer.number, Self.statusNumber),
            ])
        input = commands.keepingWriter()
        output = outputs.keepingReader()
        status = statuses.keepingReader()
        // The shell may already have ended.
        _ = signal(SIGPIPE, SIG_IGN)
        input.write("cd \(quoted(folder.path + "/desk"))\n")
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(at: folder)
    }

    func run(_ step: Transcript.Step) throws -> Outcome {
        let file = folder.path + "/command"
        try (step.command + "\n").write(toFile: file, atomically: true, encoding: .utf8)
        // This restores `$?` of the previous command.
        let source = "(exit \(lastStatus)); . \(quoted(file))"
        let report = "\(Self.statusNumber)>&-; echo $? >&\(Self.statusNumber)\n"
        var outcome: Outcome
        if step.hasTerminal {
            let terminal = try PseudoTerminal()
            // ^C and the loss of the terminal do not terminate the shell, but they do terminate its
            // commands.
            input.write("trap : INT HUP; \(source) <>\(quoted(terminal.path)) >&0 2>&0 \(report)")
            outcome = converse(on: terminal, as: step.expectation)
            input.write("trap - INT HUP\n")
        } else {
            input.write("\(source) </dev/null \(report)")
            outcome = listen()
        }
        outcome.output = outcome.output.replacing(folder.path.utf8, with: "<folder>".utf8)
        if case .status(let status) = outcome.ending { lastStatus = status } else { stop() }
        return outcome
    }

    private func listen() -> Outcome {
        let deadline = ContinuousClock.now + patience
        var shown: [UInt8] = []
        var isOpen = true
        while true {
            let ready = waitForInput(isOpen ? output.number : -1, status.number, until: deadline)
            if ready.first {
                isOpen = output.read(into: &shown)
            } else {
                let ending = ready.second ? readStatus() : .timedOut
                return Outcome(output: shown, ending: ending)
            }
        }
    }

    private func converse(on terminal: consuming PseudoTerminal, as expected: Expectation)
        -> Outcome
    {
        let end = ContinuousClock.now + patience
        var shown: [UInt8] = []
        var typed = 0
        while true {
            let deadline = min(end, ContinuousClock.now + Self.silence)
            let progress = expected.progress(
                of: onScreen(shown).replacing(folder.path.utf8, with: "<folder>".utf8))
            for text in progress.typed.dropFirst(typed) { terminal.type(text) }
            typed = max(typed, progress.typed.count)
            if progress.isWrong, typed < expected.typedCount {
                return Outcome(output: onScreen(shown), ending: .stopped)
            }
            let ready = waitForInput(terminal.screen.number, status.number, until: deadline)
            if ready.first, terminal.screen.read(into: &shown) { continue }
            guard ready.second else { return Outcome(output: onScreen(shown), ending: .timedOut) }
            let ending = readStatus()
            let isUnread = terminal.hasUnreadInput
            terminal.finish(into: &shown)
            return Outcome(output: onScreen(shown), ending: ending, leftInputUnread: isUnread)
        }
    }

    private func readStatus() -> Ending {
        var line: [UInt8] = []
        while line.last != UInt8(ascii: "\n"), status.read(into: &line) {}
        if let number = Int32(String(decoding: line.dropLast(), as: UTF8.self)) {
            return .status(number)
        }
        isRunning = false
        return .shellEnded(exitStatus(of: process))
    }

    /// Kills the shell, and all processes that it left running.
    private func stop() {
        kill(-process, SIGKILL)
        if isRunning { _ = exitStatus(of: process) }
        isRunning = false
    }
}

/// Replaces each line feed with CR LF, like a terminal.
private func onScreen(_ output: [UInt8]) -> [UInt8] {
    output.replacing("\r\n".utf8, with: "\n".utf8)
}
