/// Capital letters and their small ones, by which a text is coded in small letters (protocol,
/// section 9, "Symbols").
struct CasePairs: Sendable {
    static let shared = CasePairs()

    /// For each code point the distance to its other case: above 0 for a capital letter, below 0 for
    /// a small one, 0 for what has no case.
    private var distances = [Int16](repeating: 0, count: 0x1F00)

    private init() {
        let bytes = Self.rows.utf8.span
        var index = 0
        while index < bytes.count {
            var capital = Self.number(bytes, &index, base: 16)
            let last = Self.number(bytes, &index, base: 16)
            let step = Self.number(bytes, &index, base: 10)
            let distance = Self.number(bytes, &index, base: 10)
            while capital <= last {
                distances[capital] = Int16(distance)
                distances[capital + distance] = Int16(-distance)
                capital += step
            }
        }
    }

    /// Reads a number, and what separates it from the next.
    private static func number(_ bytes: Span<UInt8>, _ index: inout Int, base: Int) -> Int {
        var number = 0
        while index < bytes.count, bytes[index] > UInt8(ascii: " ") {
            let digit = Int(bytes[index]) - (bytes[index] > UInt8(ascii: "9") ? 0x41 - 10 : 0x30)
            precondition(0..<base ~= digit, "a number of the case pairs has no such digit")
            number = number * base + digit
            index += 1
        }
        index += 1
        return number
    }

    /// The distance of a character to its other case, or 0.
    @inline(__always)
    func distance(of value: UInt32) -> Int32 {
        value < distances.count ? Int32(distances[Int(value)]) : 0
    }

    /// A character's other case, or itself where it has none.
    func other(of unit: Unit) -> Unit {
        Unit(rawValue: unit.rawValue &+ UInt32(bitPattern: distance(of: unit.rawValue)))
    }

    /// First capital, last capital, step, distance to the small letter: code points in hexadecimal,
    /// distances in decimal. Not all pairs that Unicode has: those that the languages need.
    static let rows = #"""
        41	5A	1	32
        C0	D6	1	32
        D8	DE	1	32
        100	12E	2	1
        132	136	2	1
        139	147	2	1
        14A	176	2	1
        179	17D	2	1
        181	181	1	210
        18A	18A	1	205
        198	198	1	1
        1A0	1A0	1	1
        1AF	1AF	1	1
        1B3	1B3	1	1
        386	386	1	38
        388	38A	1	37
        38C	38C	1	64
        38E	38F	1	63
        391	3A1	1	32
        3A3	3AB	1	32
        400	40F	1	80
        410	42F	1	32
        490	490	1	1
        1E00	1E94	2	1
        1EA0	1EFE	2	1
        """#
}
