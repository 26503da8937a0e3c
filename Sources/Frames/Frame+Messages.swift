package import FrameLayout
package import GSM7
internal import System

/// This target, Frames, encodes messages as frames and decodes them. Frames has no access to keys or
/// files.
///
/// - `Message` normalises the text that a user wrote.
/// - `PlainForm` and `CompressedForm` encode a message in the text field, and decode the field.
/// - ReceiptForm.swift puts a receipt into a frame, and takes a receipt out of a frame.
/// - `Frame` encodes and decodes whole frames.
/// - `MessageSplitter` splits messages that do not fit in one frame.
/// - `ContentGuess` guesses the kind of a rejected text.
/// - `FrameFault` is the error type, and contains the texts of diagnostics.
extension Frame {
    /// Maximum number of bytes in a decoded message. Normalisation makes a message at most three times
    /// longer (UAX #15, 9). If newlines are written as `␊`, each newline occupies three bytes instead of
    /// one.
    package static let longestMessage = 3 * CompressedForm.longestMessage

    /// Encodes a message and appends the 160 symbols of its frame, with a blank next key.
    ///
    /// - Parameters:
    ///   - message: UTF-8 without control characters, not necessarily in NFC.
    ///   - newline: how newlines are written in `message`.
    /// - Throws: `text`, `tooLong`, `isFrame`. Nothing is appended if an error is thrown.
    @_lifetime(symbols: copy symbols)
    package static func encode(
        _ message: Span<UInt8>, newline: Newline, into symbols: inout OutputSpan<UInt8>
    ) throws(FrameFault) {
        try Message.withMessage(from: message, newline: newline) { (message) throws(FrameFault) in
            if message.codes.count == length, (try? validate(message.codes)) != nil {
                throw .isFrame
            }
            guard encode(message, into: &symbols) else {
                throw .tooLong(symbols: selectedForm(for: message).length)
            }
        }
    }

    /// Returns the form in which a message is encoded, and how many of the 144 symbols the message needs.
    ///
    /// If the message does not fit in any form, returns the form that needs the fewest symbols.
    ///
    /// - Throws: `text`.
    package static func measure(
        _ message: Span<UInt8>, newline: Newline
    ) throws(FrameFault) -> (form: Form, length: Int) {
        try Message.withMessage(from: message, newline: newline) { selectedForm(for: $0) }
    }

    /// Selects the form for a message, and returns the number of symbols that the message needs in this
    /// form. If the message does not fit in any form, selects the form that needs fewer symbols.
    static func selectedForm(for message: borrowing Message) -> (form: Form, length: Int) {
        let plain = PlainForm.length(of: message)
        if let plain, plain <= text.count { return (.plain, plain) }
        let compressed = CompressedForm.length(of: message)
        if let plain, plain <= compressed { return (.plain, plain) }
        return (.compressed, compressed)
    }

    /// Appends the frame of a message. Returns false, and appends nothing, if the message does not fit in
    /// any form.
    static func encode(
        _ message: borrowing Message, into symbols: inout OutputSpan<UInt8>
    ) -> Bool {
        withScratch(text.count) { (field) in
            let form: Form
            if PlainForm.write(message, to: &field) {
                form = .plain
            } else if CompressedForm.write(message, to: &field) {
                form = .compressed
            } else {
                return false
            }
            form.writeFailsafe(to: &symbols)
            symbols.append(copying: field.span)
            let padding = text.count - field.count + nextKey.count
            symbols.append(repeating: Alphabet.space, count: padding)
            return true
        }
    }

    /// Converts a frame from UTF-8 to symbols. Does not check that the symbols form a valid frame. Use
    /// `validate` to check the frame.
    ///
    /// - Throws: `length`, `text`. Nothing is appended if an error is thrown.
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

    /// Decodes a frame and appends its message in NFC. There must be room for `longestMessage` bytes in
    /// `utf8`.
    ///
    /// - Throws: `length`, `notSymbol`, `unknownForm`, `nextKeyNotBlank`, `hasReceipt`, `notCompressed`,
    ///   `newerVersion`, `text`. If an error is thrown, nothing is appended.
    @_lifetime(utf8: copy utf8)
    package static func decode(
        _ symbols: Span<UInt8>, newline: Newline, into utf8: inout OutputSpan<UInt8>
    ) throws(FrameFault) {
        let form = try form(of: symbols)
        // A message in the plain form needs no normalisation, because it is in NFC and has no newlines.
        if form == .plain { return PlainForm.read(symbols.extracting(text), into: &utf8) }
        try readCompressed(symbols) { (message) throws(FrameFault) in
            do throws(TextFault) {
                try Message.normalise(message, newline: newline, to: &utf8)
            } catch {
                throw .text(error)
            }
        }
    }

    /// Decodes a frame and appends its message without converting it to NFC. Newlines are line feeds.
    /// There must be room for `longestMessage` bytes in `utf8`.
    ///
    /// - Throws: the same errors as `decode`.
    @_lifetime(utf8: copy utf8)
    package static func decodeAsSent(
        _ symbols: Span<UInt8>, into utf8: inout OutputSpan<UInt8>
    ) throws(FrameFault) {
        let form = try form(of: symbols)
        if form == .plain { return PlainForm.read(symbols.extracting(text), into: &utf8) }
        try readCompressed(symbols) { (message) throws(FrameFault) in
            do throws(TextFault) {
                try NormalText.normalise(message) { _ in }
            } catch {
                throw .text(error)
            }
            utf8.append(copying: message)
        }
    }

    /// Checks that a frame can be decoded.
    ///
    /// - Throws: the same errors as `decode`.
    package static func validate(_ symbols: Span<UInt8>) throws(FrameFault) {
        // In the plain form, any sequence of symbols is a valid message.
        let form = try form(of: symbols)
        if form == .compressed { try readCompressed(symbols) { _ in } }
    }

    /// Returns true if a newer version of smsenc is needed to decode a frame, which may contain a receipt.
    /// The frame must be the result of a decryption.
    package static func isFromNewerVersion(_ symbols: Span<UInt8>) -> Bool {
        switch Form(named: symbols.extracting(failsafe)) {
        case .plain, nil: return false
        case .compressed:
            do throws(FrameFault) {
                try readCompressed(symbols) { _ in }
                return false
            } catch {
                return error == .newerVersion
            }
        case .receipt:
            return withScratch(length) { (copy) in
                copy.append(copying: symbols)
                var frame = copy.mutableSpan
                let rest = withScratch(longestReceipt) { takeReceipt(from: &frame, into: &$0) }
                return rest == .compressedFrame && isFromNewerVersion(frame.span)
            }
        }
    }

    /// Decompresses the text field with `CompressedForm.read`, and passes the result to `body`.
    private static func readCompressed(
        _ symbols: Span<UInt8>, _ body: (Span<UInt8>) throws(FrameFault) -> Void
    ) throws(FrameFault) {
        try withScratch(CompressedForm.longestMessage) { (message) throws(FrameFault) in
            try CompressedForm.read(symbols.extracting(text), into: &message)
            try body(message.span)
        }
    }

    /// Checks a frame's length and symbols, and that its next key is blank. Returns the form of the frame.
    /// If the frame contains a receipt, throws `hasReceipt`.
    private static func form(of symbols: Span<UInt8>) throws(FrameFault) -> Form {
        guard symbols.count == length else { throw .length(symbols.count) }
        let limit = UInt8(Alphabet.symbolCount)
        var highest: UInt8 = 0
        for index in symbols.indices { highest = max(highest, symbols[index]) }
        if highest >= limit, let index = symbols.indices.first(where: { symbols[$0] >= limit }) {
            throw .notSymbol(column: index + 1)
        }
        guard let form = Form(named: symbols.extracting(failsafe)) else { throw .unknownForm }
        if form == .receipt { throw .hasReceipt }
        guard lengthWithoutPadding(symbols.extracting(nextKey)) == 0 else { throw .nextKeyNotBlank }
        return form
    }
}
