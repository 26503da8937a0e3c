/// Telephone numbers in one spelling, so that a contact is found by any.
///
/// `+` or `00` and a calling code make a number international: `+27821234567`. Spaces and
/// punctuation are ignored. With a country, a number that begins with the trunk prefix `0` is of
/// that country; any other stays as it is (a service number such as 40404, or one of another
/// network).
enum PhoneNumber {
    /// Digits in a number: the longest of ITU-T E.164, and three more for what is dialled before it.
    private static let lengths = 2...18

    /// - Parameter country: a calling code, or empty.
    /// - Returns: digits, with `+` in front of an international number; nil where the text is none.
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

    /// What a number may mean, in the order in which to look for it: itself, and, where it has no `+`,
    /// itself with one, which gateways leave out. None where the text is no number.
    static func readings(_ text: String, country: String) -> [String] {
        guard let number = normal(text, country: country) else { return [] }
        return number.hasPrefix("+") ? [number] : [number, "+" + number]
    }
}
