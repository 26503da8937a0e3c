internal import System

/// Prints diagnostics on stderr, one line each, beginning with the tool's name.
///
/// Each line is written with one call, so that lines of the tools of a pipeline do not mix.
package struct Diagnostics: Sendable {
    package let tool: String

    package init(tool: String) { self.tool = tool }

    package func say(_ text: String) {
        Self.write("\(tool): \(text)\n")
    }

    /// Prints a diagnostic about one record of an input.
    ///
    /// - Parameter identifier: the first field of the record, if there are fields before the payload. It
    ///   helps to find the record, because the record number is not the line number of the original table if
    ///   another filter has removed records. Shortened to `longestIdentifier` characters.
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

    /// Writes to stderr. Errors are ignored, because they could not be reported anywhere.
    static func write(_ line: String) {
        try? File.standardError().writeAll(line.utf8.span)
    }
}
