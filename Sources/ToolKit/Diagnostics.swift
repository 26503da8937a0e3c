internal import System

/// Prints diagnostics on stderr. Each diagnostic is one line that begins with the tool's name.
///
/// Each line is written with a single call of write(2), because lines from several tools in a pipeline could
/// otherwise be mixed.
package struct Diagnostics: Sendable {
    package let tool: String

    package init(tool: String) { self.tool = tool }

    package func say(_ text: String) {
        Self.write("\(tool): \(text)\n")
    }

    /// Prints a diagnostic about one record of an input.
    ///
    /// - Parameter identifier: the first field of the record, or nil if the payload is the first field. At
    ///   most `longestIdentifier` characters of the first field are printed. If another filter has removed
    ///   records, the record number differs from the line number in the user's file. The user can still find
    ///   the record in the file by its first field.
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

    /// Writes a line to stderr. Errors are ignored, because there is no other place to report them.
    static func write(_ line: String) {
        try? File.standardError().writeAll(line.utf8.span)
    }
}
