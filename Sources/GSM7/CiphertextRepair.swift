/// Undoes changes to the characters of a ciphertext. Phones, chat apps and mail programs make such changes
/// when a text is copied.
///
/// The characters that are replaced or removed never occur in an unchanged ciphertext, so a repair cannot
/// damage a ciphertext. Only decryption shows whether the repaired text is a ciphertext.
enum CiphertextRepair {
    /// Passes the repaired text to `body`, without leading and trailing white space.
    ///
    /// - Throws: the errors of `body`. The columns in these errors refer to `utf8`, not to the repaired text.
    static func apply<Result: ~Copyable>(
        to utf8: Span<UInt8>, _ body: (Span<UInt8>) throws(TextFault) -> Result
    ) throws(TextFault) -> Result {
        var repaired: [UInt8] = []
        repaired.reserveCapacity(utf8.count)
        var index = 0
        while index < utf8.count {
            if let (scalar, length) = CodePoint.decode(utf8, at: index) {
                if let original = original(of: scalar) {
                    repaired += UTF8.encode(original) ?? UTF8.encodedReplacementCharacter
                }
                index += length
            } else {
                repaired.append(utf8[index])
                index += 1
            }
        }
        let text = WhiteSpace.trimmed(repaired.span)
        do throws(TextFault) {
            return try body(repaired.span.extracting(text))
        } catch {
            guard let column = error.column else { throw error }
            let before = characters(in: repaired.span.extracting(..<text.lowerBound))
            throw error.moved(to: inputColumn(of: before + column, utf8))
        }
    }

    /// Returns the character that was sent, or nil if this character was inserted in transit.
    private static func original(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        // These characters are the soft hyphen, invisible spaces, direction marks, isolates, and the byte
        // order mark.
        case 0xAD, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2069, 0xFEFF: nil
        case 0xA0, 0x1680, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: " "
        case 0x2010...0x2015, 0x2212: "-"
        case 0x2018...0x201B: "'"
        case 0x201C...0x201F: "\""
        case 0x2206: "Δ"
        case 0x220F: "Π"
        case 0x2211: "Σ"
        case 0x20AC: "¤"
        case 0xFFE5: "¥"
        default: scalar
        }
    }

    private static func characters(in utf8: Span<UInt8>) -> Int {
        utf8.indices.count { utf8[$0] & 0xC0 != 0x80 }
    }

    /// Converts a column of the repaired text to a column of the input.
    private static func inputColumn(of column: Int, _ utf8: Span<UInt8>) -> Int {
        var (index, inputColumn, kept) = (0, 0, 0)
        while kept < column, index < utf8.count {
            inputColumn += 1
            let character = CodePoint.decode(utf8, at: index)
            if character.map({ original(of: $0.scalar) }) != .some(nil) { kept += 1 }
            index += character?.length ?? 1
        }
        return inputColumn
    }
}
