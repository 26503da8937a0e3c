/// What a tool did.
package struct ToolResult {
    /// The exit status, or 128 and the signal that ended it.
    package let status: Int32
    package let output: [UInt8]
    package let errors: [UInt8]
    /// The most resident memory that was seen, in bytes; nil where the system does not say.
    package let peakMemory: Int?

    package var outputText: String { String(decoding: output, as: UTF8.self) }
    package var errorText: String { String(decoding: errors, as: UTF8.self) }
    /// The lines on stderr.
    package var complaints: [ArraySlice<UInt8>] { errors.split(separator: UInt8(ascii: "\n")) }
}
