/// The 125 printable characters of the GSM default alphabet (3GPP TS 23.038, 6.2.1): all but line
/// feed, carriage return and escape.
///
/// A *symbol* is a character's rank among them in code order, in a byte: 0 is `@`, 124 is `à`.
package enum Alphabet {
    package static let symbolCount = 125
    /// Bytes of UTF-8 that a character takes at most.
    package static let longestUTF8 = 2
    package static let space: UInt8 = 29

    /// The characters in the order of their symbols.
    package static let text =
        "@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡"
        + "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"

    /// The symbol of a basic character, or nil for any other.
    package static func symbol(of scalar: Unicode.Scalar) -> UInt8? {
        let code = Code(scalar, newline: .symbol)
        return code.isBasic ? code.symbol : nil
    }

    /// The character of a symbol below 125.
    package static func scalar(of symbol: UInt8) -> Unicode.Scalar {
        let bytes = utf8[Int(symbol)]
        let lead = UInt8(truncatingIfNeeded: bytes)
        let trail = UInt8(truncatingIfNeeded: bytes >> 8)
        if trail == 0 { return Unicode.Scalar(lead) }
        return Unicode.Scalar(UInt16(lead & 0x1F) << 6 | UInt16(trail & 0x3F)) ?? "\u{FFFD}"
    }

    /// Where basic characters come from.
    package enum Source: Equatable, Sendable {
        case frame
        /// From a phone, which may show code 0x09 as `ç`: that is read as `Ç`.
        case ciphertext
    }

    /// Appends the symbols of a text of basic characters, in NFC or not.
    ///
    /// - Throws: the first fault; `tooMany`, with the number of characters, where they are more than
    ///   `symbols` has room for. Nothing is appended then.
    package static func read(
        _ utf8: Span<UInt8>, into symbols: inout OutputSpan<UInt8>, from source: Source = .frame
    ) throws(TextFault) {
        if BasicReading.read(utf8, into: &symbols) { return }
        let room = symbols.freeCapacity
        let tally = try Code.read(
            utf8, into: &symbols, accepting: source == .frame ? .basic : .basicFromPhone)
        guard tally.characters <= room else {
            symbols.removeLast(room)
            throw .tooMany(characters: tally.characters)
        }
    }

    /// Appends symbols below 125 as UTF-8: at most `longestUTF8` bytes for each.
    package static func write(_ symbols: Span<UInt8>, to output: inout OutputSpan<UInt8>) {
        guard output.freeCapacity >= symbols.count * longestUTF8 else {
            for index in symbols.indices { write(symbols[index], to: &output) }
            return
        }
        // A ciphertext's characters have one byte or two at random, which no branch foresees; and a
        // count kept in memory would hold up the loop, so room is made first.
        var end = output.count
        output.append(repeating: 0, count: symbols.count * longestUTF8)
        var room = output.mutableSpan
        for index in symbols.indices {
            let bytes = utf8[Int(symbols[index])]
            room.store(bytes.littleEndian, at: end)
            // A second byte has its highest bit set.
            end &+= 1 &+ Int(bytes >> 15)
        }
        output.removeLast(output.count - end)
    }

    /// Appends a symbol below 125 as UTF-8.
    @inline(__always)
    package static func write(_ symbol: UInt8, to output: inout OutputSpan<UInt8>) {
        let bytes = utf8[Int(symbol)]
        output.append(UInt8(truncatingIfNeeded: bytes))
        if bytes > 0xFF { output.append(UInt8(truncatingIfNeeded: bytes >> 8)) }
    }

    /// The UTF-8 of each symbol: the first byte, and 256 times the second where there is one; a test
    /// compares them with `text`.
    private static let utf8: InlineArray<125, UInt16> = [
        0x0040, 0xA3C2, 0x0024, 0xA5C2, 0xA8C3, 0xA9C3, 0xB9C3, 0xACC3,
        0xB2C3, 0x87C3, 0x98C3, 0xB8C3, 0x85C3, 0xA5C3, 0x94CE, 0x005F,
        0xA6CE, 0x93CE, 0x9BCE, 0xA9CE, 0xA0CE, 0xA8CE, 0xA3CE, 0x98CE,
        0x9ECE, 0x86C3, 0xA6C3, 0x9FC3, 0x89C3, 0x0020, 0x0021, 0x0022,
        0x0023, 0xA4C2, 0x0025, 0x0026, 0x0027, 0x0028, 0x0029, 0x002A,
        0x002B, 0x002C, 0x002D, 0x002E, 0x002F, 0x0030, 0x0031, 0x0032,
        0x0033, 0x0034, 0x0035, 0x0036, 0x0037, 0x0038, 0x0039, 0x003A,
        0x003B, 0x003C, 0x003D, 0x003E, 0x003F, 0xA1C2, 0x0041, 0x0042,
        0x0043, 0x0044, 0x0045, 0x0046, 0x0047, 0x0048, 0x0049, 0x004A,
        0x004B, 0x004C, 0x004D, 0x004E, 0x004F, 0x0050, 0x0051, 0x0052,
        0x0053, 0x0054, 0x0055, 0x0056, 0x0057, 0x0058, 0x0059, 0x005A,
        0x84C3, 0x96C3, 0x91C3, 0x9CC3, 0xA7C2, 0xBFC2, 0x0061, 0x0062,
        0x0063, 0x0064, 0x0065, 0x0066, 0x0067, 0x0068, 0x0069, 0x006A,
        0x006B, 0x006C, 0x006D, 0x006E, 0x006F, 0x0070, 0x0071, 0x0072,
        0x0073, 0x0074, 0x0075, 0x0076, 0x0077, 0x0078, 0x0079, 0x007A,
        0xA4C3, 0xB6C3, 0xB1C3, 0xBCC3, 0xA0C3,
    ]
}
