internal import System

/// Replaces characters that are not in the GSM alphabet with similar GSM characters.
///
/// The tables of replacements are in `LatinTransliterations` and `SignTransliterations`. A character
/// without a transliteration is reported as an error. After conversion to NFC, a letter or digit can still
/// be followed by combining marks. A mark is joined with the letter or digit if this gives a GSM
/// character, and is removed otherwise. Invisible characters (soft hyphen, joiners, direction marks,
/// variation selectors, byte order marks) are always removed.
package enum Transliteration {
    /// Maximum ratio of the output size to the input size, in bytes.
    package static let growth = 2

    /// Returns the replacement of a character. Returns nil if there is no replacement, and an empty string
    /// if the character is removed.
    package static func rendering(of scalar: Unicode.Scalar, basicOnly: Bool = false) -> String? {
        if 0x80...0x9F ~= scalar.value {
            // The character is probably from Windows-1252 text that another program has decoded as
            // Latin-1.
            return ForeignEncoding.windows1252(UInt8(scalar.value)).flatMap {
                let rendering = rendering(of: $0, basicOnly: basicOnly)
                return CharacterCode($0, newline: .lineFeed) == .none || basicOnly
                    ? rendering : String($0)
            }
        }
        if let text = table[scalar] { return basicOnly ? inBasic(text) : text }
        return basicOnly ? SignTransliterations.basic[scalar] : nil
    }

    /// Appends a copy of a text in NFC, and replaces every character that is not in the GSM alphabet. For
    /// each byte of the text, there must be room for `growth` bytes.
    ///
    /// - Throws: a fault at the first character that has no replacement.
    @_lifetime(result: copy result)
    package static func render(
        _ utf8: Span<UInt8>, newline: Newline, basicOnly: Bool = false,
        to result: inout OutputSpan<UInt8>
    ) throws(TextFault) {
        let decoder = CharacterCode.Decoder(newline: newline)
        var base = Base()
        var index = 0
        var column = 1
        while index < utf8.count {
            let start = index
            let code = decoder.next(in: utf8, at: &index)
            if code.isBasic || code == .newline || (code.isExtended && !basicOnly) {
                result.append(copying: utf8.extracting(start..<index))
                base = Base(start: start, isOneByte: index - start == 1)
            } else {
                let fault = TextFault.at(start, column: column, in: utf8)
                guard let scalar = fault.scalar else { throw fault }
                index = start + UTF8.width(scalar)
                if let rendering = rendering(of: scalar, basicOnly: basicOnly) {
                    append(rendering, to: &result)
                    if !rendering.isEmpty {
                        base = Base(start: start, isOneByte: rendering.utf8.count == 1)
                    }
                } else if CodePoint.isMark(scalar), base.takesMarks(utf8) {
                    set(scalar, on: &base, in: &result)
                } else {
                    throw fault
                }
            }
            column += 1
        }
    }

    /// The character to which a combining mark applies.
    private struct Base {
        /// Offset of the character in the text.
        var start: Int?
        /// True if the character is a single byte in the result.
        var isOneByte = false

        /// Returns true if the character is a letter or digit.
        func takesMarks(_ utf8: Span<UInt8>) -> Bool {
            guard let start, let (scalar, _) = CodePoint.decode(utf8, at: start) else {
                return false
            }
            return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        }
    }

    /// Appends the replacement of a character. The replacement of a character such as ½ begins with a space,
    /// which is omitted if no digit precedes the character.
    private static func append(_ rendering: String, to result: inout OutputSpan<UInt8>) {
        let space = UInt8(ascii: " ")
        let isAfterDigit = result.count > 0 && (0x30...0x39).contains(last(of: result))
        let isFraction = rendering.utf8.first == space && rendering.utf8.count > 1
        for byte in rendering.utf8.dropFirst(isFraction && !isAfterDigit ? 1 : 0) {
            result.append(byte)
        }
    }

    private static func last(of result: borrowing OutputSpan<UInt8>) -> UInt8 {
        result.span[result.count - 1]
    }

    /// Joins a combining mark with a letter if this gives a GSM character, and drops the mark otherwise.
    /// The conversion to NFC does not join a mark with a letter if there is another mark between the
    /// letter and the mark.
    private static func set(
        _ mark: Unicode.Scalar, on base: inout Base, in result: inout OutputSpan<UInt8>
    ) {
        guard base.isOneByte else { return }
        let pair = [last(of: result)] + Array(String(mark).utf8)
        let composed = NormalSegment(pair.span, from: 0).normalScalars(pair.span)
        guard composed.count == 1, Alphabet.symbol(of: composed[0]) != nil else { return }
        _ = result.removeLast()
        result.append(composed[0])
        base.isOneByte = false
    }

    /// Replaces the characters of the extension table in a replacement, and returns the result. Returns
    /// nil if a character in the replacement cannot be expressed in the basic alphabet.
    private static func inBasic(_ text: String) -> String? {
        var result = ""
        for scalar in text.unicodeScalars {
            if Alphabet.symbol(of: scalar) != nil {
                result.unicodeScalars.append(scalar)
            } else if let basic = SignTransliterations.basic[scalar] {
                result += basic
            } else {
                return nil
            }
        }
        return result
    }

    /// Replacements of all characters, built from the tables.
    private static let table: [Unicode.Scalar: String] = {
        var table: [Unicode.Scalar: String] = [:]
        func add(_ text: String, at value: Int) {
            guard let scalar = Unicode.Scalar(value), text != "·", text != String(scalar)
            else { return }
            table[scalar] = text
        }
        for (first, row) in LatinTransliterations.rows {
            for (offset, entry) in row.split(separator: " ").enumerated() {
                add(String(entry.map { $0 == "␣" ? " " : $0 }), at: first + offset)
            }
        }
        for (characters, text) in SignTransliterations.rows {
            for scalar in characters.unicodeScalars { add(text, at: Int(scalar.value)) }
        }
        for range in SignTransliterations.invisible {
            for value in range { add("", at: value) }
        }
        // The full-width forms are in the same order as the ASCII characters.
        for value in 0xFF01...0xFF5E {
            let narrow = Unicode.Scalar(UInt8(value - 0xFF00 + 0x20))
            if CharacterCode(narrow, newline: .lineFeed) != .none { add(String(narrow), at: value) }
        }
        return table
    }()
}
