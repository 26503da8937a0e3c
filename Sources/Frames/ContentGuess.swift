internal import GSM7
internal import System

/// What a text that was refused may be, so that a diagnostic can say where it belongs.
package enum ContentGuess: Equatable, Sendable {
    /// White space, or not even that.
    case nothing
    /// A frame, whole or not: it begins with a failsafe.
    case frame
    /// A ciphertext, whole or not: much GSM text with little sense.
    case ciphertext
    case message

    /// Characters from which on letters without sense can be told from others.
    private static let shortestCiphertext = 100
    /// Percent of ASCII letters, digits and spaces: half of the symbols are such, and nearly all of
    /// what people write.
    private static let leastInMessage = 69

    /// Looks at a text.
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
            // What is not UTF-8 is something, though nothing of it was counted.
            self = isText ? .nothing : .message
        } else if failsafes.contains(beginning) {
            self = .frame
        } else {
            let hasSense = plain * 100 >= characters * Self.leastInMessage
            let isLong = characters >= Self.shortestCiphertext
            self = isText && isBasic && isLong && !hasSense ? .ciphertext : .message
        }
    }

    /// Looks at symbols.
    package init(symbols: Span<UInt8>) {
        self = withScratch(symbols.count * Alphabet.longestUTF8) { (text) in
            Alphabet.write(symbols, to: &text)
            return ContentGuess(text.span)
        }
    }
}
