/// The common case of reading symbols: text of nothing but basic characters, each in its usual form.
///
/// It reads every ciphertext and nearly every frame; a table takes the place of looking at what stands
/// around a character.
enum BasicReading {
    /// Appends the symbols of a text and is true, or appends nothing and is false: the text holds other
    /// characters, or a combining one, is not UTF-8, or there is no room.
    ///
    /// - Parameter isRandom: true for a ciphertext, in which characters of one byte and of two follow
    ///   each other at random: there nothing branches on that, and nothing waits for where a character
    ///   begins.
    static func read(
        _ utf8: Span<UInt8>, into symbols: inout OutputSpan<UInt8>, isRandom: Bool
    ) -> Bool {
        let count = utf8.count
        let table = table
        let before = symbols.count
        // A fault shows in the highest bit.
        var faults: UInt8 = 0
        var isTrailDue: UInt8 = 0
        var index = 0
        while index < count, symbols.freeCapacity > 0 {
            let byte = utf8[index]
            index += 1
            if !isRandom, byte | isTrailDue < 0x80 {
                let symbol = table[Int(byte)]
                faults |= symbol
                symbols.append(symbol)
                continue
            }
            let next = index < count ? utf8[index] : 0
            let isTrail = byte & ~(byte << 1) & 0x80
            // What a trail byte looks up, and writes, is not taken.
            let symbol = table[place(byte, next)]
            faults |= (symbol & ~isTrail) | (isTrail ^ isTrailDue)
            isTrailDue = byte & (byte << 1) & 0x80
            symbols.append(symbol)
            symbols.removeLast(Int(isTrail >> 7))
        }
        // The last character may have filled the room before its second byte.
        if index == count - 1, isTrailDue != 0, utf8[index] & 0xC0 == 0x80 {
            (index, isTrailDue) = (count, 0)
        }
        if index == count, (faults | isTrailDue) < 0x80 { return true }
        symbols.removeLast(symbols.count - before)
        return false
    }

    /// Where a character of one or two bytes stands in the table: ASCII first, then 64 places for each
    /// lead byte.
    @inline(__always)
    private static func place(_ lead: UInt8, _ trail: UInt8) -> Int {
        let ofPair = 128 + 64 * Int(lead & 0x3F) + Int(trail & 0x3F)
        // A product in the place of a choice, of which the compiler would make a branch.
        return Int(lead) + (ofPair - Int(lead)) * Int(lead >> 7)
    }

    /// The symbols, or 255 for what is none.
    private static let table: [UInt8] = {
        var table = [UInt8](repeating: .max, count: 128 + 64 * 64)
        for symbol in 0..<UInt8(Alphabet.symbolCount) {
            let bytes = Array(String(Alphabet.scalar(of: symbol)).utf8)
            table[place(bytes[0], bytes.count > 1 ? bytes[1] : 0)] = symbol
        }
        return table
    }()
}
