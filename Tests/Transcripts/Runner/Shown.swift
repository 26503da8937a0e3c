/// Converts output to a visible form.
enum Shown {
    static let noNewline = "<no newline>"

    /// Returns the lines with control characters and invalid UTF-8 written as `\xNN`.
    static func lines(of output: ArraySlice<UInt8>) -> [String] {
        var lines = output.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map(visible)
        if output.last == UInt8(ascii: "\n") || output.isEmpty {
            lines.removeLast()
        } else {
            lines[lines.count - 1] += noNewline
        }
        return lines
    }

    private static func visible(_ line: ArraySlice<UInt8>) -> String {
        String(validating: line, as: UTF8.self).map(escaped) ?? hexadecimal(line)
    }

    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            let isControl = scalar.value < 0x20 && scalar != "\t" || scalar.value == 0x7F
            return isControl ? "\\x" + hexadecimal(UInt8(scalar.value)) : String(scalar)
        }.joined()
    }

    private static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.map { byte in
            (0x20...0x7E).contains(byte)
                ? String(Unicode.Scalar(byte)) : "\\x" + hexadecimal(byte)
        }.joined()
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }
}
