/// The common case of reading symbols: text of nothing but basic characters, each in its usual form.
///
/// It reads every ciphertext and nearly every frame; a table takes the place of looking at what stands
/// around a character.
enum BasicReading {
    /// Appends the symbols of a text and is true, or appends nothing and is false: the text holds other
    /// characters, or a combining one, is not UTF-8, or there is no room.
    static func read(_ utf8: Span<UInt8>, into symbols: inout OutputSpan<UInt8>) -> Bool {
        let before = symbols.count
        // Written by index, into room that is made first: a count kept in memory would hold up the loop.
        symbols.append(repeating: 0, count: symbols.freeCapacity)
        var room = symbols.mutableSpan
        let end = read(utf8, into: &room, from: before)
        symbols.removeLast(symbols.count - (end ?? before))
        return end != nil
    }

    /// Where the symbols end; nil where the text is not of basic characters, or has no room.
    ///
    /// A ciphertext's characters have one byte or two at random, which no branch foresees: each byte is
    /// looked up in the row that the one before it chooses, and what a lead byte gives is not taken.
    private static func read(
        _ utf8: Span<UInt8>, into room: inout MutableSpan<UInt8>, from start: Int
    ) -> Int? {
        let (table, rows) = (table, rows)
        // A fault shows in the highest bit.
        var faults: UInt8 = 0
        var row = 0
        var end = start
        var index = 0
        while index < utf8.count {
            let chunk = utf8.extracting(index..<min(index + chunkSize, utf8.count))
            index += chunk.count
            if row == 0, copyPlain(chunk, to: &room, at: end) {
                end += chunk.count
                continue
            }
            for index in chunk.indices {
                guard end < room.count else { return nil }
                let byte = Int(chunk[index])
                let symbol = table[row | byte]
                row = Int(rows[byte])
                faults |= symbol
                room[end] = symbol
                end += byte < 0xC0 ? 1 : 0
            }
        }
        return faults < 0x80 && row == 0 ? end : nil
    }

    private static let chunkSize = 16

    /// Writes the symbols of a chunk of plain characters, whose codes are those of ASCII; false where it
    /// holds others, is no whole one, or has no room.
    @inline(__always)
    private static func copyPlain(
        _ chunk: Span<UInt8>, to room: inout MutableSpan<UInt8>, at start: Int
    ) -> Bool {
        guard chunk.count == chunkSize, room.count - start >= chunkSize,
            PlainBytes.isAll(chunk, but: UInt8(ascii: "@"), UInt8(ascii: "$"))
        else { return false }
        var symbols = SIMD16<UInt8>()
        for index in 0..<chunkSize { symbols[index] = chunk[index] &- codesWithoutSymbol }
        room.store(symbols, at: start)
        return true
    }
    /// Codes below the printable ones that are no symbols: line feed, carriage return and escape.
    private static let codesWithoutSymbol: UInt8 = 3

    /// Lead bytes of the characters with two bytes.
    private static let leads: [UInt8] = [0xC2, 0xC3, 0xCE]

    /// For each byte the row of the table for the one that follows: 256 for the first of `leads` and
    /// so on, 0 for all others.
    private static let rows: [UInt16] = {
        var rows = [UInt16](repeating: 0, count: 256)
        for (index, lead) in leads.enumerated() { rows[Int(lead)] = UInt16(256 * (index + 1)) }
        return rows
    }()

    /// The symbols, or 255 for what is none: a row for bytes that begin a character, in which lead bytes
    /// have a 0, and one for what follows each of these.
    private static let table: [UInt8] = {
        var table = [UInt8](repeating: .max, count: 256 * (leads.count + 1))
        for lead in leads { table[Int(lead)] = 0 }
        for symbol in 0..<UInt8(Alphabet.symbolCount) {
            let bytes = Array(String(Alphabet.scalar(of: symbol)).utf8)
            let row = bytes.count > 1 ? Int(rows[Int(bytes[0])]) : 0
            table[row | Int(bytes[bytes.count - 1])] = symbol
        }
        return table
    }()
}
