/// Faults and characters in words: the one place where they are rendered.
extension TextFault {
    /// What is wrong, for the middle of a diagnostic.
    package var reason: String {
        switch self {
        case .notGSM(let scalar, let column):
            "column \(column): \(scalar.inWords) is not a GSM character"
        case .notBasic(let scalar, let column):
            "column \(column): \(scalar.inWords) is not in the basic GSM alphabet"
        case .control(let scalar, let column):
            "column \(column): \(scalar.inWords) is a control character"
        case .malformed(let byte, let column):
            "column \(column): byte 0x\(hexadecimal(UInt32(byte), digits: 2)) is not UTF-8"
        case .marks(let column):
            "column \(column): more than \(NormalText.longestMarks) combining marks in a row"
        case .tooMany(let characters): "\(characters) characters are too many"
        }
    }
}

extension Unicode.Scalar {
    /// The code point and the name in plain words: `U+201C left double quotation mark`. Where Unicode
    /// has corrected a name, it is the corrected one.
    package var inWords: String {
        let name = ControlNames.name(of: self) ?? properties.nameAlias ?? properties.name
        let number = "U+" + hexadecimal(value, digits: 4)
        return name.map { number + " " + $0.lowercased() } ?? number
    }
}

private func hexadecimal(_ value: UInt32, digits: Int) -> String {
    let text = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
}
