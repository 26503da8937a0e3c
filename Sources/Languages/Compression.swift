/// Text as digits in base 125, coded with statistics of its language (smsenc(7), Compressed text).
package enum Compression {
    /// Digits that a text is compressed into: the symbols of a frame's text field.
    package static let room = 144
    /// Code points of a text, at most.
    package static let mostCharacters = 1000
    /// Bytes of UTF-8 of a text, at most.
    package static let longestUTF8 = 4 * mostCharacters

    /// Appends the text that `room` digits hold, as it was compressed: UTF-8, newlines as LF. `text`
    /// has room for `longestUTF8` bytes.
    ///
    /// - Throws: `ReadingFault`. Nothing is appended then.
    @_lifetime(text: copy text)
    package static func read(
        _ digits: Span<UInt8>, into text: inout OutputSpan<UInt8>
    ) throws(ReadingFault) {
        let start = text.count
        do throws(ReadingFault) {
            try Reading.read(digits, into: &text)
        } catch {
            text.removeLast(text.count - start)
            throw error
        }
    }

    /// Appends the `room` digits of a text.
    ///
    /// - Parameter text: UTF-8 in NFC, newlines as LF.
    /// - Throws: `WritingFault`. Nothing is appended then.
    @_lifetime(digits: copy digits)
    package static func write(
        _ text: Span<UInt8>, into digits: inout OutputSpan<UInt8>
    ) throws(WritingFault) {
        try Workspace.lend { (workspace) throws(WritingFault) in
            let (characters, count) = try workspace.take(text)
            guard count == characters else { throw .tooManyCharacters(count) }
            guard let length = workspace.encode(characters) else { throw .tooLong }
            for index in 0..<length { digits.append(UInt8(workspace.digits[index])) }
            digits.append(repeating: 0, count: room - length)
        }
    }

    /// The digits that a text takes: exactly where it fits `room`, else about so many, and more than
    /// that.
    ///
    /// - Parameter text: UTF-8 in NFC, newlines as LF, of any length.
    /// - Throws: `malformed`, `control`.
    package static func length(of text: Span<UInt8>) throws(WritingFault) -> Int {
        try Workspace.lend { (workspace) throws(WritingFault) in
            let (characters, count) = try workspace.take(text)
            if count == characters, let length = workspace.encode(characters) { return length }
            return max(room + 1, workspace.estimate(characters) * count / characters)
        }
    }

    /// Bytes of a text's beginning that fits, the longest that is found at once; 0 where the text is
    /// malformed or has a control character.
    ///
    /// - Parameter text: UTF-8 in NFC, newlines as LF, of any length.
    package static func fittingLength(of text: Span<UInt8>) -> Int {
        Workspace.lend { (workspace) in
            guard let (characters, _) = try? workspace.take(text) else { return 0 }
            let fitting = workspace.fittingCharacters(characters)
            return workspace.characters[..<fitting].reduce(0) {
                $0 + (Unicode.Scalar($1).map { UTF8.width($0) } ?? 0)
            }
        }
    }
}

extension Workspace {
    /// The digits that characters take which do not fit: more than there is room for.
    fileprivate mutating func estimate(_ count: Int) -> Int {
        let length = spell(count)
        var choice = Choice(Language.likely(for: characters.span.extracting(..<count)))
        _ = choice.go(through: length, of: &self, limit: .max)
        let price = Choice.priceOfDigit
        return max(Compression.room + 1, Int((choice.leastCost + price - 1) / price))
    }

    /// How many of the first characters fit.
    fileprivate mutating func fittingCharacters(_ count: Int) -> Int {
        let length = spell(count)
        var choice = Choice(Language.likely(for: characters.span.extracting(..<count)))
        let gone = choice.go(through: length, of: &self, limit: Choice.hopeless)
        var fitting = units[..<choice.fittingUnits].count { !Unit(rawValue: $0).isMark }
        if gone == length, encode(count) != nil { return count }
        // What the end takes, and the languages that are likely for the beginning, show only now.
        while fitting > 0, encodeCheapest(fitting) == nil { fitting -= 1 }
        return fitting
    }
}
