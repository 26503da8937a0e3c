package import GSM7
internal import System

/// A normalised message. All forms encode messages in this representation.
package struct Message: ~Copyable, ~Escapable {
    /// The text as UTF-8 in NFC, with line feeds as newlines and without other control characters.
    let text: Span<UInt8>
    /// `CharacterCode` of each character if all characters are GSM characters. Otherwise empty.
    let codes: Span<UInt8>
    /// True if all characters are in the basic alphabet.
    let isBasic: Bool

    @_lifetime(copy text, copy codes)
    private init(_ text: Span<UInt8>, _ codes: Span<UInt8>, isBasic: Bool) {
        self.text = text
        self.codes = codes
        self.isBasic = isBasic
    }

    /// Converts UTF-8 into a normalised message and passes the message to `body`. Overwrites the message
    /// in memory after `body` has returned.
    ///
    /// - Throws: `text`, with a column of the input, and the errors of `body`.
    static func withMessage<Result: ~Copyable>(
        from utf8: Span<UInt8>, newline: Newline,
        _ body: (borrowing Message) throws(FrameFault) -> Result
    ) throws(FrameFault) -> Result {
        let room = NormalText.growth * utf8.count
        return try withScratch(room) { (codes) throws(FrameFault) in
            var isBasic = (try? CharacterCode.decode(utf8, newline: newline, into: &codes)) ?? false
            // A text that contains only basic characters is already in NFC and has no newlines.
            if isBasic { return try body(Message(utf8, codes.span, isBasic: true)) }
            codes.removeAll()
            return try withScratch(room) { (text) throws(FrameFault) in
                do throws(TextFault) {
                    try NormalText.normalise(utf8) { (normal) throws(TextFault) in
                        do throws(TextFault) {
                            isBasic = try CharacterCode.decode(
                                normal, newline: newline, into: &codes)
                        } catch {
                            try refuseControlCharacters(normal, newline)
                        }
                        convertNewlines(normal, from: newline, to: .lineFeed, into: &text)
                    }
                } catch {
                    throw .text(error)
                }
                return try body(Message(text.span, codes.span, isBasic: isBasic))
            }
        }
    }

    /// Checks that a text contains no control character except the newline.
    ///
    /// - Throws: `control` for the first control character.
    private static func refuseControlCharacters(_ utf8: Span<UInt8>, _ newline: Newline)
        throws(TextFault)
    {
        var (index, column) = (0, 1)
        while let (scalar, length) = CodePoint.decode(utf8, at: index) {
            if CodePoint.isControl(scalar), scalar != newline.scalar {
                throw .control(scalar, column: column)
            }
            index += length
            column += 1
        }
    }

    /// Normalises a decoded text, converts its newlines, and appends the result.
    ///
    /// - Throws: `marks`. Nothing is appended if an error is thrown.
    @_lifetime(utf8: copy utf8)
    package static func normalise(
        _ text: Span<UInt8>, newline: Newline, to utf8: inout OutputSpan<UInt8>
    ) throws(TextFault) {
        try NormalText.normalise(text) { (text) throws(TextFault) in
            convertNewlines(text, to: newline, into: &utf8)
        }
    }

    /// Appends a text, and converts its newlines. `output` must have room for three times the length of
    /// the text.
    @_lifetime(output: copy output)
    package static func convertNewlines(
        _ text: Span<UInt8>, from old: Newline = .lineFeed, to new: Newline,
        into output: inout OutputSpan<UInt8>
    ) {
        if old == new {
            output.append(copying: text)
            return
        }
        var index = 0
        while index < text.count {
            if let length = old.length(in: text, at: index) {
                output.append(new.scalar)
                index += length
            } else {
                output.append(text[index])
                index += 1
            }
        }
    }
}

extension Newline {
    /// Returns the length in bytes of the newline at an offset, or nil if there is no newline.
    fileprivate func length(in text: Span<UInt8>, at index: Int) -> Int? {
        switch self {
        case .lineFeed: text[index] == UInt8(ascii: "\n") ? 1 : nil
        case .picture:
            text[index] == 0xE2 && CodePoint.decode(text, at: index)?.scalar == scalar ? 3 : nil
        }
    }
}
