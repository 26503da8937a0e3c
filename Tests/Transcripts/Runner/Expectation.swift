/// The expected output of a command, and the text that is typed in between, in order.
struct Expectation {
    private enum Event {
        case shows(LinePattern)
        case types(String)

        var isTyped: Bool { if case .types = self { true } else { false } }
    }

    private var events: [Event] = []

    mutating func show(_ line: String) { events.append(.shows(LinePattern(line))) }
    mutating func type(_ text: String) { events.append(.types(text)) }

    /// Expected lines, as written in the transcript.
    var lines: [String] {
        events.compactMap { if case .shows(let line) = $0 { line.source } else { nil } }
    }

    var typedCount: Int { events.count { $0.isTyped } }

    /// How far a complete or incomplete output agrees with an expectation.
    struct Progress {
        /// Lines that should have been typed so far.
        var typed: [String] = []
        /// Number of lines before the first difference.
        var linesMatched = 0
        /// Number of bytes of output in these lines.
        var bytesMatched = 0
        /// True if the output is complete and equal to the expectation.
        var isComplete = false
        /// True if no further output can make the output agree with the expectation.
        var isWrong = false
    }

    func progress(of output: [UInt8]) -> Progress {
        var progress = Progress()
        for (index, event) in events.enumerated() {
            switch event {
            case .types(let text):
                progress.typed.append(text)
            case .shows(let line):
                let isPrompt = index + 1 < events.count && events[index + 1].isTyped
                let rest = output[progress.bytesMatched...]
                guard let end = line.end(in: rest, isPrompt: isPrompt) else {
                    progress.isWrong = rest.contains(UInt8(ascii: "\n"))
                    return progress
                }
                progress.bytesMatched = end
                progress.linesMatched += 1
            }
        }
        progress.isComplete = progress.bytesMatched == output.count
        progress.isWrong = !progress.isComplete
        return progress
    }

    /// Returns both texts, beginning with the first difference. Expected lines begin with `-`, and lines
    /// of the output begin with `+`.
    func difference(from output: [UInt8]) -> String {
        let progress = progress(of: output)
        let shown = Shown.lines(of: output[progress.bytesMatched...])
        let context = lines.prefix(progress.linesMatched).suffix(3).map { "    " + $0 }
        let missing = lines.dropFirst(progress.linesMatched).map { "  - " + $0 }
        return (context + missing + shown.map { "  + " + $0 }).joined(separator: "\n")
    }
}
