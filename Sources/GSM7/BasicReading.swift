/// The common case of reading symbols: text of nothing but basic characters, each in its usual form.
///
/// It reads every ciphertext and nearly every frame; a table takes the place of looking at what stands
/// around a character.
enum BasicReading {
    /// Appends the symbols of a text and is true, or appends nothing and is false: the text holds other
    /// characters, or a combining one, is not UTF-8, or there is no room.
    ///
    /// - Parameter isRandom: true for a ciphertext, in which characters of one byte and of two follow
    ///   each other at random: a branch on that would be foreseen in half of the cases.
    static func read(
        _ utf8: Span<UInt8>, into symbols: inout OutputSpan<UInt8>, isRandom: Bool
    ) -> Bool {
        let count = utf8.count
        let table = table
        let before = symbols.count
        var room = symbols.freeCapacity
        var faults: UInt8 = 0
        var index = 0
        while index < count, room > 0 {
            let lead = utf8[index]
            room -= 1
            if !isRandom, lead < 0x80 {
                let symbol = table[Int(lead)]
                faults |= symbol
                symbols.append(symbol)
                index += 1
                continue
            }
            let isPair = Int(lead >> 7)
            let trail = index + isPair < count ? utf8[index + isPair] : 0
            let symbol = table[place(lead, trail)]
            // A fault shows in the highest bit: no symbol, a lead byte other than 0xC0 to 0xCF, a trail
            // byte that is none.
            faults |= symbol | lead & (~(lead << 1) | lead << 2 | lead << 3)
            faults |= UInt8(truncatingIfNeeded: isPair << 7) & ~(trail & ~(trail << 1))
            symbols.append(symbol)
            index += 1 + isPair
        }
        if index == count, faults < 0x80 { return true }
        symbols.removeLast(symbols.count - before)
        return false
    }

    /// Where a character of one or two bytes stands in the table: ASCII first, then 64 places for each
    /// lead byte from 0xC0 to 0xCF.
    @inline(__always)
    private static func place(_ lead: UInt8, _ trail: UInt8) -> Int {
        lead < 0x80 ? Int(lead) : 128 + 64 * Int(lead & 0x0F) + Int(trail & 0x3F)
    }

    /// The symbols, or 255 for what is none.
    private static let table: [UInt8] = {
        var table = [UInt8](repeating: .max, count: 128 + 64 * 16)
        for symbol in 0..<UInt8(Alphabet.symbolCount) {
            let bytes = Array(String(Alphabet.scalar(of: symbol)).utf8)
            table[place(bytes[0], bytes.count > 1 ? bytes[1] : 0)] = symbol
        }
        return table
    }()
}
