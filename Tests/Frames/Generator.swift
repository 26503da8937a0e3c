/// SplitMix64: the same numbers in every run.
struct Generator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) }
    }

    /// Text of all that matters here: GSM characters, marks, what is not in NFC, signs, emoji.
    mutating func text(_ count: Int, from characters: [Unicode.Scalar] = Generator.mixed) -> String
    {
        var view = String.UnicodeScalarView()
        for _ in 0..<count { view.append(characters[number(below: characters.count)]) }
        return String(view)
    }

    static let mixed = Array(
        ("aeinouAECz019 .,é€[]~^¤Δ\u{301}\u{300}\u{308}\u{327}\u{316}\u{212B}\u{2126}ê“”…—\u{A0}\u{200D}😀жם中"
            + "\u{1100}\u{1161}\u{11A8}\u{37E}␊").unicodeScalars)
}
