/// Compresses text into digits of base 125, using a statistical model of the text's language.
///
/// The format is specified in smsenc-protocol(7), Compressed form.
package enum Compression {
    /// Number of digits in compressed text. Each digit is one symbol of a frame's text field.
    package static let digitCount = 144
    /// Maximum number of code points in a text.
    package static let maximumCharacters = 1000
    /// Maximum number of bytes in a text as UTF-8.
    package static let longestUTF8 = 4 * maximumCharacters

    /// Decompresses `digits` and appends the text as UTF-8, with line feeds as newlines.
    ///
    /// There must be room for `longestUTF8` bytes in `text`. If another program has compressed the text,
    /// the result is not necessarily in NFC.
    ///
    /// - Throws: `DecompressionFault`. Nothing is appended if an error is thrown.
    @_lifetime(text: copy text)
    package static func decompress(
        _ digits: Span<UInt8>, into text: inout OutputSpan<UInt8>
    ) throws(DecompressionFault) {
        let start = text.count
        do throws(DecompressionFault) {
            try TextDecoder.decode(digits, into: &text)
        } catch {
            text.removeLast(text.count - start)
            throw error
        }
    }

    /// Compresses `text` and appends `digitCount` digits.
    ///
    /// - Parameter text: UTF-8 in NFC, with line feeds as newlines.
    /// - Throws: `CompressionFault`. Nothing is appended if an error is thrown.
    @_lifetime(digits: copy digits)
    package static func compress(
        _ text: Span<UInt8>, into digits: inout OutputSpan<UInt8>
    ) throws(CompressionFault) {
        try TextEncoder.withEncoder { (encoder) throws(CompressionFault) in
            let (characters, count) = try encoder.load(text)
            guard count == characters else { throw .tooManyCharacters(count) }
            guard let length = encoder.encode(characters) else { throw .tooLong }
            for index in 0..<length { digits.append(UInt8(encoder.digits[index])) }
            digits.append(repeating: 0, count: digitCount - length)
        }
    }

    /// Returns how many digits a text needs.
    ///
    /// If the text fits in `digitCount` digits, the returned number is exact. If the text does not fit,
    /// the returned number is an estimate that is greater than `digitCount`.
    ///
    /// - Parameter text: UTF-8 in NFC, with line feeds as newlines, of any length.
    /// - Throws: `malformed`, `control`.
    package static func digitsNeeded(for text: Span<UInt8>) throws(CompressionFault) -> Int {
        try TextEncoder.withEncoder { (encoder) throws(CompressionFault) in
            let (characters, count) = try encoder.load(text)
            if count == characters, let length = encoder.encode(characters) { return length }
            return max(digitCount + 1, encoder.estimateDigits(characters) * count / characters)
        }
    }

    /// Returns the length in bytes of a prefix of `text` that fits in `digitCount` digits.
    ///
    /// The function first estimates the length of the prefix, and then shortens the prefix until it fits.
    /// A longer prefix than the returned one may also fit. Returns 0 if the text is malformed or contains a
    /// control character.
    ///
    /// - Parameter text: UTF-8 in NFC, with line feeds as newlines, of any length.
    package static func fittingPrefixLength(of text: Span<UInt8>) -> Int {
        TextEncoder.withEncoder { (encoder) in
            guard let (characters, _) = try? encoder.load(text) else { return 0 }
            let fitting = encoder.fittingCharacters(characters)
            return encoder.characters[..<fitting].reduce(0) {
                $0 + (Unicode.Scalar($1).map { UTF8.width($0) } ?? 0)
            }
        }
    }
}

extension TextEncoder {
    /// Estimates how many digits the first `count` characters need if they do not fit in `digitCount`
    /// digits.
    fileprivate mutating func estimateDigits(_ count: Int) -> Int {
        let length = tokenize(count)
        var selection = ModelSelection(
            Language.candidates(for: characters.span.extracting(..<count)))
        _ = selection.evaluate(length, of: &self, limit: .max)
        let costOfDigit = ModelSelection.costOfDigit
        return max(
            Compression.digitCount + 1, Int((selection.leastCost + costOfDigit - 1) / costOfDigit))
    }

    /// Returns how many of the first `count` characters fit in `digitCount` digits.
    fileprivate mutating func fittingCharacters(_ count: Int) -> Int {
        let length = tokenize(count)
        var selection = ModelSelection(
            Language.candidates(for: characters.span.extracting(..<count)))
        let evaluated = selection.evaluate(length, of: &self, limit: ModelSelection.hopelessCost)
        var fitting = tokens[..<selection.fittingTokens].count { !Token(rawValue: $0).isMark }
        if evaluated == length, encode(count) != nil { return count }
        // `fittingTokens` does not include the END mark. In addition, some of the languages with which it
        // was computed may not be candidates for the prefix alone. Therefore, encode the prefix, and
        // shorten it until it fits.
        while fitting > 0, encodeCheapest(fitting) == nil { fitting -= 1 }
        return fitting
    }
}
