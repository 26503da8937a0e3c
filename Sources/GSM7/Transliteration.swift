/// Fair renderings, in GSM characters, of characters that GSM has not.
///
/// The table is static (`LatinRenderings`, `SignRenderings`). What has no row stays, and is a fault.
/// A combining mark that NFC could not compose falls away after a letter or digit, unless the two
/// make a GSM character. Characters that show nothing (soft hyphen, joiners, marks of direction,
/// variation selectors, byte order marks) fall away everywhere.
package enum Transliteration {
    /// Bytes that a text grows to at most, for each of its own.
    package static let growth = 2

    /// The rendering of a character: nil where there is none, empty for one that falls away.
    package static func rendering(of scalar: Unicode.Scalar, basicOnly: Bool = false) -> String? {
        if let row = table.row(of: scalar) {
            return basicOnly ? inBasic(table.texts[row]) : table.texts[row]
        }
        return basicOnly ? SignRenderings.basic[scalar] : nil
    }

    /// Appends a text in NFC with every character that is not GSM rendered: at most `growth` bytes for
    /// each of its own.
    ///
    /// - Throws: the first character that has no rendering.
    package static func render(
        _ utf8: Span<UInt8>, newline: Newline, basicOnly: Bool = false,
        to result: inout OutputSpan<UInt8>
    ) throws(TextFault) {
        var base = Base()
        var index = 0
        var column = 1
        while index < utf8.count {
            let start = index
            let code = Code.next(in: utf8, at: &index, newline: newline)
            if code.isBasic || code == .newline || (code.isExtended && !basicOnly) {
                for offset in start..<index { result.append(utf8[offset]) }
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

    /// The character that marks are set on.
    private struct Base {
        /// Where it stands in the text.
        var start: Int?
        /// True when a single byte stands for it in the result.
        var isOneByte = false

        /// True for letters and digits.
        func takesMarks(_ utf8: Span<UInt8>) -> Bool {
            guard let start, let (scalar, _) = CodePoint.read(utf8, at: start) else { return false }
            return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        }
    }

    /// Appends a rendering. That of a fraction begins with a space, which is for a digit before it.
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

    /// Sets a combining mark on a letter where GSM has the two as one character, else drops it.
    private static func set(
        _ mark: Unicode.Scalar, on base: inout Base, in result: inout OutputSpan<UInt8>
    ) {
        guard base.isOneByte,
            let composed = SignRenderings.composed(Unicode.Scalar(last(of: result)), mark)
        else { return }
        _ = result.removeLast()
        for byte in UTF8.encode(composed) ?? UTF8.encodedReplacementCharacter {
            result.append(byte)
        }
        base.isOneByte = false
    }

    /// A rendering without characters of the extension table, or nil where they have none.
    private static func inBasic(_ text: String) -> String? {
        var result = ""
        for scalar in text.unicodeScalars {
            if Alphabet.symbol(of: scalar) != nil {
                result.unicodeScalars.append(scalar)
            } else if let basic = SignRenderings.basic[scalar] {
                result += basic
            } else {
                return nil
            }
        }
        return result
    }

    private static let table = RenderingTable()
}
