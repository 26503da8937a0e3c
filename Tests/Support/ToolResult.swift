/// The output and exit status of a tool.
package struct ToolResult {
    /// The exit status, or 128 plus the number of the signal that ended the tool.
    package let status: Int32
    package let output: [UInt8]
    package let errors: [UInt8]
    /// The peak resident memory in bytes, or nil if the system does not report it.
    package let peakMemory: Int?

    package var outputText: String { String(decoding: output, as: UTF8.self) }
    package var errorText: String { String(decoding: errors, as: UTF8.self) }
    /// The lines of stderr.
    package var errorLines: [ArraySlice<UInt8>] { errors.split(separator: UInt8(ascii: "\n")) }
}
