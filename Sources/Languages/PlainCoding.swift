/// How a unit is coded that no context has: its kind, then which of the kind's characters it is
/// (smsenc(7), Compressed text).
enum PlainCoding {
    /// Parts of the kinds, and of the change to another model that comes after them.
    static let parts: UInt64 = 16
    static let changeOfModel: UInt64 = 15

    /// Numbers of models that can be told apart.
    static let models: UInt64 = 32

    /// What a change of model takes, after the escapes.
    static let priceOfChange = Price.log2(UInt32(parts * models))

    /// A kind of characters: `weight` of the 16 parts from `start` on.
    struct Kind {
        let start: UInt64
        let weight: UInt64
        /// Code points; nil for the frequent characters.
        let range: ClosedRange<UInt32>?

        var count: UInt64 { UInt64(range?.count ?? PlainCoding.frequent.count) }

        func character(_ index: UInt64) -> Unit {
            guard let range else { return PlainCoding.frequent[Int(index)] }
            return Unit(rawValue: range.lowerBound + UInt32(index))
        }

        fileprivate func index(of unit: Unit) -> UInt64? {
            guard let range else {
                return PlainCoding.placesOfFrequent[unit.rawValue].map(UInt64.init)
            }
            return range.contains(unit.rawValue) ? UInt64(unit.rawValue - range.lowerBound) : nil
        }
    }

    /// The kind that a part stands for, or nil for the change of model.
    static func kind(at part: UInt64, home: ClosedRange<UInt32>) -> Kind? {
        switch part {
        case 0..<5: Kind(start: 0, weight: 5, range: home)
        case 5, 6: Kind(start: 5, weight: 2, range: nil)
        case 7, 8: Kind(start: 7, weight: 2, range: 0...0x7F)
        case 9: Kind(start: 9, weight: 1, range: 0x80...0x2FF)
        case 10: Kind(start: 10, weight: 1, range: 0x300...0x2FFF)
        case 11: Kind(start: 11, weight: 1, range: 0x3000...0x9FFF)
        case 12: Kind(start: 12, weight: 1, range: 0xA000...0xFFFF)
        case 13: Kind(start: 13, weight: 1, range: 0x1_F000...0x1_FFFF)
        case 14: Kind(start: 14, weight: 1, range: 0x1_0000...0x10_FFFF)
        default: nil
        }
    }

    /// The first kind that has a character, and its place there. All but marks have one.
    static func place(
        of unit: Unit, home: ClosedRange<UInt32>
    ) -> (kind: Kind, index: UInt64)? {
        var part: UInt64 = 0
        while let kind = kind(at: part, home: home) {
            if let index = kind.index(of: unit) { return (kind, index) }
            part = kind.start + kind.weight
        }
        return nil
    }

    /// What coding a character plainly takes, after the escapes.
    static func price(of unit: Unit, home: ClosedRange<UInt32>) -> UInt32 {
        guard let (kind, _) = place(of: unit, home: home) else { return .max / 2 }
        return Price.log2(UInt32(parts)) - Price.log2(UInt32(kind.weight))
            + Price.log2(UInt32(kind.count))
    }

    /// Signs and emoji that are coded cheaply in all languages: a variation selector and the two
    /// joiners first.
    static let frequent =
        ("\u{FE0F}\u{200D}\u{200C}’‘“”…–—•€°🏻🏼🏽🏾🏿😂🤣😭🙏🤔🙄😁😏🤲😎😀😅😍❤🙌🔥😡😢👏👍👌😠😊💯😒😄💪💔🤷"
        + "😥😆🤦😃👇🤗😘✊😜😩😋🥰🥺😔🙂😉🎉").unicodeScalars.map { Unit(rawValue: $0.value) }

    private static let placesOfFrequent = {
        var places = Lookup<UInt32>(count: frequent.count)
        for (index, unit) in frequent.enumerated() { places.add(index, at: unit.rawValue) }
        return places
    }()
}
