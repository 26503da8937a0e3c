internal import System

/// Escapes text for a terminal.
///
/// A character is escaped if it could control the terminal, if it could change the reading order of a
/// line, or if it is invisible. An escaped character is printed in the form `\u{202E}`.
package enum TerminalText {
    /// Returns true for characters that must be escaped.
    ///
    /// Control characters (except tab and newline), line and paragraph separators, and formatting characters
    /// are escaped. Some formatting characters change the reading order (UAX #9). All other invisible
    /// characters (Unicode's Default_Ignorable_Code_Point) are also escaped.
    ///
    /// There are two exceptions. The zero-width joiner and non-joiner are not escaped, because Persian, Hindi
    /// and many emoji need them. The variation selectors U+FE0E and U+FE0F, which choose between text and
    /// emoji, are not escaped either. Tag characters are escaped, because any text can be hidden in them. The
    /// flags of England, Scotland and Wales, which consist of tag characters, are therefore not shown.
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

    /// Escapes a name or text, including tabs and newlines, so that it can be printed within one line.
    package static func escaped(_ text: String) -> String {
        escaped(text) { isEscaped($0) || $0 == "\n" || $0 == "\t" }
    }

    /// Escapes output for a terminal. Bytes that are not UTF-8 are replaced with U+FFFD. NUL, which ends a
    /// record, is replaced with a newline.
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
        // Most texts consist of printable ASCII characters, which are never escaped.
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
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

/// Returns a name as it is shown in a diagnostic. If the name is empty, or begins or ends with a blank, it
/// is enclosed in quotation marks.
package func quoted(_ name: String) -> String {
    let shown = TerminalText.escaped(name)
    let isBlank = { (end: Unicode.Scalar?) in end?.properties.isWhitespace ?? true }
    let isOpen = isBlank(shown.unicodeScalars.first) || isBlank(shown.unicodeScalars.last)
    return isOpen ? "\"\(shown)\"" : shown
}
