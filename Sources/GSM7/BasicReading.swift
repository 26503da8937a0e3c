/// The common case of reading symbols: text of nothing but basic characters, each in its usual form.
///
/// It reads every ciphertext and nearly every frame; a table takes the place of looking at what stands
/// around a character. Which characters have one byte and which two is at random in a ciphertext, so
/// nothing here branches on it.
enum BasicReading {
    /// Appends the symbols of a text and is true, or appends nothing and is false: the text holds other
    /// characters, or a combining one, is not UTF-8, or there is no room.
    static func read(_ utf8: Span<UInt8>, into symbols: inout OutputSpan<UInt8>) -> Bool {
        let count = utf8.count
        let before = symbols.count
        var room = symbols.freeCapacity
        var faults: UInt8 = 0
        var index = 0
        while index < count, room > 0 {
            let lead = utf8[index]
            let isPair = Int(lead >> 7)
            let trail = index + isPair < count ? utf8[index + isPair] : 0
            let symbol = table[place(lead, trail)]
            // A fault shows in the highest bit: no symbol, a trail byte that leads, none that trails.
            faults |= symbol | lead & ~(lead << 1)
            faults |= UInt8(truncatingIfNeeded: isPair << 7) & ~(trail & ~(trail << 1))
            symbols.append(symbol)
            index += 1 + isPair
            room -= 1
        }
        if index == count, faults < 0x80 { return true }
        symbols.removeLast(symbols.count - before)
        return false
    }

    /// Where a character of one or two bytes stands in the table: ASCII first, then 64 places for each
    /// lead byte of `leads`, then 64 that hold none.
    @inline(__always)
    private static func place(_ lead: UInt8, _ trail: UInt8) -> Int {
        let row = Int(rows[Int(lead & 0x3F)])
        return lead < 0x80 ? Int(lead) : 128 + 64 * row + Int(trail & 0x3F)
    }

    /// The lead bytes of all basic characters of two bytes.
    private static let leads: InlineArray<3, UInt8> = [0xC2, 0xC3, 0xCE]

    /// By the low six bits of a lead byte, which of `leads` it is.
    private static let rows: InlineArray<64, UInt8> = {
        var rows = InlineArray<64, UInt8>(repeating: UInt8(leads.count))
        for index in leads.indices { rows[Int(leads[index] & 0x3F)] = UInt8(index) }
        return rows
    }()

    /// The symbols, or 255 for what is none.
    private static let table: InlineArray<384, UInt8> = {
        var table = InlineArray<384, UInt8>(repeating: .max)
        for symbol in 0..<UInt8(Alphabet.symbolCount) {
            let bytes = Array(String(Alphabet.scalar(of: symbol)).utf8)
            table[place(bytes[0], bytes.count > 1 ? bytes[1] : 0)] = symbol
        }
        return table
    }()
}
