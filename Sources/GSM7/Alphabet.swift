/// The 125 printable characters of the GSM default alphabet (3GPP TS 23.038, 6.2.1): all but line
/// feed, carriage return and escape.
///
/// This target, GSM7, owns what is true of text as such: the alphabet, UTF-8, Normalization Form C,
/// what a text takes of an SMS, the renderings of characters that GSM has not, and the words for what
/// is wrong with a text. It knows neither frames nor files nor options. A text is
/// a `Span` of UTF-8 everywhere; no `String` holds a message. Begin with `CharacterCode`, which says
/// how one character travels; `NormalText` is the only way to Normalization Form C, `Measure` counts
/// septets, `Transliteration` renders. Errors are `TextFault`, with columns of the input as it came.
///
/// A *symbol* is a character's rank among them in code order, in a byte: 0 is `@`, 124 is `à`
/// (smsenc(7), Alphabet).
package enum Alphabet {
    package static let symbolCount = 125
    /// Bytes of UTF-8 that a character takes at most.
    package static let longestUTF8 = 2
    package static let space: UInt8 = 29

    /// The characters in the order of their symbols: all that is known of them follows from this.
    package static let text =
        "@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡"
        + "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"

    private static let scalars = Array(text.unicodeScalars)

    /// The symbol of a basic character, or nil for any other.
    package static func symbol(of scalar: Unicode.Scalar) -> UInt8? {
        let code = CharacterCode(scalar, newline: .lineFeed)
        return code.isBasic ? code.symbol : nil
    }

    /// The character of a symbol below 125.
    package static func scalar(of symbol: UInt8) -> Unicode.Scalar { scalars[Int(symbol)] }

    /// Where basic characters come from.
    package enum Source: Equatable, Sendable {
        case frame
        /// From a phone, which may show code 0x09 as `ç`, which is taken for `Ç`, or have changed other characters
        /// in ways that `CiphertextRepair` undoes.
        case ciphertext
    }

    /// Appends the symbols of a text of basic characters, in NFC or not.
    ///
    /// - Throws: the first fault; `tooMany`, with the number of characters, where they are more than
    ///   `symbols` has room for. Nothing is appended then.
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

    /// Appends the symbols of a text whose characters are basic in NFC, as the letter and mark that make an é.
    @_lifetime(symbols: copy symbols)
    private static func decodeNormalised(
        _ utf8: Span<UInt8>, into symbols: inout OutputSpan<UInt8>, from source: Source
    ) throws(TextFault) {
        try NormalText.normalise(utf8) { (text) throws(TextFault) in
            _ = try CharacterCode.decode(text, newline: .picture, from: source, into: &symbols)
        }
    }

    /// Appends symbols below 125 as UTF-8. There must be room for `longestUTF8` bytes for each.
    @_lifetime(output: copy output)
    package static func write(_ symbols: Span<UInt8>, to output: inout OutputSpan<UInt8>) {
        var start = 0
        while start &+ PlainRun.block <= symbols.count {
            let block = symbols.extracting(start..<(start &+ PlainRun.block))
            if PlainRun.holds(block) {
                PlainRun.write(block, to: &output)
            } else {
                writeAny(block, to: &output)
            }
            start &+= PlainRun.block
        }
        writeAny(symbols.extracting(start...), to: &output)
    }

    @_lifetime(output: copy output)
    private static func writeAny(_ symbols: Span<UInt8>, to output: inout OutputSpan<UInt8>) {
        // A ciphertext's characters have one byte or two at random, so a branch would be mispredicted:
        // always write two, and advance by the real length.
        let utf8 = utf8
        var end = output.count
        output.append(repeating: 0, count: symbols.count * longestUTF8)
        var room = output.mutableSpan
        for index in symbols.indices {
            let bytes = utf8[Int(symbols[index])]
            room[end] = UInt8(truncatingIfNeeded: bytes)
            room[end &+ 1] = UInt8(truncatingIfNeeded: bytes >> 8)
            // A second byte has its highest bit set.
            end &+= 1 &+ Int(bytes >> 15)
        }
        output.removeLast(output.count - end)
    }

    /// The UTF-8 of each symbol: the first byte, and 256 times the second where there is one.
    private static let utf8: [UInt16] = scalars.map { (scalar) in
        var bytes: UInt16 = 0
        for byte in String(scalar).utf8.reversed() { bytes = bytes << 8 | UInt16(byte) }
        return bytes
    }
}

/// The characters that travel as an escape and another code, so take two septets (3GPP TS 23.038,
/// 6.2.1.1). Form feed is in that table too but is a control character, which no message holds.
package enum ExtensionTable {
    /// The character that the escape and the code of this symbol stand for.
    package static func scalar(of symbol: UInt8) -> Unicode.Scalar? {
        rows.first { $0.symbol == symbol }?.character
    }

    /// Codes 0x14, 0x28, 0x29, 0x2F, 0x3C, 0x3D, 0x3E, 0x40 and 0x65.
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
