extension Workspace {
    /// Codes a text's first characters as digits, in the first way found that fits.
    ///
    /// The cheapest is nearly always the one. Where it just does not fit, there may be one that costs
    /// as little and does: ending in another model, in one model alone, with other marks.
    ///
    /// - Returns: the number of digits, or nil.
    mutating func encode(_ count: Int) -> Int? {
        let likely = Language.likely(for: characters.span.extracting(..<count))
        for languages in likely.count < Language.all.count ? [likely, Language.all] : [likely] {
            for capsRun in [3, 2, 4, Int.max] {
                let length = spell(count, capsRun: capsRun)
                var choice = Choice(languages)
                let gone = choice.go(through: length, of: &self, limit: Choice.hopeless)
                // No other language can make that up.
                if gone < length / 2 { return nil }
                guard choice.leastCost <= Choice.hopeless else { break }
                if let digits = encode(length, choice) { return digits }
            }
        }
        return nil
    }

    /// Codes the units in the cheapest way alone.
    mutating func encodeCheapest(_ count: Int) -> Int? {
        let length = spell(count)
        var choice = Choice(Language.likely(for: characters.span.extracting(..<count)))
        _ = choice.go(through: length, of: &self, limit: Choice.hopeless)
        guard choice.leastCost <= Choice.hopeless else { return nil }
        setPath(length, endingIn: choice.slots[0])
        return encodePath(length, choice.languages)
    }

    /// Codes the units in the ways of a choice, the cheapest first.
    private mutating func encode(_ length: Int, _ choice: Choice) -> Int? {
        let slots = choice.slots
        for slot in slots where choice.costs[slot] <= Choice.hopeless {
            setPath(length, endingIn: slot)
            if let digits = encodePath(length, choice.languages) { return digits }
        }
        for slot in slots {
            setPath(length, everywhere: slot)
            if let digits = encodePath(length, choice.languages) { return digits }
        }
        return nil
    }

    /// Codes the units with the models of the path.
    ///
    /// - Returns: the number of digits, or nil where they are too many.
    private mutating func encodePath(_ length: Int, _ languages: [Language]) -> Int? {
        var writer = IntervalWriter()
        var history = History()
        var slot = path[0]
        var language = languages[Int(slot)]
        writer.put(UInt64(language.number), 1, of: PlainCoding.models, &digits)
        for index in 0..<length {
            let unit = Unit(rawValue: units[index])
            let isAfterMark = isAfterMark(index)
            if path[index] != slot {
                _ = put(nil, language, history, afterMark: isAfterMark, &writer)
                slot = path[index]
                language = languages[Int(slot)]
                writer.put(PlainCoding.changeOfModel, 1, of: PlainCoding.parts, &digits)
                writer.put(UInt64(language.number), 1, of: PlainCoding.models, &digits)
            }
            if !put(unit, language, history, afterMark: isAfterMark, &writer) {
                putPlainly(unit, language, &writer)
            }
            if writer.isFull { return nil }
            history.append(unit)
        }
        writer.finish(&digits)
        return writer.isFull ? nil : writer.count
    }

    /// Codes a unit that a context has, else all escapes, as for no unit; whether a context has it.
    private mutating func put(
        _ unit: Unit?, _ language: Language, _ history: History, afterMark: Bool,
        _ writer: inout IntervalWriter
    ) -> Bool {
        let model = language.model
        exclusions.removeAll()
        if afterMark { exclusions.addMarks(of: model) }
        for index in model.chain(after: history, afterMark: afterMark).steps {
            let step = model.steps[index]
            let (weight, escape) = (UInt64(step.weight), UInt64(step.escapeWeight))
            if let unit, let entry = model.entry(of: unit, in: step.context) {
                let start = exclusions.start(of: entry, in: step.context, of: model)
                let part = UInt64(model.entries[entry].weight)
                writer.put(start, part, of: weight + escape, &digits)
                return true
            }
            writer.put(weight, escape, of: weight + escape, &digits)
            exclusions.add(step.context, of: model)
        }
        return false
    }

    private mutating func putPlainly(
        _ unit: Unit, _ language: Language, _ writer: inout IntervalWriter
    ) {
        guard let (kind, index) = PlainCoding.place(of: unit, home: language.home) else {
            preconditionFailure("a mark that no context has")
        }
        writer.put(kind.start, kind.weight, of: PlainCoding.parts, &digits)
        writer.put(index, 1, of: kind.count, &digits)
    }
}

extension Choice {
    /// The models, the cheapest to end in first.
    fileprivate var slots: [Int] {
        let costs = costs
        return languages.indices.sorted { costs[$0] < costs[$1] }
    }
}
