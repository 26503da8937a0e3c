internal import System

/// One line each on stderr, beginning with the tool's name, written at once so that the lines of
/// several tools in a pipeline do not mix.
package struct Diagnostics: Sendable {
    package let tool: String

    package init(tool: String) { self.tool = tool }

    package func say(_ text: String) {
        Self.write("\(tool): \(text)\n")
    }

    /// Says something of one record of an input.
    ///
    /// - Parameter identifier: the first of the fields before the payload, where there are any: record
    ///   numbers are not those of the table once another filter has left records out. It is cut to
    ///   `longestIdentifier` characters.
    package func say(
        _ text: String, of number: Int64, _ identifier: [UInt8]? = nil, in file: String
    ) {
        let shown = identifier.map {
            let text = TerminalText.escaped(String(decoding: $0, as: UTF8.self))
            return " [\(text.prefix(Self.longestIdentifier))]"
        }
        say("\(quoted(file)):\(number)\(shown ?? ""): \(text)")
    }
    private static let longestIdentifier = 40

    /// Writes to stderr. What cannot be written there cannot be reported anywhere.
    static func write(_ line: String) {
        try? File.standardError().writeAll(line.utf8.span)
    }
}
