/// The pairs of uppercase and lowercase letters that the compression supports (smsenc-protocol(7),
/// Compressed form).
///
/// Letters are encoded in lower case, and the marks SHIFT and CAPS represent uppercase letters. The pairs
/// of letters are part of the protocol. This type defines the pairs itself, because the case mappings of
/// the standard library may change.
struct CasePairs: Sendable {
    static let shared = CasePairs()

    /// For each uppercase or lowercase letter, the distance to the same letter in the other case. The
    /// distance is positive for uppercase letters, negative for lowercase letters, and 0 for characters
    /// without case.
    private var distances = [Int16](repeating: 0, count: 0x1F00)

    private init() {
        for (first, last, step, distance) in Self.rows {
            for capital in stride(from: first, through: last, by: step) {
                distances[capital] = Int16(distance)
                distances[capital + distance] = Int16(-distance)
            }
        }
    }

    /// Returns the distance from a letter to the same letter in the other case. Returns 0 for characters
    /// without case.
    @inline(__always)
    func distance(of value: UInt32) -> Int32 {
        value < distances.count ? Int32(distances[Int(value)]) : 0
    }

    /// Returns the same letter in the other case. If a character has no case, returns the same token.
    func otherCase(of token: Token) -> Token {
        Token(rawValue: token.rawValue &+ UInt32(bitPattern: distance(of: token.rawValue)))
    }

    /// Each row contains the first uppercase letter, the last uppercase letter, the step between uppercase
    /// letters, and the distance to the lowercase letter. The table contains only letters that occur in
    /// the supported languages.
    private static let rows: [(Int, Int, Int, Int)] = [
        (0x41, 0x5A, 1, 32),
        (0xC0, 0xD6, 1, 32),
        (0xD8, 0xDE, 1, 32),
        (0x100, 0x12E, 2, 1),
        (0x132, 0x136, 2, 1),
        (0x139, 0x147, 2, 1),
        (0x14A, 0x176, 2, 1),
        (0x179, 0x17D, 2, 1),
        (0x181, 0x181, 1, 210),
        (0x18A, 0x18A, 1, 205),
        (0x198, 0x198, 1, 1),
        (0x1A0, 0x1A0, 1, 1),
        (0x1AF, 0x1AF, 1, 1),
        (0x1B3, 0x1B3, 1, 1),
        (0x386, 0x386, 1, 38),
        (0x388, 0x38A, 1, 37),
        (0x38C, 0x38C, 1, 64),
        (0x38E, 0x38F, 1, 63),
        (0x391, 0x3A1, 1, 32),
        (0x3A3, 0x3AB, 1, 32),
        (0x400, 0x40F, 1, 80),
        (0x410, 0x42F, 1, 32),
        (0x490, 0x490, 1, 1),
        (0x1E00, 0x1E94, 2, 1),
        (0x1EA0, 0x1EFE, 2, 1),
    ]
}
