/// How a token is coded that no context has: its kind, then which of the kind's characters it is
/// (smsenc(7), Compressed text).
enum LiteralCoding {
    /// Parts of the kinds, and of the change to another model that comes after them.
    static let totalWeight: UInt64 = 16
    static let modelSwitch: UInt64 = 15

    /// Numbers of models that can be told apart.
    static let modelCount: UInt64 = 32

    /// What a change of model takes, after the escapes.
    static let costOfModelSwitch = CodingCost.log2(UInt32(totalWeight * modelCount))

    /// A kind of characters: `weight` of the 16 parts from `start` on.
    struct CharacterClass {
        let start: UInt64
        let weight: UInt64
        /// Code points; nil for the frequent characters.
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

    /// The kind that a part stands for, or nil for the change of model.
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

    /// The first kind that has a character, and its place there. All but marks have one.
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

    /// What coding a character plainly takes, after the escapes.
    static func cost(of token: Token, home: ClosedRange<UInt32>) -> UInt32 {
        guard let (characterClass, _) = position(of: token, home: home) else { return .max / 2 }
        return CodingCost.log2(UInt32(totalWeight)) - CodingCost.log2(UInt32(characterClass.weight))
            + CodingCost.log2(UInt32(characterClass.count))
    }

    /// Signs and emoji that are coded cheaply in all languages: a variation selector and the two
    /// joiners first.
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
