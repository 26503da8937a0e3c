/// Text as digits in base 125, coded with statistics of its language (smsenc(7), Compressed text).
package enum Compression {
    /// Digits that a text is compressed into: the symbols of a frame's text field.
    package static let digitCount = 144
    /// Code points of a text, at most.
    package static let maximumCharacters = 1000
    /// Bytes of UTF-8 of a text, at most.
    package static let longestUTF8 = 4 * maximumCharacters

    /// Appends the text that `room` digits hold, as it was compressed: UTF-8, newlines as LF. `text`
    /// has room for `longestUTF8` bytes.
    ///
    /// - Throws: `DecompressionFault`. Nothing is appended then.
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

    /// Appends the `room` digits of a text.
    ///
    /// - Parameter text: UTF-8 in NFC, newlines as LF.
    /// - Throws: `CompressionFault`. Nothing is appended then.
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

    /// The digits that a text takes: exactly where it fits `room`, else about so many, and more than
    /// that.
    ///
    /// - Parameter text: UTF-8 in NFC, newlines as LF, of any length.
    /// - Throws: `malformed`, `control`.
    package static func digitsNeeded(for text: Span<UInt8>) throws(CompressionFault) -> Int {
        try TextEncoder.withEncoder { (encoder) throws(CompressionFault) in
            let (characters, count) = try encoder.load(text)
            if count == characters, let length = encoder.encode(characters) { return length }
            return max(digitCount + 1, encoder.estimateDigits(characters) * count / characters)
        }
    }

    /// Bytes of a text's beginning that fits, the longest that is found at once; 0 where the text is
    /// malformed or has a control character.
    ///
    /// - Parameter text: UTF-8 in NFC, newlines as LF, of any length.
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
    /// The digits that characters take which do not fit: more than there is room for.
    fileprivate mutating func estimateDigits(_ count: Int) -> Int {
        let length = tokenize(count)
        var selection = ModelSelection(
            Language.candidates(for: characters.span.extracting(..<count)))
        _ = selection.evaluate(length, of: &self, limit: .max)
        let costOfDigit = ModelSelection.costOfDigit
        return max(
            Compression.digitCount + 1, Int((selection.leastCost + costOfDigit - 1) / costOfDigit))
    }

    /// How many of the first characters fit.
    fileprivate mutating func fittingCharacters(_ count: Int) -> Int {
        let length = tokenize(count)
        var selection = ModelSelection(
            Language.candidates(for: characters.span.extracting(..<count)))
        let evaluated = selection.evaluate(length, of: &self, limit: ModelSelection.hopelessCost)
        var fitting = tokens[..<selection.fittingTokens].count { !Token(rawValue: $0).isMark }
        if evaluated == length, encode(count) != nil { return count }
        // What the end takes, and the languages that are likely for the beginning, show only now.
        while fitting > 0, encodeCheapest(fitting) == nil { fitting -= 1 }
        return fitting
    }
}
