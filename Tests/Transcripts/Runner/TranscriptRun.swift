import Support
import Testing

/// Runs a transcript, and reports differences between the actual and the expected output.
struct TranscriptRun {
    struct Failure: CustomStringConvertible {
        let line: Int
        let description: String
    }

    private(set) var failures: [Failure] = []

    init(_ transcript: Transcript, patience: Duration = .seconds(600)) throws {
        let shell = try Shell(tools: Tools.folder, patience: patience)
        for step in transcript.steps {
            guard shell.isRunning else {
                fail(step, of: transcript, "not run: the shell has ended")
                return
            }
            check(try shell.run(step), against: step, of: transcript)
        }
    }

    /// Records each failure as an issue at the line of the transcript in which it occurred.
    func record(for transcript: Transcript) {
        for failure in failures {
            Issue.record(
                Comment(rawValue: failure.description),
                sourceLocation: SourceLocation(
                    fileID: "Transcripts/" + transcript.name, filePath: transcript.file,
                    line: failure.line, column: 1))
        }
    }

    private mutating func check(
        _ outcome: Shell.Outcome, against step: Transcript.Step, of transcript: Transcript
    ) {
        var reasons: [String] = []
        switch outcome.ending {
        case .status(let status), .shellEnded(let status):
            if status != step.status {
                reasons.append("exit status \(status), expected \(step.status)")
            }
        case .stopped: reasons.append("stopped: the screen differs")
        case .timedOut: reasons.append("stopped: it took too long")
        }
        if outcome.leftInputUnread { reasons.append("what was typed was not read") }
        if !step.expectation.progress(of: outcome.output).isComplete {
            reasons.append("expected (-) and shown (+):")
            reasons.append(step.expectation.difference(from: outcome.output))
        } else if !reasons.isEmpty, !outcome.output.isEmpty {
            reasons += Shown.lines(of: outcome.output[...]).map { "    " + $0 }
        }
        if !reasons.isEmpty { fail(step, of: transcript, reasons.joined(separator: "\n")) }
    }

    private mutating func fail(
        _ step: Transcript.Step, of transcript: Transcript, _ reason: String
    ) {
        let command = "$ " + step.command.replacing("\n", with: "\n> ")
        failures.append(
            Failure(
                line: step.line,
                description: "\(transcript.file):\(step.line)\n\(command)\n\(reason)"))
    }
}
