internal import GSM7

/// The length of ciphertexts, and the rule that makes them safe to copy (smsenc-protocol(7), The pad).
package enum Ciphertext {
    /// Number of symbols. Each symbol is one character of an SMS.
    package static let length = 160

    /// Returns false if a ciphertext begins or ends with a space, or contains two consecutive spaces. Copying
    /// and pasting could remove leading, trailing and repeated spaces.
    package static func survivesCopying(_ symbols: Span<UInt8>) -> Bool {
        var previous = Alphabet.space
        for index in symbols.indices {
            if symbols[index] == Alphabet.space, previous == Alphabet.space { return false }
            previous = symbols[index]
        }
        return previous != Alphabet.space
    }
}
