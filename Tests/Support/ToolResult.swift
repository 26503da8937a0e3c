/// The output and exit status of a tool.
package struct ToolResult {
    /// Exit status, or 128 plus the number of the signal that terminated the tool.
    package let status: Int32
    package let output: [UInt8]
    package let errors: [UInt8]
    /// Peak resident memory in bytes, or nil if the system does not report it.
    package let peakMemory: Int?

    package var outputText: String { String(decoding: output, as: UTF8.self) }
    package var errorText: String { String(decoding: errors, as: UTF8.self) }
    /// Lines of stderr.
    package var errorLines: [ArraySlice<UInt8>] { errors.split(separator: UInt8(ascii: "\n")) }
}
