extension TextEncoder {
    /// Encodes the first `count` characters as digits. Tries several encodings until the digits of one
    /// encoding fit in a frame. Returns the number of digits, or nil if no encoding fits.
    ///
    /// The sequence of models with the lowest estimated cost nearly always gives the fewest digits. If the
    /// encoding with the lowest estimated cost is slightly too long, another encoding of about the same
    /// cost may still fit. The function therefore also tries encodings that end with a different model,
    /// use a single model for the whole text, or have different SHIFT and CAPS marks.
    mutating func encode(_ count: Int) -> Int? {
        let candidates = Language.candidates(for: characters.span.extracting(..<count))
        for languages in candidates.count < Language.all.count
            ? [candidates, Language.all] : [candidates]
        {
            for capsRun in [3, 2, 4, Int.max] {
                let length = tokenize(count, capsRun: capsRun)
                var selection = ModelSelection(languages)
                let evaluated = selection.evaluate(
                    length, of: &self, limit: ModelSelection.hopelessCost)
                // If less than half of the text fits, other languages or marks cannot make the whole text
                // fit.
                if evaluated < length / 2 { return nil }
                guard selection.leastCost <= ModelSelection.hopelessCost else { break }
                if let digits = encode(length, selection) { return digits }
            }
        }
        return nil
    }

    /// Encodes the first `count` characters with the sequence of models that has the lowest estimated
    /// cost. Returns nil if the digits do not fit in a frame, and does not try other sequences of models.
    mutating func encodeCheapest(_ count: Int) -> Int? {
        let length = tokenize(count)
        var selection = ModelSelection(
            Language.candidates(for: characters.span.extracting(..<count)))
        _ = selection.evaluate(length, of: &self, limit: ModelSelection.hopelessCost)
        guard selection.leastCost <= ModelSelection.hopelessCost else { return nil }
        traceBack(length, endingIn: selection.slotsByCost[0])
        return encodePath(length, selection.languages)
    }

    /// Encodes the first `length` tokens, and returns when an encoding fits in a frame. First tries the
    /// cheapest sequence of models that ends with each model, in order of increasing cost. Then tries each
    /// single model for the whole text, in the same order.
    private mutating func encode(_ length: Int, _ selection: ModelSelection) -> Int? {
        let slots = selection.slotsByCost
        for slot in slots where selection.costs[slot] <= ModelSelection.hopelessCost {
            traceBack(length, endingIn: slot)
            if let digits = encodePath(length, selection.languages) { return digits }
        }
        for slot in slots {
            setPath(length, toSlot: slot)
            if let digits = encodePath(length, selection.languages) { return digits }
        }
        return nil
    }

    /// Encodes the first `length` tokens with the models in `path`. Returns the number of digits, or nil
    /// if there are too many.
    private mutating func encodePath(_ length: Int, _ languages: [Language]) -> Int? {
        var rangeEncoder = RangeEncoder()
        var history = TokenHistory()
        var slot = path[0]
        var language = languages[Int(slot)]
        rangeEncoder.encode(UInt64(language.number), 1, of: LiteralCoding.modelCount, &digits)
        for index in 0..<length {
            let token = Token(rawValue: tokens[index])
            let isAfterMark = isAfterMark(index)
            if path[index] != slot {
                _ = encodeWithContexts(
                    nil, language, history, afterMark: isAfterMark, &rangeEncoder)
                slot = path[index]
                language = languages[Int(slot)]
                rangeEncoder.encode(
                    LiteralCoding.modelSwitch, 1, of: LiteralCoding.totalWeight, &digits)
                rangeEncoder.encode(
                    UInt64(language.number), 1, of: LiteralCoding.modelCount, &digits)
            }
            if !encodeWithContexts(token, language, history, afterMark: isAfterMark, &rangeEncoder)
            {
                encodeLiterally(token, language, &rangeEncoder)
            }
            if rangeEncoder.isFull { return nil }
            history.append(token)
        }
        rangeEncoder.finish(&digits)
        return rangeEncoder.isFull ? nil : rangeEncoder.count
    }

    /// Encodes a token with the first context that predicts it, after an escape from each earlier context.
    /// Returns true if a context predicts the token.
    ///
    /// If no context predicts the token, or if `token` is nil, the function encodes only an escape from
    /// each context.
    private mutating func encodeWithContexts(
        _ token: Token?, _ language: Language, _ history: TokenHistory, afterMark: Bool,
        _ rangeEncoder: inout RangeEncoder
    ) -> Bool {
        let model = language.model
        excluded.removeAll()
        if afterMark { excluded.insertMarks(of: model) }
        for index in model.chain(after: history, afterMark: afterMark).levels {
            let level = model.levels[index]
            let (weight, escape) = (UInt64(level.weight), UInt64(level.escapeWeight))
            if let token, let entry = model.entry(of: token, in: level.context) {
                let start = excluded.start(of: entry, in: level.context, of: model)
                let part = UInt64(model.entries[entry].weight)
                rangeEncoder.encode(start, part, of: weight + escape, &digits)
                return true
            }
            rangeEncoder.encode(weight, escape, of: weight + escape, &digits)
            excluded.insertEntries(of: level.context, in: model)
        }
        return false
    }

    private mutating func encodeLiterally(
        _ token: Token, _ language: Language, _ rangeEncoder: inout RangeEncoder
    ) {
        guard let (characterClass, index) = LiteralCoding.position(of: token, home: language.home)
        else {
            preconditionFailure("the empty context lacks a mark")
        }
        rangeEncoder.encode(
            characterClass.start, characterClass.weight, of: LiteralCoding.totalWeight, &digits)
        rangeEncoder.encode(index, 1, of: characterClass.count, &digits)
    }
}

extension ModelSelection {
    /// The slots of all models, in order of increasing cost.
    fileprivate var slotsByCost: [Int] {
        let costs = costs
        return languages.indices.sorted { costs[$0] < costs[$1] }
    }
}
