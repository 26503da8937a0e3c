package import GSM7
internal import System

/// One SMS before it is enciphered: 160 symbols (smsenc(7), Frame).
///
///     symbols       field
///     0 ..< 6       failsafe: the form of the text
///     6 ..< 150     text
///     150 ..< 160   next key: spaces outside smsenc-pad
///
/// This target, Frames, owns the way of a message into a frame and back, and nothing of keys or files.
/// `Message` decodes what a user wrote; a `Form` is one way to write it into the text field, each in a
/// file of its own, and all else follows from its cases: which form is chosen, what a failsafe names,
/// how long a message is, how it is split. A new form is a file and a case there.
/// `Frame` lays out and unpacks, `MessageSplitter` cuts what does not fit, `ContentGuess` guesses what a refused
/// text is. Errors are `FrameFault`, with their words.
package enum Frame {
    /// Characters in one SMS of the GSM alphabet: 140 octets of 8 bits in septets (3GPP TS 23.040).
    package static let length = 160
    package static let failsafe = 0..<6
    package static let text = 6..<150
    package static let nextKey = 150..<160

    /// Bytes of UTF-8 that a frame takes at most.
    package static let longestUTF8 = length * Alphabet.longestUTF8
    /// Bytes of UTF-8 that a message takes at most once unpacked: newlines spelt `␊` take three bytes
    /// instead of one, and NFC makes three of one at most (UAX #15, 9).
    package static let longestMessage = 3 * Form.longestMessage

    /// Appends the 160 symbols of a message's frame, its next key blank. `symbols` has that much room.
    ///
    /// - Parameters:
    ///   - message: any text, in UTF-8, without control characters; in NFC or not.
    ///   - newline: how a newline in it is spelt.
    /// - Throws: `text`, `tooLong`, `isFrame`. Nothing is appended then.
    @_lifetime(symbols: copy symbols)
    package static func encode(
        _ message: Span<UInt8>, newline: Newline, into symbols: inout OutputSpan<UInt8>
    ) throws(FrameFault) {
        try Message.withMessage(from: message, newline: newline) { (message) throws(FrameFault) in
            if message.codes.count == length, (try? validate(message.codes)) != nil {
                throw .isFrame
            }
            guard encode(message, into: &symbols) else {
                throw .tooLong(symbols: Form.selected(for: message).length)
            }
        }
    }

    /// What a message takes of a frame: the form that it gets, and the symbols that it takes of 144
    /// there; of the shortest form where it does not fit.
    ///
    /// - Throws: `text`.
    package static func measure(
        _ message: Span<UInt8>, newline: Newline
    ) throws(FrameFault) -> (form: Form, length: Int) {
        try Message.withMessage(from: message, newline: newline) { Form.selected(for: $0) }
    }

    /// Appends the frame of a message that is decoded; nothing, and false, where no form has room.
    static func encode(
        _ message: borrowing Message, into symbols: inout OutputSpan<UInt8>
    ) -> Bool {
        withScratch(text.count) { (field) in
            for form in Form.allCases where form.write(message, to: &field) {
                form.writeFailsafe(to: &symbols)
                symbols.append(copying: field.span)
                let padding = text.count - field.count + nextKey.count
                symbols.append(repeating: Alphabet.space, count: padding)
                return true
            }
            return false
        }
    }

    /// Appends the symbols of a frame's text, for which there is room.
    ///
    /// - Throws: `length`, `text`. Nothing is appended then.
    @_lifetime(symbols: copy symbols)
    package static func readSymbols(
        _ utf8: Span<UInt8>, into symbols: inout OutputSpan<UInt8>
    ) throws(FrameFault) {
        do throws(TextFault) {
            try Alphabet.decode(utf8, into: &symbols)
        } catch .tooMany(let characters) {
            throw .length(characters)
        } catch {
            throw .text(error)
        }
    }

    /// Appends a frame's message, in NFC: at most `longestMessage` bytes, for which there is room.
    ///
    /// - Throws: `length`, `notSymbol`, `unknownForm`, `nextKeyNotBlank`, and what the form throws.
    ///   Nothing is appended then.
    @_lifetime(utf8: copy utf8)
    package static func decode(
        _ symbols: Span<UInt8>, newline: Newline, into utf8: inout OutputSpan<UInt8>
    ) throws(FrameFault) {
        let form = try form(of: symbols)
        // The plain form gives what is in NFC, and has no newline.
        if form == .plain { return PlainForm.read(symbols.extracting(text), into: &utf8) }
        try read(symbols, as: form) { (message) throws(FrameFault) in
            do throws(TextFault) {
                try Message.normalise(message, newline: newline, to: &utf8)
            } catch {
                throw .text(error)
            }
        }
    }

    /// Looks at a frame without giving its message.
    ///
    /// - Throws: what `unpack` throws.
    package static func validate(_ symbols: Span<UInt8>) throws(FrameFault) {
        // The plain form is a message whatever its symbols are.
        let form = try form(of: symbols)
        if form != .plain { try read(symbols, as: form) { _ in } }
    }

    /// Shows `body` the message of a frame's symbols, as its form gives it.
    private static func read(
        _ symbols: Span<UInt8>, as form: Form, _ body: (Span<UInt8>) throws(FrameFault) -> Void
    ) throws(FrameFault) {
        try withScratch(form.longestMessage) { (message) throws(FrameFault) in
            try form.read(symbols.extracting(text), into: &message)
            try body(message.span)
        }
    }

    /// The form that 160 symbols name, which end in a blank next key.
    private static func form(of symbols: Span<UInt8>) throws(FrameFault) -> Form {
        guard symbols.count == length else { throw .length(symbols.count) }
        let limit = UInt8(Alphabet.symbolCount)
        var highest: UInt8 = 0
        for index in symbols.indices { highest = max(highest, symbols[index]) }
        if highest >= limit, let index = symbols.indices.first(where: { symbols[$0] >= limit }) {
            throw .notSymbol(column: index + 1)
        }
        guard let form = Form(named: symbols.extracting(failsafe)) else { throw .unknownForm }
        guard lengthWithoutPadding(symbols.extracting(nextKey)) == 0 else { throw .nextKeyNotBlank }
        return form
    }
}
