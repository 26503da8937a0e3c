package import GSM7
internal import System

/// A message as forms are given it.
package struct Message: ~Copyable {
    /// UTF-8 in NFC, each newline a line feed, no other control character.
    private(set) var text: [UInt8] = []
    /// The `CharacterCode` of each character, where all of them are GSM; else empty.
    private(set) var codes: [UInt8] = []
    private(set) var isGSM = false
    /// True when all characters are in the basic alphabet.
    private(set) var isBasic = false

    /// Shows `body` a message that came as UTF-8, in NFC or not, and overwrites it afterwards.
    ///
    /// - Throws: `text`, with the input's column, and what `body` throws.
    static func decode<Result: ~Copyable>(
        _ utf8: Span<UInt8>, newline: Newline,
        _ body: (borrowing Message) throws(FrameFault) -> Result
    ) throws(FrameFault) -> Result {
        var message = Message()
        defer {
            cleanse(&message.text)
            cleanse(&message.codes)
        }
        do throws(TextFault) {
            try NormalText.normalise(utf8) { (text) throws(TextFault) in
                try message.decode(text, newline)
            }
        } catch {
            throw .text(error)
        }
        return try body(message)
    }

    /// Takes in a text in NFC.
    ///
    /// - Throws: `control`.
    private mutating func decode(_ utf8: Span<UInt8>, _ newline: Newline) throws(TextFault) {
        do throws(TextFault) {
            try codes.append(atMost: utf8.count) { (codes) throws(TextFault) in
                isBasic = try CharacterCode.decode(utf8, newline: newline, into: &codes)
            }
            isGSM = true
        } catch {
            try Self.check(utf8, newline)
        }
        text.append(atMost: utf8.count) { (text) in
            // Where all characters are basic there is no newline.
            Self.translate(utf8, from: isBasic ? .lineFeed : newline, to: .lineFeed, into: &text)
        }
    }

    /// - Throws: `control`, for a character that no message holds.
    private static func check(_ utf8: Span<UInt8>, _ newline: Newline) throws(TextFault) {
        var (index, column) = (0, 1)
        while let (scalar, length) = CodePoint.next(utf8, at: index) {
            if CodePoint.isControl(scalar), scalar != newline.scalar {
                throw .control(scalar, column: column)
            }
            index += length
            column += 1
        }
    }

    /// Appends what a form has read, which may not be in NFC, with its newlines as they are spelt.
    ///
    /// - Throws: `marks`. Nothing is appended then.
    @_lifetime(utf8: copy utf8)
    static func encode(
        _ text: Span<UInt8>, newline: Newline, to utf8: inout OutputSpan<UInt8>
    ) throws(TextFault) {
        try NormalText.normalise(text) { (text) throws(TextFault) in
            translate(text, from: .lineFeed, to: newline, into: &utf8)
        }
    }

    /// Appends a text that was unpacked, its newlines line feeds, with these as they are spelt: at most
    /// three bytes for each of its own.
    @_lifetime(utf8: copy utf8)
    package static func spell(
        _ text: Span<UInt8>, newline: Newline, to utf8: inout OutputSpan<UInt8>
    ) {
        translate(text, from: .lineFeed, to: newline, into: &utf8)
    }

    /// Appends a text with its newlines spelt otherwise.
    @_lifetime(output: copy output)
    private static func translate(
        _ text: Span<UInt8>, from old: Newline, to new: Newline,
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
    /// The bytes of a newline that begins at an offset; nil where none does.
    fileprivate func length(in text: Span<UInt8>, at index: Int) -> Int? {
        switch self {
        case .lineFeed: text[index] == UInt8(ascii: "\n") ? 1 : nil
        case .picture:
            text[index] == 0xE2 && CodePoint.next(text, at: index)?.scalar == scalar ? 3 : nil
        }
    }
}
