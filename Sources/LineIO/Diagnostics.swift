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
    package func say(_ text: String, of number: Int, in file: String) {
        say("\(quoted(file)):\(number): \(text)")
    }

    /// Writes to stderr. What cannot be written there cannot be reported anywhere.
    static func write(_ line: String) {
        try? File.standardError().writeAll(Array(line.utf8).span)
    }
}
