internal import System

/// Text that a terminal may be shown: what could drive the terminal, turn the reading order of a line,
/// or hide in it, appears as `\u{202E}` instead.
package enum TerminalText {
    /// True for characters that are escaped: control characters (tab and newline aside), separators of
    /// lines and paragraphs, formatting characters, such as those of UAX #9 that turn the reading order,
    /// and all others that show nothing (Unicode's Default_Ignorable_Code_Point).
    ///
    /// Not the two joiners, without which Persian, Hindi and many emoji are misspelt, nor the two
    /// selectors that make a character an emoji or none. The tags that the flags of three countries are
    /// spelt with are escaped: any text can be hidden in them.
    static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x20..<0x7F: return false
        case 0x200C, 0x200D, 0xFE0E, 0xFE0F: return false
        default:
            return switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: true
            default: scalar.properties.isDefaultIgnorableCodePoint
            }
        }
    }

    /// A name or text within one line of a diagnostic: tab and newline are escaped as well.
    package static func escaped(_ text: String) -> String {
        escaped(text) { isEscaped($0) || $0 == "\n" || $0 == "\t" }
    }

    /// Output as a terminal is shown it; bytes that are not UTF-8 appear as U+FFFD, and NUL, which ends
    /// records and stands in none, ends a line.
    static func escaped(_ bytes: Span<UInt8>) -> [UInt8] {
        let text = unsafe bytes.withUnsafeBufferPointer {
            unsafe String(decoding: $0, as: UTF8.self)
        }
        let lines = escaped(text) { isEscaped($0) && $0 != "\0" }
        return lines.utf8.map { $0 == 0 ? UInt8(ascii: "\n") : $0 }
    }

    private static func escaped(
        _ text: String, where isEscaped: (Unicode.Scalar) -> Bool
    ) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if isEscaped(scalar) {
                result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

/// A name in a diagnostic: control and formatting characters escaped; in quotation marks where it is
/// empty, or begins or ends with a blank.
package func quoted(_ name: String) -> String {
    let shown = TerminalText.escaped(name)
    let isBlank = { (end: Unicode.Scalar?) in end?.properties.isWhitespace ?? true }
    let isOpen = isBlank(shown.unicodeScalars.first) || isBlank(shown.unicodeScalars.last)
    return isOpen ? "\"\(shown)\"" : shown
}
