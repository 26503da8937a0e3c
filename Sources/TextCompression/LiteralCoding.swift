/// Encodes characters that no context of a language model predicts. The encoding of a character consists
/// of the character's class, followed by its index in the class.
///
/// The page smsenc-protocol(7) calls a character that no context predicts a literal (Coding a compressed
/// text). In the literature on compression, the encoding of literals is called an order -1 model.
enum LiteralCoding {
    /// Total weight of the character classes and of the switch to another model. The interval of the
    /// switch is after the intervals of all classes.
    static let totalWeight: UInt64 = 16
    static let modelSwitch: UInt64 = 15

    /// Number of model numbers in the format.
    static let modelCount: UInt64 = 32

    /// Cost of switching to another model, without the cost of the escapes that precede the switch.
    static let costOfModelSwitch = CodingCost.log2(UInt32(totalWeight * modelCount))

    /// A class of characters, which is encoded as the interval with the beginning `start` and the length
    /// `weight`.
    struct CharacterClass {
        let start: UInt64
        let weight: UInt64
        /// The code points in this class of characters, or nil for the class that consists of
        /// `frequentCharacters`.
        let range: ClosedRange<UInt32>?

        var count: UInt64 { UInt64(range?.count ?? LiteralCoding.frequentCharacters.count) }

        func character(_ index: UInt64) -> Token {
            guard let range else { return LiteralCoding.frequentCharacters[Int(index)] }
            return Token(rawValue: range.lowerBound + UInt32(index))
        }

        fileprivate func index(of token: Token) -> UInt64? {
            guard let range else {
                return LiteralCoding.frequentIndex[token.rawValue].map(UInt64.init)
            }
            return range.contains(token.rawValue) ? UInt64(token.rawValue - range.lowerBound) : nil
        }
    }

    /// Returns the class of characters whose interval contains `value`, or nil if `value` represents the
    /// switch to another model.
    static func characterClass(at value: UInt64, home: ClosedRange<UInt32>) -> CharacterClass? {
        switch value {
        case 0..<5: CharacterClass(start: 0, weight: 5, range: home)
        case 5, 6: CharacterClass(start: 5, weight: 2, range: nil)
        case 7, 8: CharacterClass(start: 7, weight: 2, range: 0...0x7F)
        case 9: CharacterClass(start: 9, weight: 1, range: 0x80...0x2FF)
        case 10: CharacterClass(start: 10, weight: 1, range: 0x300...0x2FFF)
        case 11: CharacterClass(start: 11, weight: 1, range: 0x3000...0x9FFF)
        case 12: CharacterClass(start: 12, weight: 1, range: 0xA000...0xFFFF)
        case 13: CharacterClass(start: 13, weight: 1, range: 0x1_F000...0x1_FFFF)
        case 14: CharacterClass(start: 14, weight: 1, range: 0x1_0000...0x10_FFFF)
        default: nil
        }
    }

    /// Returns the first class of characters that contains a character, and the character's index in this
    /// class. Returns nil if the token is a mark.
    static func position(
        of token: Token, home: ClosedRange<UInt32>
    ) -> (characterClass: CharacterClass, index: UInt64)? {
        var value: UInt64 = 0
        while let candidate = characterClass(at: value, home: home) {
            if let index = candidate.index(of: token) { return (candidate, index) }
            value = candidate.start + candidate.weight
        }
        return nil
    }

    /// Returns the cost of encoding a character as a literal. The cost does not include the escapes before
    /// the literal.
    static func cost(of token: Token, home: ClosedRange<UInt32>) -> UInt32 {
        guard let (characterClass, _) = position(of: token, home: home) else { return .max / 2 }
        return CodingCost.log2(UInt32(totalWeight)) - CodingCost.log2(UInt32(characterClass.weight))
            + CodingCost.log2(UInt32(characterClass.count))
    }

    /// Punctuation and emoji that need few bits in all languages. The string begins with three invisible
    /// characters, namely a variation selector (U+FE0F) and the joiners U+200D and U+200C.
    static let frequentCharacters =
        ("\u{FE0F}\u{200D}\u{200C}’‘“”…–—•€°🏻🏼🏽🏾🏿😂🤣😭🙏🤔🙄😁😏🤲😎😀😅😍❤🙌🔥😡😢👏👍👌😠😊💯😒😄💪💔🤷"
        + "😥😆🤦😃👇🤗😘✊😜😩😋🥰🥺😔🙂😉🎉").unicodeScalars.map { Token(rawValue: $0.value) }

    private static let frequentIndex = {
        var index = HashIndex<UInt32>(count: frequentCharacters.count)
        for (position, token) in frequentCharacters.enumerated() {
            index.insert(position, for: token.rawValue)
        }
        return index
    }()
}
