import Support

extension Generator {
    /// Returns a number that is usually small and sometimes large.
    mutating func length(upTo limit: Int) -> Int {
        let bits = number(below: UInt64.bitWidth - limit.leadingZeroBitCount)
        return min(limit, number(below: 2 << bits))
    }

    /// Pieces of records that often reveal faults.
    private static let pieces: [[UInt8]] = [
        "\u{1B}[2J", "\u{1B}]0;title\u{7}", "\u{9B}31m", "\u{202E}", "\u{2066}", "\u{200F}", "\r",
        "\r\n", "\n", "\u{0}", "\t", "\u{FEFF}", "\u{FFFD}", "\u{FFFE}", "\u{10FFFF}", "␊", "¤",
        "¤n", "¤_", "¤¤", "¤e", "¤Λ", "ç", "Ç", "C\u{327}", "e\u{301}", "\u{301}", "\u{308}\u{301}",
        "\u{212B}", "\u{1100}\u{1161}\u{11A8}", "👩‍👩‍👧", "\u{1F3FD}", "ﬁ", "…", "“", "\u{A0}", "  ",
        "€", "[", "{", "~", "\\", "|", "cos730", "cos731", "cos732", "1/3 ", "99/99 ",
        "smsenc1-",
        "SMSENC1", "-", "--", "%s%n", "'", "\"", "$(x)", "\u{7F}", "\u{85}", "\u{AD}", "à", "@",
    ].map { Array($0.utf8) }

    private static let malformed: [[UInt8]] = [
        [0xC0, 0x80], [0xC3], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF],
        [0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xEF, 0xBB], [0xF0, 0x80, 0x80, 0xAF],
    ]

    /// Characters of the alphabet and of its extension table, as UTF-8.
    private static let characters: [[UInt8]] =
        ("@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡"
        + "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà€[]{}^~|\\")
        .unicodeScalars.map { Array(String($0).utf8) }

    /// Returns random GSM characters.
    mutating func gsmText(_ count: Int) -> [UInt8] {
        (0..<count).flatMap { _ in pick(Self.characters) }
    }

    /// Returns random text that is almost valid or completely invalid.
    mutating func text(upTo limit: Int = 400) -> [UInt8] {
        var text: [UInt8] = []
        let count = length(upTo: limit)
        let kind = number(below: 6)
        while text.count < count {
            switch kind {
            case 0: text += bytes(min(count, 64))
            case 1: text += pick(Self.pieces)
            case 2: text += gsmText(1)
            case 3: text += once(in: 20) ? pick(Self.pieces) : gsmText(1)
            case 4: text += once(in: 20) ? pick(Self.malformed) : pick(Self.pieces)
            default: text += Self.utf8(of: next())
            }
        }
        return text
    }

    /// Returns any Unicode scalar. All ranges are equally likely.
    private static func utf8(of random: UInt64) -> [UInt8] {
        let limit: UInt32 = [0x80, 0x300, 0x3000, 0x11_0000][Int(random & 3)]
        let scalar = Unicode.Scalar(UInt32(truncatingIfNeeded: random >> 8) % limit)
        return Array(String(scalar ?? "\u{FFFD}").utf8)
    }

    /// Changes, inserts, removes, duplicates or moves some of the bytes.
    mutating func mutated(_ original: [UInt8], times: Int? = nil) -> [UInt8] {
        var bytes = original
        for _ in 0..<(times ?? 1 + length(upTo: 8)) {
            let place = number(below: bytes.count + 1)
            switch number(below: 8) {
            case 0 where place < bytes.count: bytes[place] = UInt8(next() >> 56)
            case 1 where place < bytes.count: bytes[place] ^= 1 << UInt8(number(below: 8))
            case 2: bytes.insert(contentsOf: pick(Self.pieces), at: place)
            case 3: bytes.insert(contentsOf: pick(Self.malformed), at: place)
            case 4: bytes.removeSubrange(place..<min(bytes.count, place + length(upTo: 16)))
            case 5: bytes.removeSubrange(place...)
            case 6:
                let end = min(bytes.count, place + length(upTo: 64))
                bytes.insert(contentsOf: bytes[place..<end], at: place)
            default: bytes.insert(contentsOf: gsmText(1), at: place)
            }
        }
        return bytes
    }

    /// Changes a few bytes, and keeps the length.
    mutating func flipped(_ original: [UInt8], atMost limit: Int = 8) -> [UInt8] {
        var bytes = original
        for _ in 0..<(1 + number(below: limit)) where !bytes.isEmpty {
            let place = number(below: bytes.count)
            bytes[place] =
                once(in: 2) ? UInt8(next() >> 56) : bytes[place] ^ 1 << UInt8(number(below: 8))
        }
        return bytes
    }
}
