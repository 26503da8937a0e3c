/// The 125 printable characters of the GSM default alphabet (3GPP TS 23.038, 6.2.1). The alphabet in the
/// standard also contains line feed, carriage return and escape.
///
/// A *symbol* is the index of a character in this alphabet, which is sorted by the characters' codes. The
/// symbol of `@` is 0, and the symbol of `à` is 124 (smsenc-protocol(7), Alphabet). A symbol is stored in
/// one byte.
///
/// This target, GSM7, contains everything that concerns text: the alphabet, UTF-8, Normalization Form C,
/// the length of a text in SMS, transliteration, and the diagnostics about faulty texts. This target has
/// no access to frames, files or options. A text is always passed as a `Span` of UTF-8. Messages are never
/// stored in a `String`, because the memory of a `String` cannot be overwritten.
///
/// - `CharacterCode` describes how one character is encoded in an SMS.
/// - `NormalText` normalises a text to NFC.
/// - `SMSLength` counts septets.
/// - `Transliteration` replaces characters that are not in the GSM alphabet.
/// - `TextFault` is the error type. A `TextFault` contains the column of the fault in the input before
///   normalisation.
package enum Alphabet {
    package static let symbolCount = 125
    /// Maximum length of a character in UTF-8, in bytes.
    package static let longestUTF8 = 2
    package static let space: UInt8 = 29

    /// All characters in the order of their symbols. All tables of the alphabet are derived from this
    /// string.
    package static let text =
        "@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡"
        + "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"

    private static let scalars = Array(text.unicodeScalars)

    /// Returns the symbol of a basic character, or nil for all other characters.
    package static func symbol(of scalar: Unicode.Scalar) -> UInt8? {
        let code = CharacterCode(scalar, newline: .lineFeed)
        return code.isBasic ? code.symbol : nil
    }

    /// Returns the character of a symbol below 125.
    package static func scalar(of symbol: UInt8) -> Unicode.Scalar { scalars[Int(symbol)] }

    /// The source of a text that must consist of basic characters.
    package enum Source: Equatable, Sendable {
        case frame
        /// The text is a ciphertext from a phone. Some phones show code 0x09 as `ç`, so `ç` is decoded as
        /// `Ç`. `CiphertextRepair` restores other characters that were changed.
        case ciphertext
    }

    /// Appends the symbols of a text. In NFC, the text must consist of basic characters.
    ///
    /// - Throws: the first fault. If `symbols` does not have enough room, throws `tooMany` with the number
    ///   of characters. Nothing is appended if an error is thrown.
    @_lifetime(symbols: copy symbols)
    package static func decode(
        _ utf8: Span<UInt8>, into symbols: inout OutputSpan<UInt8>, from source: Source = .frame
    ) throws(TextFault) {
        if source == .ciphertext, MixedRun.decode(utf8, into: &symbols) { return }
        do throws(TextFault) {
            _ = try CharacterCode.decode(utf8, newline: .picture, from: source, into: &symbols)
        } catch .tooMany(let characters) {
            throw .tooMany(characters: characters)
        } catch {
            switch source {
            case .frame: try decodeNormalised(utf8, into: &symbols, from: source)
            case .ciphertext:
                try CiphertextRepair.apply(to: utf8) { (text) throws(TextFault) in
                    try decodeNormalised(text, into: &symbols, from: source)
                }
            }
        }
    }

    /// Normalises a text to NFC and appends its symbols. For example, e followed by a combining acute
    /// accent becomes é.
    @_lifetime(symbols: copy symbols)
    private static func decodeNormalised(
        _ utf8: Span<UInt8>, into symbols: inout OutputSpan<UInt8>, from source: Source
    ) throws(TextFault) {
        try NormalText.normalise(utf8) { (text) throws(TextFault) in
            _ = try CharacterCode.decode(text, newline: .picture, from: source, into: &symbols)
        }
    }

    /// Appends symbols below 125 as UTF-8. For each symbol, there must be room for `longestUTF8` bytes in
    /// `output`.
    @_lifetime(output: copy output)
    package static func write(_ symbols: Span<UInt8>, to output: inout OutputSpan<UInt8>) {
        var start = 0
        while start < symbols.count {
            let plain = start &+ PlainRun.length(ofSymbols: symbols, from: start)
            PlainRun.write(symbols.extracting(start..<plain), to: &output)
            start = min(plain &+ PlainRun.block, symbols.count)
            writeAny(symbols.extracting(plain..<start), to: &output)
        }
    }

    @_lifetime(output: copy output)
    private static func writeAny(_ symbols: Span<UInt8>, to output: inout OutputSpan<UInt8>) {
        // In a ciphertext, characters of one and of two bytes alternate at random, so a branch would often
        // be mispredicted. Always write two bytes, and advance by the actual length.
        let utf8 = utf8
        var end = output.count
        output.append(repeating: 0, count: symbols.count * longestUTF8)
        var room = output.mutableSpan
        for index in symbols.indices {
            let bytes = utf8[Int(symbols[index])]
            room[end] = UInt8(truncatingIfNeeded: bytes)
            room[end &+ 1] = UInt8(truncatingIfNeeded: bytes >> 8)
            // The highest bit is set only in the second byte of a character.
            end &+= 1 &+ Int(bytes >> 15)
        }
        output.removeLast(output.count - end)
    }

    /// UTF-8 encoding of each symbol's character. If there is a second byte, it is in the upper eight
    /// bits.
    private static let utf8: [UInt16] = scalars.map { (scalar) in
        var bytes: UInt16 = 0
        for byte in String(scalar).utf8.reversed() { bytes = bytes << 8 | UInt16(byte) }
        return bytes
    }
}

/// The characters that are encoded in two septets (3GPP TS 23.038, 6.2.1.1). The first septet is an
/// escape, and the second is a code.
///
/// The form feed is in the extension table of the standard, but not in this table, because messages must
/// not contain control characters.
package enum ExtensionTable {
    /// Returns the character that is encoded as an escape followed by the code of `symbol`.
    package static func scalar(of symbol: UInt8) -> Unicode.Scalar? {
        rows.first { $0.symbol == symbol }?.character
    }

    /// The symbols with the codes 0x14, 0x28, 0x29, 0x2F, 0x3C, 0x3D, 0x3E, 0x40 and 0x65, which follow
    /// the escape.
    package static let rows: [(symbol: UInt8, character: Unicode.Scalar)] = [
        (0x12, "^"),  // Λ
        (0x25, "{"),  // (
        (0x26, "}"),  // )
        (0x2C, "\\"),  // /
        (0x39, "["),  // <
        (0x3A, "~"),  // =
        (0x3B, "]"),  // >
        (0x3D, "|"),  // ¡
        (0x62, "€"),  // e
    ]
}
