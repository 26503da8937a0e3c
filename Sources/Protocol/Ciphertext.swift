internal import GSM7
internal import Crypto

/// The numbers and rules of a ciphertext (smsenc(7), The pad).
package enum Ciphertext {
    /// Symbols, each one character of an SMS.
    package static let length = 160

    /// False for a ciphertext that begins or ends with a space or has two in a row, and so would
    /// not survive copying and pasting.
    package static func survivesCopying(_ symbols: Span<UInt8>) -> Bool {
        let space = Alphabet.space
        return symbols[0] != space && symbols[symbols.count - 1] != space
            && !ByteSearch.hasPair(of: space, in: symbols)
    }
}
