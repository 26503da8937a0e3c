internal import GSM7

/// One way to write a message into the 144 symbols of a frame's text, in the order in which a writer tries
/// them: it takes the first in which the message fits.
///
/// What a way does is in a file of its own. A case here is all that the rest knows of it.
package enum Form: String, CaseIterable, Sendable {
    case plain, escaped, compressed, packed

    /// What it is called.
    package var name: String { rawValue }

    /// The last character of its failsafe.
    package var digit: Unicode.Scalar {
        switch self {
        case .plain: "0"
        case .escaped: "1"
        case .compressed: "3"
        case .packed: "2"
        }
    }

    /// Bytes of UTF-8 that `read` appends at most.
    package var longestMessage: Int {
        switch self {
        case .plain, .escaped: Frame.text.count * Alphabet.longestUTF8
        case .compressed: CompressedForm.longestMessage
        case .packed: PackedForm.byteCount
        }
    }

    /// The most of any form.
    static let longestMessage = allCases.map { $0.longestMessage }.max() ?? 0

    /// Symbols that a message takes, be they more than there is room for; nil where the form cannot
    /// write it. A beginning of what fits must fit as well.
    func length(of message: borrowing Message) -> Int? {
        switch self {
        case .plain: PlainForm.length(of: message)
        case .escaped: EscapedForm.length(of: message)
        case .compressed: CompressedForm.length(of: message)
        case .packed: PackedForm.length(of: message)
        }
    }

    /// Appends the symbols of a message, to be padded with spaces, and is true; appends nothing, and is
    /// false, where the message does not fit or cannot be written. `field` has room for the text.
    func write(_ message: borrowing Message, to field: inout OutputSpan<UInt8>) -> Bool {
        switch self {
        case .plain: PlainForm.write(message, to: &field)
        case .escaped: EscapedForm.write(message, to: &field)
        case .compressed: CompressedForm.write(message, to: &field)
        case .packed: PackedForm.write(message, to: &field)
        }
    }

    /// Appends the text of the message that a whole field holds, in NFC or not, newlines as line feeds:
    /// at most `longestMessage` bytes, for which there is room.
    ///
    /// - Throws: what makes the field none that a writer gives. What is appended by then means nothing.
    @_lifetime(text: copy text)
    func read(_ field: Span<UInt8>, into text: inout OutputSpan<UInt8>) throws(FrameFault) {
        switch self {
        case .plain: PlainForm.read(field, into: &text)
        case .escaped: try EscapedForm.read(field, into: &text)
        case .compressed: try CompressedForm.read(field, into: &text)
        case .packed: try PackedForm.read(field, into: &text)
        }
    }

    /// Bytes of a text's beginning that fits, the longest that is found at once.
    ///
    /// - Parameter text: UTF-8 in NFC, newlines as line feeds.
    func fittingPrefixLength(in text: Span<UInt8>) -> Int {
        if self == .compressed { return CompressedForm.fittingPrefixLength(in: text) }
        var ends = [0]
        while let last = ends.last, last < longestMessage,
            let (_, length) = CodePoint.decode(text, at: last)
        {
            ends.append(last + length)
        }
        var (low, high) = (0, ends.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            let beginning = text.extracting(..<ends[middle])
            let symbols = try? Message.withMessage(from: beginning, newline: .lineFeed) {
                (message) in
                length(of: message)
            }
            if let symbols = symbols ?? nil, symbols <= Frame.text.count {
                low = middle
            } else {
                high = middle - 1
            }
        }
        return ends[low]
    }

    /// The form that a message gets, and the symbols it takes there; of the shortest where it does not
    /// fit.
    static func selected(for message: borrowing Message) -> (form: Form, length: Int) {
        var shortest: (form: Form, length: Int)?
        for form in allCases {
            guard let length = form.length(of: message) else { continue }
            if length <= Frame.text.count { return (form, length) }
            if length < shortest?.length ?? .max { shortest = (form, length) }
        }
        guard let shortest else { fatalError("the packed form takes any message") }
        return shortest
    }
}

/// What names a form in a frame.
extension Form {
    /// What the failsafes of all forms begin with; the form's digit follows.
    private static let prefix = "cos73"
    private static let prefixSymbols = prefix.unicodeScalars.map { Alphabet.knownSymbol(of: $0) }

    /// The failsafe, in characters.
    package var failsafe: String { Self.prefix + String(digit) }

    /// The form that six symbols name, or nil where they are no failsafe.
    package init?(named failsafe: Span<UInt8>) {
        let prefix = Self.prefixSymbols
        guard failsafe.count == Frame.failsafe.count else { return nil }
        for (index, symbol) in prefix.enumerated() where failsafe[index] != symbol { return nil }
        let digit = Alphabet.scalar(of: failsafe[prefix.count])
        guard let form = Self.allCases.first(where: { $0.digit == digit }) else { return nil }
        self = form
    }

    @_lifetime(symbols: copy symbols)
    func writeFailsafe(to symbols: inout OutputSpan<UInt8>) {
        for symbol in Self.prefixSymbols { symbols.append(symbol) }
        symbols.append(Alphabet.knownSymbol(of: digit))
    }
}

extension Alphabet {
    /// The symbol of a character that is known to have one.
    static func knownSymbol(of scalar: Unicode.Scalar) -> UInt8 {
        guard let symbol = symbol(of: scalar) else { fatalError("every caller names a basic one") }
        return symbol
    }
}
