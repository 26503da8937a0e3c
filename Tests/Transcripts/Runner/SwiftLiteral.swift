import Foundation

/// A string literal of a source file, as a pattern for what it becomes.
struct SwiftLiteral {
    let file: String
    /// The text, each interpolation an ``interpolation``.
    let text: String

    /// Stands for what is put in.
    private static let interpolation: Character = "\u{FFFC}"

    /// Words of its own; words that are put in do not count.
    var wordCount: Int {
        text.split(separator: " ").count {
            $0.contains(where: \.isLetter) && !$0.contains(Self.interpolation)
        }
    }

    /// Whether what this becomes may stand in a line.
    func fits(in line: String) -> Bool {
        var rest = line[...]
        for piece in text.split(separator: Self.interpolation) {
            guard let found = rest.firstRange(of: piece) else { return false }
            rest = rest[found.upperBound...]
        }
        return true
    }

    /// The literals of a file on single lines, comments left out.
    static func all(in file: String) throws -> [SwiftLiteral] {
        let path = Project.folder.path + "/" + file
        return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").flatMap {
            line in
            var scanner = Scanner(rest: line[...])
            return scanner.literals().map { SwiftLiteral(file: file, text: $0) }
        }
    }

    private struct Scanner {
        var rest: Substring

        mutating func literals() -> [String] {
            var found: [String] = []
            while let character = rest.popFirst() {
                if character == "/", rest.hasPrefix("/") { break }
                if character == "\"" { found.append(literal()) }
            }
            return found
        }

        /// The rest of a literal whose first quotation mark was taken.
        private mutating func literal() -> String {
            var text = ""
            while let character = rest.popFirst(), character != "\"" {
                guard character == "\\", let escaped = rest.popFirst() else {
                    text.append(character)
                    continue
                }
                if escaped == "(" {
                    skipInterpolation()
                    text.append(SwiftLiteral.interpolation)
                } else {
                    text.append(escaped == "n" ? "\n" : escaped)
                }
            }
            return text
        }

        private mutating func skipInterpolation() {
            var depth = 1
            while depth > 0, let character = rest.popFirst() {
                switch character {
                case "(": depth += 1
                case ")": depth -= 1
                case "\"": _ = literal()
                default: break
                }
            }
        }
    }
}
