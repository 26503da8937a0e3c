import Foundation

/// A shell session as it appears on the screen: commands and their output.
///
/// A transcript is a file `Tests/Transcripts/NAME.transcript`, or the EXAMPLES of a manual page. The first
/// characters of a line determine its meaning:
///
///     # a comment
///     #needs WORD ...  commands, or files (with a slash), without which the transcript is skipped
///     #all             takes minutes and runs only under scripts/test --all
///     $ COMMAND        a command for one /bin/sh that lasts for the whole transcript, so that `cd`,
///                      variables and functions persist. It has no terminal and no input
///     > MORE           directly below a command: its next line (a loop, a here-document)
///     $pty COMMAND     a command with a terminal for input, output and /dev/tty
///     < TEXT           types TEXT and Return at that terminal as soon as everything above has been
///                      shown. `^D` and `^C` alone stand for these keys
///     ? N              the command's exit status if it is not 0. `$ echo $?` as the next command works
///                      as well
///     \TEXT            expects TEXT, even if it begins like one of these lines
///     TEXT             expects TEXT on stdout or stderr
///
/// The output must be exactly equal to the expected output, except for ``Placeholder``s. It must end with
/// a line feed, unless the last expected line ends in `<no newline>`. Blank lines above a command or a
/// comment are ignored. To expect an empty line there, write a single `\`.
///
/// On a terminal, the line above a `<` line is a prompt (an empty line if there is no prompt). No line
/// feed follows it, and spaces at its end are ignored. The line after the `<` line is the rest of the line
/// on the screen, which is the typed text if it is echoed, and otherwise an empty line. The following
/// transcript therefore requires that a password is not echoed:
///
///     $pty smsenc-keyring unlock
///     Password:
///     < correct horse
///
///     unlocked
///
/// Each transcript runs in a new folder, which contains HOME, the XDG folders and TMPDIR. PATH begins with
/// the tools and ends with the project's scripts. LC_ALL is C.UTF-8, TZ is UTC, and PROJECT is the
/// project's folder.
struct Transcript {
    let name: String
    let file: String
    private(set) var steps: [Step] = []

    /// A command and its expected output.
    struct Step {
        let line: Int
        var command: String
        let hasTerminal: Bool
        var status: Int32 = 0
        var expectation = Expectation()
    }

    struct SyntaxError: Error, CustomStringConvertible {
        let file: String
        let line: Int
        let reason: String
        var description: String { "\(file):\(line): \(reason)" }
    }

    init(name: String, file: String, blocks: [[NumberedLine]]) throws {
        (self.name, self.file) = (name, file)
        for block in blocks {
            var reader = BlockReader(file: file)
            for line in block { try reader.take(line) }
            steps += reader.finish()
        }
        // `$ echo $?` shows the exit status of the previous command.
        for (index, next) in steps.enumerated().dropFirst() where next.command == "echo $?" {
            let shown = next.expectation.lines.first.flatMap { Int32($0) }
            steps[index - 1].status = shown ?? steps[index - 1].status
        }
    }

    /// Returns the requirements stated in a transcript, which are commands and files, and whether the
    /// transcript takes minutes.
    static func header(of url: URL) -> (needs: [String], isOnlyInWholeRun: Bool) {
        let lines = ((try? String(contentsOf: url, encoding: .utf8)) ?? "").split(separator: "\n")
        let needs = lines.filter { $0.hasPrefix("#needs ") }
            .flatMap { $0.split(separator: " ").dropFirst().map(String.init) }
        return (needs, lines.contains("#all"))
    }

    init(contentsOf url: URL) throws {
        let text = try String(contentsOf: url, encoding: .utf8)
        try self.init(
            name: url.lastPathComponent, file: url.path, blocks: [NumberedLine.all(of: text)])
    }
}

/// A line and its number in the file.
struct NumberedLine {
    let number: Int
    let text: String

    static func all(of text: String) -> [NumberedLine] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last == "" { lines.removeLast() }
        return lines.enumerated().map { NumberedLine(number: $0 + 1, text: String($1)) }
    }
}

/// Parses the lines into steps.
private struct BlockReader {
    let file: String
    private var steps: [Transcript.Step] = []
    private var blankLines = 0
    private var canContinue = false

    init(file: String) { self.file = file }

    mutating func take(_ line: NumberedLine) throws {
        let text = line.text
        let continues = canContinue
        canContinue = false
        if text.hasPrefix("#") {
            blankLines = 0
        } else if text.hasPrefix("$ ") || text.hasPrefix("$pty ") {
            blankLines = 0
            let command = text.drop { $0 != " " }.dropFirst()
            steps.append(
                Transcript.Step(
                    line: line.number, command: String(command), hasTerminal: text.hasPrefix("$p")))
            canContinue = true
        } else if text.isEmpty {
            blankLines += 1
        } else if steps.isEmpty {
            throw Transcript.SyntaxError(
                file: file, line: line.number, reason: "expected a command: `$ COMMAND`")
        } else if continues, text == ">" || text.hasPrefix("> ") {
            steps[steps.count - 1].command += "\n" + text.dropFirst(2)
            canContinue = true
        } else if text.hasPrefix("? "), let status = Int32(text.dropFirst(2)) {
            steps[steps.count - 1].status = status
        } else {
            let isTyped = text.hasPrefix("< ") && steps[steps.count - 1].hasTerminal
            for _ in 0..<blankLines { steps[steps.count - 1].expectation.show("") }
            blankLines = 0
            if isTyped {
                steps[steps.count - 1].expectation.type(String(text.dropFirst(2)))
            } else {
                let shown = text.hasPrefix("\\") ? String(text.dropFirst()) : text
                steps[steps.count - 1].expectation.show(shown)
            }
        }
    }

    mutating func finish() -> [Transcript.Step] { steps }
}
