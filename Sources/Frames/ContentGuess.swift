internal import FrameLayout
internal import GSM7
internal import System

/// The probable kind of a rejected text. Diagnostics use this guess to suggest the correct tool.
package enum ContentGuess: Equatable, Sendable {
    /// The text is empty or consists of white space.
    case nothing
    /// The text begins with a failsafe, so the text is a frame, or a piece of a frame.
    case frame
    /// The text is probably a ciphertext, or a piece of a ciphertext. The text is long and consists of
    /// basic GSM characters, but only few of them are ASCII letters, digits or spaces.
    case ciphertext
    case message

    /// Minimum length of a text that can be recognised as a ciphertext, in characters. A shorter
    /// ciphertext cannot be distinguished from a message.
    private static let shortestCiphertext = 100
    /// Minimum percentage of ASCII letters, digits and spaces in a message. A text with a lower percentage
    /// of these characters is probably a ciphertext. About half of the characters in a ciphertext are
    /// letters, digits and spaces. In a message, nearly all characters are letters, digits or spaces.
    private static let minimumPercentageInMessage = 69

    /// Guesses the kind of a text in UTF-8, or in an unknown encoding.
    package init(_ utf8: Span<UInt8>) {
        let failsafes = Form.allCases.map { Array($0.failsafe.unicodeScalars) }
        var (characters, plain, spaces) = (0, 0, 0)
        var isBasic = true
        var beginning: [Unicode.Scalar] = []
        var index = 0
        while let (scalar, length) = CodePoint.decode(utf8, at: index) {
            characters += 1
            if beginning.count < Frame.failsafe.count { beginning.append(scalar) }
            if scalar.isWhiteSpace { spaces += 1 }
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", " ": plain += 1
            case "ç": break
            default: isBasic = isBasic && Alphabet.symbol(of: scalar) != nil
            }
            index += length
        }
        let isText = index == utf8.count
        if spaces == characters {
            // The text may contain only bytes that are not valid UTF-8. They were not counted above, but
            // they are not white space.
            self = isText ? .nothing : .message
        } else if failsafes.contains(beginning) {
            self = .frame
        } else {
            let hasSense = plain * 100 >= characters * Self.minimumPercentageInMessage
            let isLong = characters >= Self.shortestCiphertext
            self = isText && isBasic && isLong && !hasSense ? .ciphertext : .message
        }
    }

    /// Guesses the kind of a text that is given as GSM symbols.
    package init(symbols: Span<UInt8>) {
        self = withScratch(symbols.count * Alphabet.longestUTF8) { (text) in
            Alphabet.write(symbols, to: &text)
            return ContentGuess(text.span)
        }
    }
}
