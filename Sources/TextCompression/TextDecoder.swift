internal import GSM7

/// Decompresses one text.
struct TextDecoder: ~Copyable {
    private var rangeDecoder: RangeDecoder
    private var language: Language
    private var model: LanguageModel
    private var history = TokenHistory()
    private var excluded = ExcludedTokens()

    /// Appends the text that is encoded in `digits`.
    ///
    /// - Throws: `DecompressionFault`. If an error is thrown, part of the text may already have been
    ///   appended.
    @_lifetime(text: copy text)
    static func decode(
        _ digits: Span<UInt8>, into text: inout OutputSpan<UInt8>
    ) throws(DecompressionFault) {
        var rangeDecoder = RangeDecoder(digits)
        let language = try language(&rangeDecoder, digits)
        var decoder = TextDecoder(
            rangeDecoder: rangeDecoder, language: language, model: language.model)
        defer { decoder.excluded.overwrite() }
        try decoder.readText(digits, into: &text)
    }

    @_lifetime(text: copy text)
    private mutating func readText(
        _ digits: Span<UInt8>, into text: inout OutputSpan<UInt8>
    ) throws(DecompressionFault) {
        var (isCaps, isShifted) = (false, false)
        var isAfterMark = false
        var count = 0
        while true {
            let token = try readToken(afterMark: isAfterMark, digits)
            if token == .end { return }
            isAfterMark = token.isMark
            if token == .caps {
                isCaps.toggle()
            } else if token == .shift {
                isShifted = true
            } else {
                let cased = isCaps == isShifted ? token : CasePairs.shared.otherCase(of: token)
                guard let character = Unicode.Scalar(cased.rawValue) else {
                    throw .surrogate(cased.rawValue)
                }
                if cased.isControl { throw .control(character) }
                guard count < Compression.maximumCharacters else { throw .tooManyCharacters }
                count += 1
                history.append(token)
                text.append(character)
                isShifted = false
            }
        }
    }

    private mutating func readToken(
        afterMark: Bool, _ digits: Span<UInt8>
    ) throws(DecompressionFault) -> Token {
        while true {
            if let token = try readEntry(afterMark: afterMark, digits) { return token }
            let value = try rangeDecoder.decodeValue(below: LiteralCoding.totalWeight)
            if let characterClass = LiteralCoding.characterClass(at: value, home: language.home) {
                try rangeDecoder.narrow(to: characterClass.start, characterClass.weight, digits)
                return characterClass.character(
                    try rangeDecoder.decodeIndex(below: characterClass.count, digits))
            }
            try rangeDecoder.narrow(to: LiteralCoding.modelSwitch, 1, digits)
            language = try Self.language(&rangeDecoder, digits)
            model = language.model
        }
    }

    /// Decodes a token that a context predicts, or returns nil if no context predicts the token.
    private mutating func readEntry(
        afterMark: Bool, _ digits: Span<UInt8>
    ) throws(DecompressionFault) -> Token? {
        excluded.removeAll()
        if afterMark { excluded.insertMarks(of: model) }
        for index in model.chain(after: history, afterMark: afterMark).levels {
            let level = model.levels[index]
            let (weight, escape) = (UInt64(level.weight), UInt64(level.escapeWeight))
            let value = try rangeDecoder.decodeValue(below: weight + escape)
            if value < weight {
                let (entry, start) = excluded.entry(at: value, in: level.context, of: model)
                try rangeDecoder.narrow(to: start, UInt64(entry.weight), digits)
                return entry.token
            }
            try rangeDecoder.narrow(to: weight, escape, digits)
            excluded.insertEntries(of: level.context, in: model)
        }
        return nil
    }

    private static func language(
        _ rangeDecoder: inout RangeDecoder, _ digits: Span<UInt8>
    ) throws(DecompressionFault) -> Language {
        let number = Int(try rangeDecoder.decodeIndex(below: LiteralCoding.modelCount, digits))
        guard number < Language.all.count else { throw .unknownModel(number) }
        return Language.all[number]
    }
}
