/// The meaning of a text as a telephone number. The meaning determines the form in which the number is
/// stored.
///
/// A number is stored only if it has a single meaning, because an SMS to a number with several meanings
/// could reach the wrong subscriber. For example, a number is ambiguous if its first digits can be a
/// prefix, but also a calling code without `+`.
package enum PhoneNumber: Equatable, Sendable {
    /// An international number, such as +27821234567, or a short code of up to 6 digits, such as 40404.
    case complete(String)
    /// A number of 7 or more digits whose calling code cannot be determined. A number without a calling
    /// code is stored as digits.
    case national(String)
    /// A number whose meaning is unclear and which is therefore not stored. The associated value contains
    /// the possible meanings. The user can enter one of the possible meanings instead of the unclear
    /// number.
    case unclear([String])
    /// The text is not a telephone number.
    case invalid

    /// Determines the meaning of a text. Except in `(0)`, spaces and punctuation matter only if the number
    /// can begin with a calling code without `+`, but can also have another meaning. In such a number, the
    /// calling code is considered only if a group of digits ends after it, or if all digits form a single
    /// group.
    ///
    /// - Parameter country: a calling code, or empty.
    package init(_ text: String, country: String) {
        self = NumberReader(text)?.meaning(in: NumberingPlan.plan(ofCode: country)) ?? .invalid
    }

    /// The form in which the number is stored, or nil if it is not stored.
    package var stored: String? {
        switch self {
        case .complete(let number), .national(let number): number
        case .unclear, .invalid: nil
        }
    }

    /// The numbers that may be meant.
    var numbers: [String] {
        switch self {
        case .complete(let number): [number]
        case .unclear(let numbers): numbers
        case .national, .invalid: []
        }
    }

    /// Returns the forms in which the keyring may contain the number `text`. If the text has a single
    /// meaning, the array contains only one form. If the text has several meanings, the array can also
    /// contain the digits with `+` before them, because some gateways omit the `+`.
    package static func lookUps(_ text: String, country: String) -> [String] {
        guard let reader = NumberReader(text) else { return [] }
        return reader.lookUps(in: NumberingPlan.plan(ofCode: country))
    }

    /// Returns true if a number has the form of a stored number. A stored number has at most 18 digits,
    /// and begins with `+` if it is international.
    package static func isStoredForm(_ number: String) -> Bool {
        let digits = number.utf8.drop { $0 == UInt8(ascii: "+") }
        return number.utf8.count - digits.count <= 1 && NumberReader.lengths.contains(digits.count)
            && digits.allSatisfy(NumberReader.isDigit)
    }

    /// Returns true if a stored number has 7 or more digits and no calling code.
    package static func isNational(_ number: String) -> Bool {
        !number.hasPrefix("+") && number.utf8.count > NumberReader.longestShortCode
    }

    /// Returns true if there is a country with the calling code.
    package static func isCallingCode(_ code: String) -> Bool {
        NumberingPlan.plan(ofCode: code) != nil
    }
}
