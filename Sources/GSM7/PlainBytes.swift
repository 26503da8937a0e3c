/// The commonest characters, one septet and one byte each, looked at many at a time: space to `Z` and
/// `a` to `z`.
///
/// The answers lie in bit 7 of a byte, into which additions carry from a bound on. There being neither
/// branch nor comparison in the loops, the compiler makes vector instructions of them: a table, or
/// `if`, is ten times slower.
enum PlainBytes {
    /// True where all bytes are plain.
    @inline(__always)
    static func isAll(_ bytes: Span<UInt8>) -> Bool {
        var others: UInt8 = 0
        for index in bytes.indices { others |= isOther(bytes[index]) }
        return others & 0x80 == 0
    }

    /// True where all bytes are plain, or one ASCII character that is not.
    @inline(__always)
    static func isAll(_ bytes: Span<UInt8>, or exception: UInt8) -> Bool {
        var others: UInt8 = 0
        for index in bytes.indices {
            let byte = bytes[index]
            others |= isOther(byte) & differs(byte, exception)
        }
        return others & 0x80 == 0
    }

    /// True where all bytes are plain, and none of two that are.
    @inline(__always)
    static func isAll(_ bytes: Span<UInt8>, but one: UInt8, _ other: UInt8) -> Bool {
        var others: UInt8 = 0
        for index in bytes.indices {
            let byte = bytes[index]
            others |= isOther(byte) | ~(differs(byte, one) & differs(byte, other))
        }
        return others & 0x80 == 0
    }

    /// How often a byte occurs.
    static func count(of wanted: UInt8, in bytes: Span<UInt8>) -> Int {
        var count = 0
        var start = 0
        while bytes.count - start >= 64 {
            let part = bytes.extracting(start..<(start + 64))
            var inPart: UInt8 = 0
            for index in part.indices { inPart &+= ~differs(part[index], wanted) >> 7 }
            count += Int(inPart)
            start += 64
        }
        for index in start..<bytes.count where bytes[index] == wanted { count += 1 }
        return count
    }

    /// Bit 7 is set where a byte is not plain.
    @inline(__always)
    private static func isOther(_ byte: UInt8) -> UInt8 {
        let upper = (byte &+ (0x80 - 0x20)) & ~(byte &+ (0x80 - 0x5B))
        let lower = (byte &+ (0x80 - 0x61)) & ~(byte &+ (0x80 - 0x7B))
        return byte | ~(upper | lower)
    }

    /// Bit 7 is set where two bytes differ.
    @inline(__always)
    private static func differs(_ one: UInt8, _ other: UInt8) -> UInt8 {
        let difference = one ^ other
        return difference | (difference &+ 0x7F)
    }
}
