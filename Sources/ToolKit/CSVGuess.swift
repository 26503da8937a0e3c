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

    /// Returns the number of the first field (from 1) to which a spreadsheet has added quotation marks, or
    /// nil if there is none. The fields are separated by TABs.
    ///
    /// A spreadsheet doubles each quotation mark inside such a field. If the field contains a line break, its
    /// closing mark is on another line. A text that only begins with a quoted word is not such a field.
    ///
    /// - Parameter message: number of a field with a message, which people may write in quotation marks
    ///   themselves. Its marks count only if it also contains a comma, a semicolon or a quotation mark, or if
    ///   it has no closing mark.
    static func quotedField(in fields: Span<UInt8>, message: Int?) -> Int? {
        let quote = UInt8(ascii: "\"")
        var (number, start) = (1, 0)
        while start < fields.count {
            var end = start
            while end < fields.count, fields[end] != UInt8(ascii: "\t") { end += 1 }
            if fields[start] == quote {
                var last = end
                if last > start, fields[last - 1] == carriageReturn { last -= 1 }
                var (marks, index, isDoubled, hasCause) = (0, start + 1, true, number != message)
                while index < last {
                    if fields[index] == quote {
                        let isPair = index + 1 < last && fields[index + 1] == quote
                        if !isPair, index + 1 < last { isDoubled = false }
                        marks += isPair ? 2 : 1
                        hasCause = hasCause || isPair
                        index += isPair ? 1 : 0
                    }
                    hasCause = hasCause || [comma, semicolon].contains(fields[index])
                    index += 1
                }
                let isOpen = marks.isMultiple(of: 2)
                if isOpen || isDoubled && hasCause && fields[last - 1] == quote { return number }
            }
            (number, start) = (number + 1, end + 1)
        }
        return nil
    }

    /// Returns advice on how to convert a table whose fields are in quotation marks.
    static func advice(forQuotedField number: Int) -> String {
        "field \(number) is in quotation marks, as spreadsheets write it, so convert the table with mlr --icsv --ifs tab --otsv --ho cat"
    }

    /// True if a diagnostic is advice about the whole table.
    static func isAdvice(_ text: String) -> Bool {
        text == advice(for: comma) || text == advice(for: semicolon)
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
