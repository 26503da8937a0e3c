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

    /// A text with every character that is not GSM rendered.
    ///
    /// - Throws: the first character that has no rendering, its column that of the text's input.
    package static func rendered(
        _ text: NormalText, newline: Newline, basicOnly: Bool = false
    ) throws(TextFault) -> [UInt8] {
        let utf8 = text.utf8.span
        var result: [UInt8] = []
        result.reserveCapacity(growth * utf8.count)
        var last = Last.other
        var index = 0
        var column = 1
        while index < utf8.count {
            let start = index
            let code = Code.next(in: utf8, at: &index, newline: newline)
            if code.isBasic || code == .newline || (code.isExtended && !basicOnly) {
                last = index == start + 1 ? .of(utf8[start]) : .of(code)
                for offset in start..<index { result.append(utf8[offset]) }
            } else {
                let fault = TextFault.at(start, column: column, in: utf8)
                guard let scalar = fault.scalar,
                    let next = append(scalar, after: last, to: &result, basicOnly)
                else { throw text.inInput(fault) }
                last = next
                index = start + UTF8.width(scalar)
            }
            column += 1
        }
        return result
    }

    /// What stands before a character, as far as that matters to its rendering.
    private enum Last: Equatable {
        /// A letter of ASCII that may yet take a mark, and so become a GSM character.
        case plainLetter
        case letter
        case digit
        case other

        static func of(_ byte: UInt8) -> Last {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
                .plainLetter
            case UInt8(ascii: "0")...UInt8(ascii: "9"): .digit
            default: .other
            }
        }

        static func of(_ code: Code) -> Last {
            guard code.isBasic else { return .other }
            return Alphabet.scalar(of: code.symbol).properties.isAlphabetic ? .letter : .other
        }
    }

    /// Appends a rendering and returns what now stands last, or nil where there is none.
    private static func append(
        _ scalar: Unicode.Scalar, after last: Last, to result: inout [UInt8], _ basicOnly: Bool
    ) -> Last? {
        guard let text = rendering(of: scalar, basicOnly: basicOnly) else {
            guard last != .other, CodePoint.isMark(scalar) else { return nil }
            return mark(scalar, after: last, in: &result)
        }
        if text.isEmpty { return last }
        let isFractionAlone = text.utf8.first == UInt8(ascii: " ") && text != " " && last != .digit
        result.append(contentsOf: isFractionAlone ? text.dropFirst().utf8 : text[...].utf8)
        let end = text.utf8.count == 1 ? Last.of(text.utf8.last ?? 0) : .letter
        return scalar.properties.isAlphabetic || end == .digit ? end : .other
    }

    /// Sets a combining mark on the letter before it where GSM has the two as one, else drops it.
    private static func mark(
        _ scalar: Unicode.Scalar, after last: Last, in result: inout [UInt8]
    ) -> Last {
        guard last == .plainLetter, let letter = result.last,
            let composed = SignRenderings.composed(Unicode.Scalar(letter), scalar)
        else { return last }
        result.removeLast()
        result.append(contentsOf: UTF8.encode(composed) ?? UTF8.encodedReplacementCharacter)
        return .letter
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
