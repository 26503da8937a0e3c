import Foundation

/// A manual page, read from its mdoc source, because rendering would lose its tabs.
struct ManualPage {
    static let names = [
        "gsm7-check.1", "smsenc-frame.1", "smsenc-pad.1", "smsenc-keyring.1", "smsenc.7",
        "smsenc-keyring.5", "smsenc.1", "smsenc-slips.1", "smsenc-compose.1", "smsenc-send.1",
        "smsenc-receive.1", "smsenc-inbox.1", "smsenc-route.1", "smsenc-file.1", "smsenc-open.1",
        "smsenc-protocol.7",
        "smsenc-languages.7",
    ]

    static let missing = names.filter { !exists($0) }

    static func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: Project.folder.path + "/man/" + name)
    }

    let name: String
    let file: String
    private let lines: [NumberedLine]

    init(_ name: String) throws {
        self.name = name
        file = Project.folder.appendingPathComponent("man/" + name).path
        lines = NumberedLine.all(of: try String(contentsOfFile: file, encoding: .utf8))
    }

    /// Returns the literal blocks of the page that contain commands, joined to one transcript.
    func examples() throws -> Transcript {
        var blocks: [[NumberedLine]] = []
        var block: [NumberedLine]?
        for line in lines where !line.text.hasPrefix(#".\""#) {
            if line.text.hasPrefix(".Bd -literal") {
                block = []
            } else if line.text == ".Ed" {
                if let block, block.contains(where: \.isCommand) { blocks.append(block) }
                block = nil
            } else if block != nil {
                block?.append(NumberedLine(number: line.number, text: try unescaped(line)))
            }
        }
        return try Transcript(name: name, file: file, blocks: blocks)
    }

    /// Programs that the page describes.
    var names: [String] {
        section("NAME").filter { $0.text.hasPrefix(".Nm ") }.compactMap {
            $0.text.split(separator: " ").dropFirst().first.map(String.init)
        }
    }

    /// Returns the options in the heads of list items, such as `-x` or `--word`. Only heads that begin
    /// with `start` are examined.
    func options(inItems start: String = "") -> Set<String> {
        Set(lines.filter { $0.text.hasPrefix(".It " + start) }.flatMap { Self.flags(in: $0.text) })
    }

    /// Options in the SYNOPSIS.
    var synopsisOptions: Set<String> {
        Set(section("SYNOPSIS").flatMap { Self.flags(in: $0.text) })
    }

    /// Commands in the heads of list items.
    var commands: Set<String> {
        Set(
            lines.compactMap { $0.text.firstMatch(of: #/^\.It Ic ([a-z-]+)/#).map { String($0.1) } }
        )
    }

    /// Returns the diagnostics in the heads of list items in DIAGNOSTICS.
    func diagnostics() throws -> [String] {
        try section("DIAGNOSTICS").filter { $0.text.hasPrefix(".It ") }.map {
            String(try unescaped(NumberedLine(number: $0.number, text: "x" + $0.text)).dropFirst(5))
        }
    }

    /// Numbers in the heads of list items in EXIT STATUS.
    var exitStatuses: [Int] {
        section("EXIT STATUS").filter { $0.text.hasPrefix(".It ") }.flatMap { line in
            line.text.split { !$0.isNumber }.compactMap { Int($0) }
        }
    }

    /// Titles of all sections and subsections.
    var titles: [String] {
        lines.compactMap { (line) -> String? in
            guard line.text.hasPrefix(".Sh ") || line.text.hasPrefix(".Ss ") else { return nil }
            return String(line.text.dropFirst(4)).replacing("\"", with: "")
        }
    }

    private func section(_ name: String) -> [NumberedLine] {
        let start = lines.firstIndex { $0.text == ".Sh " + name }
        guard let start else { return [] }
        return Array(lines[(start + 1)...].prefix { !$0.text.hasPrefix(".Sh ") })
    }

    /// Returns the options in a line. `Fl d` is -d, `Fl dz` is -d and -z, and `Fl -far` is --far.
    private static func flags(in line: String) -> [String] {
        let words = line.split(separator: " ")
        return zip(words, words.dropFirst()).flatMap { macro, word -> [String] in
            guard macro.hasSuffix("Fl") else { return [] }
            let name = word.replacing("\\-", with: "-").prefix { $0 == "-" || $0.isLetter }
            return name.hasPrefix("-") ? ["-" + name] : name.map { "-\($0)" }
        }
    }

    /// Returns a line of a literal block as it is printed.
    private func unescaped(_ line: NumberedLine) throws -> String {
        guard !line.text.hasPrefix("."), !line.text.hasPrefix("'") else {
            throw Transcript.SyntaxError(
                file: file, line: line.number, reason: "a macro in an example cannot be run")
        }
        var result = ""
        var rest = line.text[...]
        while let backslash = rest.firstIndex(of: "\\") {
            result += rest[..<backslash]
            rest = rest[rest.index(after: backslash)...]
            let escape = Self.escapes.first { rest.hasPrefix($0.key) }
            guard let escape else {
                throw Transcript.SyntaxError(
                    file: file, line: line.number, reason: "unknown escape: \\\(rest.prefix(4))")
            }
            result += escape.value
            rest = rest.dropFirst(escape.key.count)
        }
        return result + rest
    }

    private static let escapes = [
        "e": "\\", "(rs": "\\", "-": "-", "&": "", " ": " ", "(dq": "\"", "(aq": "'", "(ga": "`",
        "(ti": "~", "(ha": "^", "(at": "@", "(Do": "$", "(lq": "“", "(rq": "”", "(oq": "‘",
        "(cq": "’", "(en": "–", "(em": "—", "(Eu": "€", "(<=": "≤", "(>=": "≥", "(bu": "•",
    ]
}

extension NumberedLine {
    fileprivate var isCommand: Bool { text.hasPrefix("$ ") || text.hasPrefix("$pty ") }
}
