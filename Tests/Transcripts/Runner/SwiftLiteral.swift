import Foundation

/// A string literal in a source file, as a pattern for the texts it can produce.
struct SwiftLiteral {
    let file: String
    /// Text of the literal, with ``interpolation`` in place of each interpolation.
    let text: String

    private static let interpolation: Character = "\u{FFFC}"

    /// Number of words in the literal, not counting interpolated words.
    var wordCount: Int {
        text.split(separator: " ").count {
            $0.contains(where: \.isLetter) && !$0.contains(Self.interpolation)
        }
    }

    /// Returns true if this literal could have produced part of a line.
    func fits(in line: String) -> Bool {
        var rest = line[...]
        for piece in text.split(separator: Self.interpolation) {
            guard let found = rest.firstRange(of: piece) else { return false }
            rest = rest[found.upperBound...]
        }
        return true
    }

    /// Returns the single-line literals of a file, ignoring comments.
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

        /// Parses the rest of a literal after its opening quotation mark.
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
