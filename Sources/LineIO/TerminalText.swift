internal import System

/// Text that a terminal may be shown: what could drive the terminal, or turn the reading order of a
/// line, appears as `\u{202E}` instead.
package enum TerminalText {
    /// True for characters that are escaped: C0 and C1 controls (tab and newline aside), DEL, and
    /// the bidirectional formatting characters of UAX #9.
    static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: false
        case 0x00...0x1F, 0x7F...0x9F: true
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// A name or text within one line of a diagnostic: tab and newline are escaped as well.
    package static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if isEscaped(scalar) || scalar == "\n" || scalar == "\t" {
                result += escape(scalar.value)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Output as a terminal is shown it; bytes that are not UTF-8 appear as U+FFFD, NUL as an escape.
    static func escaped(_ bytes: Span<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for scalar in String(decoding: Array(copying: bytes), as: UTF8.self).unicodeScalars {
            if isEscaped(scalar) {
                result.append(contentsOf: escape(scalar.value).utf8)
            } else {
                result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
        return result
    }

    private static func escape(_ value: UInt32) -> String {
        "\\u{" + String(value, radix: 16, uppercase: true) + "}"
    }
}

/// A name in a diagnostic: control and bidirectional formatting characters escaped.
package func quoted(_ name: String) -> String {
    TerminalText.escaped(name)
}
