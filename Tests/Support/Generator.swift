/// A SplitMix64 pseudo-random generator. The same seed produces the same numbers.
package struct Generator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    package mutating func number(below limit: Int) -> Int { Int(next() % UInt64(limit)) }

    /// Returns true with a probability of 1/`times`.
    package mutating func once(in times: Int) -> Bool { number(below: times) == 0 }

    package mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(next() >> 56) }
    }

    package mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[number(below: elements.count)]
    }

    /// Returns random text that contains GSM characters, combining marks, characters that are not in NFC,
    /// symbols and emoji.
    package mutating func text(
        _ count: Int, from characters: [Unicode.Scalar] = Generator.mixed
    ) -> String {
        var view = String.UnicodeScalarView()
        for _ in 0..<count { view.append(pick(characters)) }
        return String(view)
    }

    package static let mixed = Array(
        ("aeinouAECz019 .,é€[]~^¤Δ\u{301}\u{300}\u{308}\u{327}\u{316}\u{212B}\u{2126}ê“”…—\u{A0}\u{200D}😀жם中"
            + "\u{1100}\u{1161}\u{11A8}\u{37E}␊").unicodeScalars)
}
