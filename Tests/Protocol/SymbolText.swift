import GSM7
import Support

extension Generator {
    /// So many symbols of the alphabet, as text.
    mutating func symbolText(_ count: Int) -> String {
        let scalars = (0..<count).map { _ in Alphabet.scalar(of: UInt8(number(below: 125))) }
        return String(String.UnicodeScalarView(scalars))
    }
}
