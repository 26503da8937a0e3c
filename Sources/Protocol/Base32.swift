/// Crockford's Base32, an encoding that is easy to read and type (smsenc-protocol(7), Sync keys).
enum Base32 {
    static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// Returns the value of a character. ASCII case is ignored, I and L are read as 1, and O is read as 0.
    /// Returns nil for characters outside the alphabet, such as U.
    static func value(of character: UInt8) -> UInt8? {
        let isLower = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(character)
        switch isLower ? character - 32 : character {
        case UInt8(ascii: "I"), UInt8(ascii: "L"): return 1
        case UInt8(ascii: "O"): return 0
        case let upper: return alphabet.firstIndex(of: upper).map { UInt8($0) }
        }
    }

    /// Returns true for hyphens and ASCII white space, which people may write between groups of characters.
    static func isSeparator(_ character: UInt8) -> Bool {
        switch character {
        case UInt8(ascii: "-"), 0x20, 0x09...0x0D: true
        default: false
        }
    }
}
