/// The reason why a text is not valid GSM text. A column is the number of a code point in the input,
/// beginning with 1.
package enum TextFault: Error, Equatable {
    /// The character is neither in the basic alphabet nor in the extension table.
    case notGSM(Unicode.Scalar, column: Int)
    /// The character is in the extension table, but only the basic alphabet is permitted.
    case notBasic(Unicode.Scalar, column: Int)
    /// The text contains a control character. A carriage return counts as a control character, unless a
    /// line feed follows.
    case control(Unicode.Scalar, column: Int)
    /// The text contains a byte that is not part of valid UTF-8.
    case malformed(UInt8, column: Int)
    /// The text contains more than `NormalText.maximumMarkRun` consecutive combining marks.
    case marks(column: Int)
    /// The text contains more characters than there is room for.
    case tooMany(characters: Int)

    /// Returns the fault at the offset at which decoding stopped.
    package static func at(
        _ offset: Int, column: Int, in utf8: Span<UInt8>
    ) -> TextFault {
        guard let (scalar, _) = CodePoint.decode(utf8, at: offset) else {
            return .malformed(utf8[offset], column: column)
        }
        if CodePoint.isControl(scalar) { return .control(scalar, column: column) }
        return CharacterCode(scalar, newline: .lineFeed).isExtended
            ? .notBasic(scalar, column: column) : .notGSM(scalar, column: column)
    }

    /// Column of the fault, or nil if the fault concerns the whole text.
    package var column: Int? {
        switch self {
        case .notGSM(_, let column), .notBasic(_, let column), .control(_, let column),
            .malformed(_, let column), .marks(let column):
            column
        case .tooMany: nil
        }
    }

    /// Character that caused the fault, or nil if the fault was not caused by a character.
    package var scalar: Unicode.Scalar? {
        switch self {
        case .notGSM(let scalar, _), .notBasic(let scalar, _), .control(let scalar, _): scalar
        case .malformed, .marks, .tooMany: nil
        }
    }

    /// Returns the same fault with a different column.
    func moved(to column: Int) -> TextFault {
        switch self {
        case .notGSM(let scalar, _): .notGSM(scalar, column: column)
        case .notBasic(let scalar, _): .notBasic(scalar, column: column)
        case .control(let scalar, _): .control(scalar, column: column)
        case .malformed(let byte, _): .malformed(byte, column: column)
        case .marks: .marks(column: column)
        case .tooMany: self
        }
    }
}

extension TextFault {
    /// Description of the fault, to be inserted into a diagnostic.
    package var reason: String {
        switch self {
        case .notGSM(let scalar, let column):
            "column \(column): \(scalar.codePointAndName) is not a GSM character"
        case .notBasic(let scalar, let column):
            "column \(column): \(scalar.codePointAndName) is not in the basic GSM alphabet"
        case .control(let scalar, let column):
            "column \(column): \(scalar.codePointAndName) is a control character"
        case .malformed(let byte, let column):
            "column \(column): byte 0x\(hexadecimal(UInt32(byte), digits: 2)) is not UTF-8"
        case .marks(let column):
            "column \(column): more than \(NormalText.maximumMarkRun) combining marks in a row"
        case .tooMany(let characters): "the text is too long: it has \(characters) characters"
        }
    }
}
