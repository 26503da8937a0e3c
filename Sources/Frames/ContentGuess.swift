internal import FrameLayout
internal import GSM7
internal import System

/// The probable kind of a rejected text. Diagnostics use it to suggest the correct tool.
package enum ContentGuess: Equatable, Sendable {
    /// The text is empty or consists of white space.
    case nothing
    /// The text begins with a failsafe, so it is a frame or a piece of one.
    case frame
    /// The text is probably a ciphertext or a piece of one. It is long and consists of basic GSM
    /// characters, but contains few letters, few digits and few spaces.
    case ciphertext
    case message

    /// Minimum number of characters for a guess. A shorter ciphertext cannot be distinguished from a
    /// message.
    private static let shortestCiphertext = 100
    /// Percentage of ASCII letters, digits and spaces below which a text is probably a ciphertext. Such
    /// characters make up about half of a ciphertext and nearly all of a message.
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
            // Bytes that are not UTF-8 were not counted, but they are not white space either.
            self = isText ? .nothing : .message
        } else if failsafes.contains(beginning) {
            self = .frame
        } else {
            let hasSense = plain * 100 >= characters * Self.minimumPercentageInMessage
            let isLong = characters >= Self.shortestCiphertext
            self = isText && isBasic && isLong && !hasSense ? .ciphertext : .message
        }
    }

    /// Guesses the kind of a text from its GSM symbols.
    package init(symbols: Span<UInt8>) {
        self = withScratch(symbols.count * Alphabet.longestUTF8) { (text) in
            Alphabet.write(symbols, to: &text)
            return ContentGuess(text.span)
        }
    }
}
