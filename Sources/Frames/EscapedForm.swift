internal import FrameLayout
internal import GSM7

/// The form `cos731`, in which characters outside the basic alphabet are encoded as pairs of `¤` and a
/// symbol.
///
/// The pair of `¤` and a symbol of the extension table stands for the character with that symbol in the
/// table. `¤¤` stands for ¤, `¤n` for a newline, and `¤_` for a space at the end of the message.
enum EscapedForm {
    private static let currency = Alphabet.knownSymbol(of: "¤")
    private static let newline = Alphabet.knownSymbol(of: "n")
    private static let space = Alphabet.knownSymbol(of: "_")

    static func length(of message: borrowing Message) -> Int? {
        guard message.isGSM else { return nil }
        var length = 0
        forEachSymbol(of: message.codes) { _ in length += 1 }
        return length
    }

    static func write(_ message: borrowing Message, to field: inout OutputSpan<UInt8>) -> Bool {
        guard let length = length(of: message), length <= Frame.text.count else { return false }
        forEachSymbol(of: message.codes) { field.append($0) }
        return true
    }

    private static func forEachSymbol(of codes: Span<UInt8>, _ body: (UInt8) -> Void) {
        let end = lengthWithoutPadding(codes)
        for index in 0..<end {
            let code = CharacterCode(rawValue: codes[index])
            if !code.isBasic || code.symbol == currency { body(currency) }
            body(code == .newline ? newline : code.symbol)
        }
        for _ in end..<codes.count {
            body(currency)
            body(space)
        }
    }

    /// Decodes the pairs in the text field.
    ///
    /// - Throws: `unknownPair` or `halfPair`, with the column in the frame.
    @_lifetime(text: copy text)
    static func read(
        _ field: Span<UInt8>, into text: inout OutputSpan<UInt8>
    ) throws(FrameFault) {
        let end = lengthWithoutPadding(field)
        var index = 0
        while index < end {
            let start = index
            while index < end, field[index] != currency { index += 1 }
            Alphabet.write(field.extracting(start..<index), to: &text)
            if index == end { break }
            let column = Frame.text.lowerBound + index + 1
            guard index + 1 < end else { throw .halfPair(column: column) }
            guard let scalar = scalar(after: field[index + 1]) else {
                throw .unknownPair(Alphabet.scalar(of: field[index + 1]), column: column)
            }
            text.append(scalar)
            index += 2
        }
    }

    /// Returns the character for a pair of `¤` and `symbol`, or nil if there is no such pair.
    private static func scalar(after symbol: UInt8) -> Unicode.Scalar? {
        switch symbol {
        case currency: "¤"
        case newline: "\n"
        case space: " "
        default: ExtensionTable.scalar(of: symbol)
        }
    }
}
