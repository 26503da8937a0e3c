/// Normalises telephone numbers, so that a contact is found by every spelling of its number.
///
/// A number with `+` or `00` and a calling code is international: `+27821234567`. Spaces and punctuation are
/// ignored. If a country is set, a number that begins with the trunk prefix `0` belongs to that country. All
/// other numbers remain unchanged, for example 40404, the number of a service.
enum PhoneNumber {
    /// Permitted number of digits. ITU-T E.164 allows at most 15 digits, and a prefix can add up to three
    /// digits.
    private static let lengths = 2...18

    /// Returns the normal spelling of a number, which consists of digits, preceded by `+` if the number is
    /// international. Returns nil if the text is not a number.
    ///
    /// - Parameter country: a calling code, or empty.
    static func normal(_ text: String, country: String) -> String? {
        var digits = ""
        var isInternational = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "0"..."9": digits.unicodeScalars.append(scalar)
            case "+":
                guard digits.isEmpty, !isInternational else { return nil }
                isInternational = true
            case " ", "-", ".", "(", ")", "/", "\u{A0}", "\u{202F}", "\u{2010}"..."\u{2013}":
                continue
            default: return nil
            }
        }
        if !isInternational, digits.hasPrefix("00") {
            isInternational = true
            digits.removeFirst(2)
        } else if !isInternational, !country.isEmpty, digits.hasPrefix("0") {
            isInternational = true
            digits = country + digits.dropFirst()
        }
        guard lengths.contains(digits.count) else { return nil }
        return isInternational ? "+" + digits : digits
    }

    /// Returns the normal spellings to look up, in this order: the number, then the number with `+` if it has
    /// none, because gateways omit the `+`. Returns an empty array if the text is not a number.
    static func readings(_ text: String, country: String) -> [String] {
        guard let number = normal(text, country: country) else { return [] }
        return number.hasPrefix("+") ? [number] : [number, "+" + number]
    }
}
