internal import GSM7

extension TextEncoder {
    /// Decodes UTF-8 and stores at most `Compression.maximumCharacters` characters in `characters`.
    ///
    /// - Returns: the number of characters stored, and the number of characters in the text.
    /// - Throws: `malformed`, `control`.
    mutating func load(_ text: Span<UInt8>) throws(CompressionFault) -> (loaded: Int, total: Int) {
        var (index, count) = (0, 0)
        while index < text.count {
            guard let (scalar, length) = CodePoint.decode(text, at: index) else {
                throw .malformed(text[index], column: count + 1)
            }
            let token = Token(rawValue: scalar.value)
            if token.isControl { throw .control(scalar, column: count + 1) }
            if count < characters.count { characters[count] = token.rawValue }
            index += length
            count += 1
        }
        return (min(count, characters.count), count)
    }

    /// Converts the first `count` characters into tokens, and stores them in `tokens`. Uppercase letters
    /// are replaced with lowercase letters and the marks SHIFT and CAPS. The last token is END. The
    /// function returns the number of tokens.
    ///
    /// - Parameter capsRun: minimum length of a run of letters for which CAPS is used. In a shorter run of
    ///   uppercase letters, SHIFT precedes each letter.
    mutating func tokenize(_ count: Int, capsRun: Int = 3) -> Int {
        let pairs = CasePairs.shared
        var isCaps = false
        var length = 0
        for index in 0..<count {
            let distance = pairs.distance(of: characters[index])
            if distance != 0, (distance > 0) != isCaps {
                if capsRun <= count - index, isRun(of: capsRun, in: index..<count) {
                    tokens[length] = Token.caps.rawValue
                    isCaps.toggle()
                } else {
                    tokens[length] = Token.shift.rawValue
                }
                length += 1
            }
            tokens[length] = characters[index] &+ UInt32(bitPattern: max(distance, 0))
            length += 1
        }
        tokens[length] = Token.end.rawValue
        return length + 1
    }

    /// Returns true if the next `letters` letters have the same case. The function ignores characters
    /// without case.
    private func isRun(of letters: Int, in range: Range<Int>) -> Bool {
        let pairs = CasePairs.shared
        let isCapital = pairs.distance(of: characters[range.lowerBound]) > 0
        var left = letters
        for index in range where left > 0 {
            let distance = pairs.distance(of: characters[index])
            if distance == 0 { continue }
            if (distance > 0) != isCapital { return false }
            left -= 1
        }
        return left == 0
    }
}
