extension Unicode.Scalar {
    /// Code point and Unicode name for diagnostics, such as `U+201C left double quotation mark`. If
    /// Unicode has corrected the name, the corrected name is used.
    package var codePointAndName: String {
        let name = controlName ?? properties.nameAlias ?? properties.name
        let number = "U+" + hexadecimal(value, digits: 4)
        return name.map { number + " " + $0.lowercased() } ?? number
    }

    /// Name of a control character (U+0000 to U+001F, U+007F to U+009F). Nil for the control characters
    /// U+0080, U+0081, U+0084 and U+0099, which have no name. Nil for all other characters.
    private var controlName: String? {
        switch value {
        case 0x00...0x1F: Self.c0[Int(value)]
        case 0x7F: "delete"
        case 0x80...0x9F: Self.c1[Int(value) - 0x80]
        default: nil
        }
    }

    // These names are the aliases with the type "control" in NameAliases.txt (Unicode 15). The standard
    // library does not provide them.
    private static let c0 = [
        "null", "start of heading", "start of text", "end of text", "end of transmission",
        "enquiry",
        "acknowledge", "alert", "backspace", "character tabulation", "line feed",
        "line tabulation", "form feed", "carriage return", "shift out", "shift in",
        "data link escape", "device control one", "device control two", "device control three",
        "device control four", "negative acknowledge", "synchronous idle",
        "end of transmission block", "cancel", "end of medium", "substitute", "escape",
        "information separator four", "information separator three", "information separator two",
        "information separator one",
    ]

    private static let c1: [String?] = [
        nil, nil, "break permitted here", "no break here", nil, "next line",
        "start of selected area", "end of selected area", "character tabulation set",
        "character tabulation with justification", "line tabulation set", "partial line forward",
        "partial line backward", "reverse line feed", "single shift two", "single shift three",
        "device control string", "private use one", "private use two", "set transmit state",
        "cancel character", "message waiting", "start of guarded area", "end of guarded area",
        "start of string", nil, "single character introducer", "control sequence introducer",
        "string terminator", "operating system command", "privacy message",
        "application program command",
    ]
}

/// Formats a number in hexadecimal with leading zeros.
func hexadecimal(_ value: UInt32, digits: Int) -> String {
    let text = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
}
