internal import FrameLayout
internal import GSM7
internal import System

/// The plain form of a frame, which contains the message without compression. A frame in this form begins
/// with `cos730`. The plain form can encode a message if all characters are basic and the last character
/// is not a space.
enum PlainForm {
    /// Returns how many symbols a message needs, or nil if the plain form cannot encode the message. The
    /// result exceeds 144 if the message does not fit in a frame.
    static func length(of message: borrowing Message) -> Int? {
        let length = lengthWithoutPadding(message.codes)
        return message.isBasic && length == message.codes.count ? length : nil
    }

    /// Appends the symbols of a message, without the padding. Returns false, and appends nothing, if the
    /// message does not fit in a frame or the plain form cannot encode the message.
    static func write(_ message: borrowing Message, to field: inout OutputSpan<UInt8>) -> Bool {
        guard let length = length(of: message), length <= Frame.text.count else { return false }
        // The code of a basic character is equal to its symbol.
        field.append(copying: message.codes)
        return true
    }

    /// Returns the length in bytes of the longest prefix of `text` that fits in a frame.
    static func fittingPrefixLength(in text: Span<UInt8>) -> Int {
        var (count, end, fitting) = (0, 0, 0)
        while count < Frame.text.count, let (scalar, length) = CodePoint.decode(text, at: end),
            let symbol = Alphabet.symbol(of: scalar)
        {
            count += 1
            end += length
            if symbol != Alphabet.space { fitting = end }
        }
        return fitting
    }

    /// Decodes the text field of a frame in the plain form, and appends the message as UTF-8.
    @_lifetime(text: copy text)
    static func read(_ field: Span<UInt8>, into text: inout OutputSpan<UInt8>) {
        Alphabet.write(field.extracting(..<lengthWithoutPadding(field)), to: &text)
    }
}

/// Returns the number of symbols before the trailing spaces. `symbols` can also contain character codes
/// instead of symbols.
func lengthWithoutPadding(_ symbols: Span<UInt8>) -> Int {
    let space = Alphabet.space
    var end = symbols.count
    while end > 0, symbols[end - 1] == space { end -= 1 }
    return end
}
