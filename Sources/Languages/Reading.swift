internal import GSM7

/// A text on its way out of its digits.
struct Reading: ~Copyable {
    private var interval: IntervalReader
    private var language: Language
    private var model: Model
    private var history = History()
    private var exclusions = Exclusions()

    /// Appends the text that digits hold.
    ///
    /// - Throws: `ReadingFault`, with part of the text appended.
    @_lifetime(text: copy text)
    static func read(
        _ digits: Span<UInt8>, into text: inout OutputSpan<UInt8>
    ) throws(ReadingFault) {
        var interval = IntervalReader(digits)
        let language = try language(&interval, digits)
        var reading = Reading(interval, language)
        defer { reading.exclusions.overwrite() }
        try reading.readText(digits, into: &text)
    }

    private init(_ interval: IntervalReader, _ language: Language) {
        self.interval = interval
        self.language = language
        model = language.model
    }

    @_lifetime(text: copy text)
    private mutating func readText(
        _ digits: Span<UInt8>, into text: inout OutputSpan<UInt8>
    ) throws(ReadingFault) {
        var (isCaps, isShifted) = (false, false)
        var isAfterMark = false
        var count = 0
        while true {
            let unit = try readUnit(afterMark: isAfterMark, digits)
            if unit == .end { return }
            isAfterMark = unit.isMark
            if unit == .caps {
                isCaps.toggle()
            } else if unit == .shift {
                isShifted = true
            } else {
                let cased = isCaps == isShifted ? unit : CasePairs.shared.other(of: unit)
                let character = try Self.character(cased)
                guard count < Compression.mostCharacters else { throw .tooManyCharacters }
                count += 1
                history.append(unit)
                text.append(character)
                isShifted = false
            }
        }
    }

    private mutating func readUnit(
        afterMark: Bool, _ digits: Span<UInt8>
    ) throws(ReadingFault) -> Unit {
        while true {
            if let unit = try readEntry(afterMark: afterMark, digits) { return unit }
            let part = try interval.value(of: PlainCoding.parts)
            if let kind = PlainCoding.kind(at: part, home: language.home) {
                try interval.take(kind.start, kind.weight, digits)
                let index = try interval.index(below: kind.characters.count, digits)
                return PlainCoding.character(index, of: kind.characters)
            }
            try interval.take(PlainCoding.changeOfModel, 1, digits)
            language = try Self.language(&interval, digits)
            model = language.model
        }
    }

    /// Reads a unit that a context has, or all escapes.
    private mutating func readEntry(
        afterMark: Bool, _ digits: Span<UInt8>
    ) throws(ReadingFault) -> Unit? {
        exclusions.removeAll()
        if afterMark { exclusions.addMarks(of: model) }
        let first = model.context(after: history)
        let chain = Chains.chain(of: first, afterMark: afterMark)
        var next: Int? = first
        var place = 0
        while let context = next {
            let weight = UInt64(model.chains.weight(place, of: chain))
            next = model.contexts[context].parent
            if weight > 0 {
                let escape = UInt64(model.contexts[context].escapeWeight)
                let value = try interval.value(of: weight + escape)
                if value < weight {
                    let (index, start) = exclusions.entry(at: value, in: context, of: model)
                    let entry = model.entries[index]
                    try interval.take(start, UInt64(entry.weight), digits)
                    return entry.unit
                }
                try interval.take(weight, escape, digits)
                if next != nil { exclusions.add(model.contexts[context].entries, of: model) }
            }
            place += 1
        }
        return nil
    }

    private static func language(
        _ interval: inout IntervalReader, _ digits: Span<UInt8>
    ) throws(ReadingFault) -> Language {
        let number = Int(try interval.index(below: PlainCoding.models, digits))
        guard number < Language.all.count else { throw .unknownModel(number) }
        return Language.all[number]
    }

    private static func character(_ unit: Unit) throws(ReadingFault) -> Unicode.Scalar {
        guard let scalar = Unicode.Scalar(unit.rawValue) else { throw .surrogate(unit.rawValue) }
        if unit.isControl { throw .control(scalar) }
        return scalar
    }
}
