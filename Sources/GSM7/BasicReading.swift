/// The common case of reading symbols: text of nothing but basic characters, each in its usual form.
///
/// It reads every ciphertext and nearly every frame; a table takes the place of looking at what stands
/// around a character.
enum BasicReading {
    /// Appends the symbols of a text and is true, or appends nothing and is false: the text holds other
    /// characters, or a combining one, is not UTF-8, or there is no room.
    ///
    /// - Parameter isRandom: true for a ciphertext, in which characters of one byte and of two follow
    ///   each other at random.
    static func read(
        _ utf8: Span<UInt8>, into symbols: inout OutputSpan<UInt8>, isRandom: Bool
    ) -> Bool {
        let before = symbols.count
        // Written by index, into room that is made first: a count kept in memory would hold up the loop.
        symbols.append(repeating: 0, count: symbols.freeCapacity)
        var room = symbols.mutableSpan
        let end =
            isRandom
            ? readRandom(utf8, into: &room, from: before) : read(utf8, into: &room, from: before)
        symbols.removeLast(symbols.count - (end ?? before))
        return end != nil
    }

    /// Where the symbols end; nil where the text is not of basic characters, or has no room.
    private static func read(
        _ utf8: Span<UInt8>, into room: inout MutableSpan<UInt8>, from start: Int
    ) -> Int? {
        let table = table
        // A fault shows in the highest bit.
        var faults: UInt8 = 0
        var (index, end) = (0, start)
        while index < utf8.count, end < room.count {
            let byte = utf8[index]
            index += 1
            let symbol: UInt8
            if byte < 0x80 {
                symbol = table[Int(byte)]
            } else {
                guard index < utf8.count, byte >= 0xC0, utf8[index] & 0xC0 == 0x80 else {
                    return nil
                }
                symbol = table[place(byte, utf8[index])]
                index += 1
            }
            faults |= symbol
            room[end] = symbol
            end += 1
        }
        return index == utf8.count && faults < 0x80 ? end : nil
    }

    /// The same without a branch on how long a character is, and without waiting for where it begins:
    /// every byte is looked up with the one behind it, and what a trail byte gives is not taken.
    private static func readRandom(
        _ utf8: Span<UInt8>, into room: inout MutableSpan<UInt8>, from start: Int
    ) -> Int? {
        let table = table
        // A fault shows in the highest bit.
        var faults: UInt8 = 0
        var isTrailDue: UInt8 = 0
        var (index, end) = (0, start)
        while index < utf8.count, end < room.count {
            let byte = utf8[index]
            index += 1
            let next = index < utf8.count ? utf8[index] : 0
            let isTrail = byte & ~(byte << 1) & 0x80
            let symbol = table[place(byte, next)]
            faults |= (symbol & ~isTrail) | (isTrail ^ isTrailDue)
            isTrailDue = byte & (byte << 1) & 0x80
            room[end] = symbol
            end += 1 - Int(isTrail >> 7)
        }
        // The last character may have filled the room before its second byte.
        if index == utf8.count - 1, isTrailDue != 0, utf8[index] & 0xC0 == 0x80 {
            (index, isTrailDue) = (index + 1, 0)
        }
        return index == utf8.count && (faults | isTrailDue) < 0x80 ? end : nil
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
