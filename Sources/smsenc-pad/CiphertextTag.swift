import Crypto
import GSM7
import Protocol
import System

/// Identifies an SMS in a status file. The tag consists of the first five hexadecimal digits of the
/// SHA-256 hash of the 160 characters in UTF-8.
///
/// The tag is computed from the symbols, so sender and recipient obtain the same tag even if the SMS was
/// changed in a way that decryption tolerates.
struct CiphertextTag {
    private static let digits = 5

    /// The first three bytes of the digest.
    private let start: [UInt8]

    /// Computes the tag of a ciphertext of 160 symbols.
    init(of symbols: Span<UInt8>) {
        let digest = withScratch(Alphabet.longestUTF8 * Ciphertext.length) { (text) in
            Alphabet.write(symbols, to: &text)
            return Digest.sha256(text.span)
        }
        start = Array(digest.prefix(3))
    }

    var text: String { String(hex(start).prefix(Self.digits)) }
}
