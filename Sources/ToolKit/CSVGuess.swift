/// Recognises lines of a spreadsheet that was saved as CSV instead of as a table with TABs.
enum CSVGuess {
    /// Returns the separator of a line that looks like CSV and contains no TABs. Returns nil for all other
    /// lines.
    ///
    /// In an ordinary sentence, a comma or semicolon is followed by a space. In CSV, the separator is
    /// followed by the next cell, by a quotation mark, or by nothing. If the separator is followed by a
    /// space and a telephone number, the line is also treated as CSV.
    ///
    /// - Parameter longest: length in characters up to which a line is never treated as CSV.
    static func separator(in line: Span<UInt8>, over longest: Int) -> UInt8? {
        let quote = UInt8(ascii: "\"")
        var characters = 0
        for index in line.indices where line[index] & 0xC0 != 0x80 && line[index] != carriageReturn
        {
            characters += 1
        }
        guard characters > longest else { return nil }
        var first: UInt8?
        for index in line.indices where line[index] == comma || line[index] == semicolon {
            first = first ?? line[index]
            let isAtEnd = index + 1 == line.count
            let next = isAtEnd ? comma : line[index + 1]
            let isAfterQuote = index > 0 && line[index - 1] == quote
            if isAfterQuote || next != UInt8(ascii: " ") || isNumber(line, from: index + 2) {
                return first
            }
        }
        return nil
    }

    /// Returns advice on how to convert a file with this separator into a table with TABs.
    static func advice(for separator: UInt8) -> String {
        separator == comma
            ? "the table looks like CSV with commas, so convert it with mlr --icsv --otsv --ho cat"
            : "the table looks like CSV with semicolons, so convert it with mlr --icsv --ifs semicolon --otsv --ho cat"
    }

    private static let carriageReturn = UInt8(ascii: "\r")
    private static let comma = UInt8(ascii: ",")
    private static let semicolon = UInt8(ascii: ";")
    /// Minimum number of digits of a telephone number.
    private static let fewestDigits = 5

    /// Returns true if the rest of the line begins with a telephone number.
    private static func isNumber(_ line: Span<UInt8>, from start: Int) -> Bool {
        var digits = 0
        for index in start..<max(start, line.count) {
            switch line[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
            case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "("),
                UInt8(ascii: ")"), UInt8(ascii: "/"), UInt8(ascii: "\""):
                continue
            default: return digits >= fewestDigits
            }
        }
        return digits >= fewestDigits
    }
}
