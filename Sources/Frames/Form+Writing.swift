package import FrameLayout
internal import GSM7

/// Encodes messages in the forms and decodes them. Each form is implemented in a separate file.
extension Form {
    /// Maximum number of bytes of UTF-8 that `read` appends.
    package var longestMessage: Int {
        switch self {
        case .plain, .escaped: Frame.text.count * Alphabet.longestUTF8
        case .compressed: CompressedForm.longestMessage
        case .packed: PackedForm.byteCount
        }
    }

    /// Maximum of `longestMessage` over all forms.
    static let longestMessage = allCases.map { $0.longestMessage }.max() ?? 0

    /// Returns how many symbols a message needs, or nil if the form cannot encode the message. The result
    /// may exceed the number of symbols in a frame.
    ///
    /// If a message fits, each of its prefixes must also fit, because `fittingPrefixLength` uses a binary
    /// search.
    func length(of message: borrowing Message) -> Int? {
        switch self {
        case .plain: PlainForm.length(of: message)
        case .escaped: EscapedForm.length(of: message)
        case .compressed: CompressedForm.length(of: message)
        case .packed: PackedForm.length(of: message)
        }
    }

    /// Appends the symbols of a message, without the padding. `field` needs room for `Frame.text.count`
    /// symbols.
    ///
    /// Returns false, and appends nothing, if the message does not fit or the form cannot encode it.
    func write(_ message: borrowing Message, to field: inout OutputSpan<UInt8>) -> Bool {
        switch self {
        case .plain: PlainForm.write(message, to: &field)
        case .escaped: EscapedForm.write(message, to: &field)
        case .compressed: CompressedForm.write(message, to: &field)
        case .packed: PackedForm.write(message, to: &field)
        }
    }

    /// Decodes a whole text field and appends the message as UTF-8, with line feeds as newlines.
    ///
    /// `text` needs room for `longestMessage` bytes. The decoded message is not necessarily in NFC.
    ///
    /// - Throws: an error if no encoder writes such a field. Part of a message may already have been
    ///   appended.
    @_lifetime(text: copy text)
    func read(_ field: Span<UInt8>, into text: inout OutputSpan<UInt8>) throws(FrameFault) {
        switch self {
        case .plain: PlainForm.read(field, into: &text)
        case .escaped: try EscapedForm.read(field, into: &text)
        case .compressed: try CompressedForm.read(field, into: &text)
        case .packed: try PackedForm.read(field, into: &text)
        }
    }

    /// Returns the length in bytes of a prefix of `text` that fits. A slightly longer prefix may also fit.
    ///
    /// - Parameter text: UTF-8 in NFC, with line feeds as newlines.
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

    /// Returns the first form in which a message fits, and the number of symbols that the message needs in
    /// this form.
    ///
    /// If the message does not fit in any form, returns the form in which it needs the fewest symbols.
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
