/// Crockford's base 32, as people read and type it (smsenc(7), Sync keys).
enum Base32 {
    static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// The value of a character as people write it: ASCII case does not matter, I and L are 1, O is
    /// 0. Nil for U and everything else.
    static func value(of character: UInt8) -> UInt8? {
        let isLower = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(character)
        switch isLower ? character - 32 : character {
        case UInt8(ascii: "I"), UInt8(ascii: "L"): return 1
        case UInt8(ascii: "O"): return 0
        case let upper: return alphabet.firstIndex(of: upper).map { UInt8($0) }
        }
    }

    /// True for characters that people put between groups: hyphen, white space.
    static func isSeparator(_ character: UInt8) -> Bool {
        switch character {
        case UInt8(ascii: "-"), 0x20, 0x09...0x0D: true
        default: false
        }
    }
}
