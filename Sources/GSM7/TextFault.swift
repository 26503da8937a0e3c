/// Why a text cannot be read as GSM text. Columns count the input's code points from 1.
package enum TextFault: Error, Equatable {
    /// Neither in the basic alphabet nor in the extension table.
    case notGSM(Unicode.Scalar, column: Int)
    /// Only in the extension table, where the basic alphabet was asked for.
    case notBasic(Unicode.Scalar, column: Int)
    /// A control character; a carriage return that no line feed follows is one.
    case control(Unicode.Scalar, column: Int)
    /// A byte that is not part of UTF-8.
    case malformed(UInt8, column: Int)
    /// More combining marks in a row than `NormalText.longestMarks`.
    case marks(column: Int)
    /// More characters than there is room for.
    case tooMany(characters: Int)

    /// What is wrong at an offset where a reader of GSM text stopped.
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

    /// The column, or nil where the fault is of the whole text.
    package var column: Int? {
        switch self {
        case .notGSM(_, let column), .notBasic(_, let column), .control(_, let column),
            .malformed(_, let column), .marks(let column):
            column
        case .tooMany: nil
        }
    }

    /// The character that is in the way, where it is one.
    package var scalar: Unicode.Scalar? {
        switch self {
        case .notGSM(let scalar, _), .notBasic(let scalar, _), .control(let scalar, _): scalar
        case .malformed, .marks, .tooMany: nil
        }
    }

    /// The same fault at another column.
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
