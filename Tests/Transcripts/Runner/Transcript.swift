import Foundation

/// A session with the shell as one sees it on a screen: commands, and what they show.
///
/// A file `Tests/Transcripts/NAME.transcript`, or the EXAMPLES of a page of the manual, is one
/// transcript. Its first characters say what a line is:
///
///     # a comment
///     #needs WORD ...  commands, or files (with a slash), without which it is not run
///     #all             takes minutes: run only by scripts/test --all
///     $ COMMAND        is given to one /bin/sh that lasts for the whole transcript, so that `cd`,
///                      variables and functions carry over; it has no terminal and no input
///     > MORE           directly below a command: its next line (a loop, a here-document)
///     $pty COMMAND     the same with a terminal of its own for input, output and /dev/tty
///     < TEXT           typed at that terminal, with Return at the end, as soon as all that stands
///                      above has been shown; `^D` and `^C` alone stand for these keys
///     ? N              the command's exit status, if not 0; `$ echo $?` as the next command serves
///                      as well
///     \TEXT            TEXT is shown, whatever it begins with
///     TEXT             is shown, by stdout or by stderr
///
/// What is shown must be equal to the byte, ``Placeholder``s aside, and end in a line feed, unless
/// its last line ends in `<no newline>`. Blank lines above a command or a comment are there for the
/// reader; an empty line that a command does show there is written as a lone `\`.
///
/// On a terminal, the line above a `<` line is a prompt (an empty one where nothing prompts): no line
/// feed follows it, and blanks at its end do not count. What shows behind the prompt is the rest of that line on the screen: the text
/// typed where it is echoed, an empty line where it is not. So this asserts that a password is not:
///
///     $pty smsenc-keyring unlock
///     Password:
///     < correct horse
///
///     unlocked
///
/// Each transcript has a new folder for itself, with HOME, the XDG folders and TMPDIR in it, the
/// tools first in PATH, the project's scripts last, LC_ALL=C.UTF-8 and TZ=UTC; PROJECT is the
/// project's folder.
struct Transcript {
    let name: String
    let file: String
    private(set) var steps: [Step] = []

    /// One command and what is expected of it.
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
        // `$ echo $?` shows the status of the command before it.
        for (index, next) in steps.enumerated().dropFirst() where next.command == "echo $?" {
            let shown = next.expectation.lines.first.flatMap { Int32($0) }
            steps[index - 1].status = shown ?? steps[index - 1].status
        }
    }

    /// What a transcript says of itself: the commands and files that it needs, and whether it takes minutes.
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

/// A line and its number in its file.
struct NumberedLine {
    let number: Int
    let text: String

    static func all(of text: String) -> [NumberedLine] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last == "" { lines.removeLast() }
        return lines.enumerated().map { NumberedLine(number: $0 + 1, text: String($1)) }
    }
}

/// Makes steps of lines, one after the other.
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
