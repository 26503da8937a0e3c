internal import GSM7

/// What a text that was refused may be, so that a diagnostic can say where it belongs.
package enum Likeness: Equatable, Sendable {
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
        var tally = Tally()
        var index = 0
        while index < utf8.count, let (scalar, length) = CodePoint.decode(utf8, at: index) {
            tally.count(scalar)
            index += length
        }
        if index < utf8.count { tally.isBasic = false }
        self = tally.likeness
        // What is not UTF-8 is something, though nothing of it was counted.
        if self == .nothing, index < utf8.count { self = .message }
    }

    /// Looks at symbols.
    package init(symbols: Span<UInt8>) {
        var tally = Tally()
        for index in symbols.indices { tally.count(Alphabet.scalar(of: symbols[index])) }
        self = tally.likeness
    }

    private struct Tally {
        var isBasic = true
        private var characters = 0
        private var plain = 0
        private var spaces = 0
        private var beginning: [Unicode.Scalar] = []

        mutating func count(_ scalar: Unicode.Scalar) {
            characters += 1
            if beginning.count < Frame.failsafe.count { beginning.append(scalar) }
            if scalar.properties.isWhitespace { spaces += 1 }
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", " ": plain += 1
            case "ç": break
            default: isBasic = isBasic && Alphabet.symbol(of: scalar) != nil
            }
        }

        var likeness: Likeness {
            let failsafes = Forms.all.map { Array(Forms.failsafe(of: $0).unicodeScalars) }
            if spaces == characters { return .nothing }
            if failsafes.contains(beginning) { return .frame }
            let hasSense = plain * 100 >= characters * leastInMessage
            return isBasic && characters >= shortestCiphertext && !hasSense ? .ciphertext : .message
        }
    }
}
