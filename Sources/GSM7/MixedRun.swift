/// Decodes ciphertexts and similar texts, in which basic characters of one byte and of two bytes alternate
/// at random.
///
/// With a branch for each character, many branches would be mispredicted. To avoid branches, the loop
/// looks up each byte together with the byte before it, and always writes the result of the look-up. If a
/// byte does not complete a character, the result for the next byte overwrites the written result.
enum MixedRun {
    /// First bytes of the basic characters that are encoded in two bytes.
    private static let leads: [UInt8] = [0xC2, 0xC3, 0xCE]
    /// Value in `codes` for the first byte of a character of two bytes, larger than any symbol.
    private static let lead: UInt8 = 0x80
    /// Value in `codes` for a byte that is not part of a basic character.
    private static let other: UInt8 = 0xFF

    /// For each byte, the offset of the row in `codes` in which the next byte is looked up. Each lead byte
    /// has its own row in `codes`, and all other bytes share the first row.
    private static let rows: [UInt16] = {
        var rows = [UInt16](repeating: 0, count: 256)
        for (index, lead) in leads.enumerated() { rows[Int(lead)] = UInt16(index + 1) * 256 }
        return rows
    }()

    /// For each row and byte, the symbol of the character that ends with this byte. In place of a symbol,
    /// the table contains `lead` for a lead byte, and `other` for a byte that is not part of a basic
    /// character.
    private static let codes: [UInt8] = {
        var codes = [UInt8](repeating: other, count: (leads.count + 1) * 256)
        for byte in leads { codes[Int(byte)] = lead }
        for symbol in 0..<UInt8(Alphabet.symbolCount) {
            let utf8 = Array(String(Alphabet.scalar(of: symbol)).utf8)
            let row = utf8.count == 1 ? 0 : Int(rows[Int(utf8[0])])
            codes[row + Int(utf8[utf8.count - 1])] = symbol
        }
        return codes
    }()

    /// Appends the symbols of a text of basic characters.
    ///
    /// Returns false, and appends nothing, if the text contains a character that is not basic, or if
    /// `symbols` does not have enough room.
    @_lifetime(symbols: copy symbols)
    static func decode(_ utf8: Span<UInt8>, into symbols: inout OutputSpan<UInt8>) -> Bool {
        // Copies of the tables. They avoid accesses to static properties, each of which checks whether the
        // property has been initialised.
        let (rows, codes) = (rows, codes)
        let start = symbols.count
        symbols.append(repeating: 0, count: symbols.freeCapacity)
        var room = symbols.mutableSpan
        var end = start
        var isComplete = true
        var (before, highest): (UInt8, UInt8) = (0, 0)
        for index in utf8.indices {
            guard end < room.count else {
                isComplete = false
                break
            }
            let byte = utf8[index]
            let code = codes[Int(rows[Int(before)]) &+ Int(byte)]
            room[end] = code
            // Advance only if the byte has completed a character. The code is then a symbol, and bit 7 is
            // not set.
            end &+= 1 &- Int(code >> 7)
            highest = max(highest, code)
            before = byte
        }
        isComplete = isComplete && highest <= lead && rows[Int(before)] == 0
        symbols.removeLast(symbols.count - (isComplete ? end : start))
        return isComplete
    }
}
