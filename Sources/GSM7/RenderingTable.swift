/// The rows of the transliteration, indexed by code point.
struct RenderingTable: Sendable {
    /// The renderings; the first is that of no character.
    private(set) var texts: [String] = [""]
    /// For each code point below U+10000 the place of its rendering in `texts`, 0 for none.
    private var places = [UInt16](repeating: 0, count: 0x1_0000)

    init() {
        for (first, row) in LatinRenderings.rows {
            var value = first
            for entry in row.split(separator: " ") {
                add(String(entry).replacingSpaces, at: value)
                value += 1
            }
        }
        for (characters, text) in SignRenderings.rows {
            for scalar in characters.unicodeScalars { add(text, at: Int(scalar.value)) }
        }
        for range in SignRenderings.invisible {
            for value in range { add("", at: value) }
        }
        for value in 0xFF01...0xFF5E where Code(Self.halfWidth(value), newline: .lineFeed) != .none
        {
            add(String(Self.halfWidth(value)), at: value)
        }
    }

    /// The place in `texts` of a character's rendering.
    func row(of scalar: Unicode.Scalar) -> Int? {
        guard scalar.value < 0x1_0000, places[Int(scalar.value)] != 0 else { return nil }
        return Int(places[Int(scalar.value)])
    }

    private mutating func add(_ text: String, at value: Int) {
        guard value < places.count, text != "·", text != Unicode.Scalar(value).map(String.init)
        else { return }
        places[value] = UInt16(texts.count)
        texts.append(text)
    }

    /// Full-width forms stand in the order of ASCII.
    private static func halfWidth(_ value: Int) -> Unicode.Scalar {
        Unicode.Scalar(UInt8(value - 0xFF00 + 0x20))
    }
}

extension String {
    /// Rows separate their entries by spaces, so `␣` stands for one.
    fileprivate var replacingSpaces: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0 == "␣" ? " " : $0 }))
    }
}
