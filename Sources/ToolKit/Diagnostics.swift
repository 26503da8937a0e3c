internal import System

/// Prints diagnostics on stderr, one per line, beginning with the tool's name.
///
/// Each line is written with a single call. Otherwise, the lines of several tools in a pipeline could be
/// mixed.
package struct Diagnostics: Sendable {
    package let tool: String

    package init(tool: String) { self.tool = tool }

    package func say(_ text: String) {
        Self.write("\(tool): \(text)\n")
    }

    /// Prints a diagnostic about one record of an input.
    ///
    /// - Parameter identifier: the first field of the record, or nil if the payload is the first field. If
    ///   another filter has removed records, the record number differs from the line number, but the user can
    ///   still find the record by this field. At most `longestIdentifier` characters are printed.
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

    /// Writes a line to stderr. Errors are ignored, because they could not be reported anywhere else.
    static func write(_ line: String) {
        try? File.standardError().writeAll(line.utf8.span)
    }
}
