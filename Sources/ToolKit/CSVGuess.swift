/// Recognises lines of a CSV file. Users sometimes save a spreadsheet as CSV instead of as a table with
/// TABs.
enum CSVGuess {
    /// Returns the separator of a line if the line looks like CSV, and otherwise returns nil. The line must
    /// not contain TABs.
    ///
    /// In an ordinary sentence, a space follows a comma or semicolon. In CSV, no space follows the separator,
    /// or a quotation mark directly precedes the separator. If a space and a telephone number follow a comma
    /// or semicolon, the line is also treated as CSV.
    ///
    /// - Parameter longest: number of characters up to which a line is never treated as CSV.
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

    /// Finds the first field to which a spreadsheet has added quotation marks. Returns the number of this
    /// field, beginning with 1, or nil if there is no such field. The fields are separated by TABs.
    ///
    /// Inside a field in quotation marks, a spreadsheet doubles each quotation mark. If a field in quotation
    /// marks contains a line break, its closing quotation mark is on another line. If only the first word of
    /// a field is in quotation marks, a spreadsheet has not added the quotation marks.
    ///
    /// - Parameter message: number of the field that contains a message, or nil. The sender of a message may
    ///   have written the quotation marks around it. Quotation marks around a message are therefore ignored
    ///   unless the message also contains a comma, a semicolon or another quotation mark, or the closing
    ///   quotation mark is missing.
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

    /// Returns advice on how to convert a table that has fields in quotation marks.
    static func advice(forQuotedField number: Int) -> String {
        "field \(number) is in quotation marks, as spreadsheets write it, so convert the table with mlr --icsv --ifs tab --otsv --ho cat"
    }

    /// Returns true if a diagnostic contains advice about the whole table.
    static func isAdvice(_ text: String) -> Bool {
        text == advice(for: comma) || text == advice(for: semicolon)
    }

    /// Returns advice on how to convert a CSV file with the given separator into a table with TABs.
    static func advice(for separator: UInt8) -> String {
        separator == comma
            ? "the table looks like CSV with commas, so convert it with mlr --icsv --otsv --ho cat"
            : "the table looks like CSV with semicolons, so convert it with mlr --icsv --ifs semicolon --otsv --ho cat"
    }

    private static let carriageReturn = UInt8(ascii: "\r")
    private static let comma = UInt8(ascii: ",")
    private static let semicolon = UInt8(ascii: ";")
    /// Minimum number of digits in a text that is treated as a telephone number.
    private static let fewestDigits = 5

    /// Returns true if a telephone number begins at an offset of a line.
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
