internal import GSM7

/// The numbers and rules of a ciphertext (smsenc(7), The pad).
package enum Ciphertext {
    /// Symbols, each one character of an SMS.
    package static let length = 160

    /// False for a ciphertext that begins or ends with a space or has two in a row, and so would
    /// not survive copying and pasting.
    package static func survivesCopying(_ symbols: Span<UInt8>) -> Bool {
        var previous = Alphabet.space
        for index in symbols.indices {
            if symbols[index] == Alphabet.space, previous == Alphabet.space { return false }
            previous = symbols[index]
        }
        return previous != Alphabet.space
    }
}
