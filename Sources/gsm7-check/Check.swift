internal import GSM7
internal import LineIO

/// Judges records one by one.
struct Check {
    private let settings: Settings

    init(_ settings: Settings) { self.settings = settings }

    /// Finds records that are good as they stand, where those are copied or passed over; nil where more
    /// is asked of each.
    func skim(_ options: FilterOptions) -> RecordReader.Skim? {
        guard settings.prints != .counts, settings.limit == nil, options.payloadField == 1 else {
            return nil
        }
        return { [settings] text in
            let run = Skimming(
                text, terminator: settings.terminator, newline: settings.newline,
                basicOnly: settings.basicOnly)
            return (run.length, run.records)
        }
    }

    /// Appends what is due for a good record; says why a bad one is bad.
    func judge(
        _ fields: Span<UInt8>, _ payload: Span<UInt8>, into output: inout Output
    ) -> Filter.Verdict {
        guard let measure = try? measure(payload) else {
            return judgeOther(fields, payload, into: &output)
        }
        return finish(fields, payload, measure, &output)
    }

    /// A text that is not of GSM characters alone as it stands.
    @inline(never)
    private func judgeOther(
        _ fields: Span<UInt8>, _ payload: Span<UInt8>, into output: inout Output
    ) -> Filter.Verdict {
        do throws(TextFault) {
            return try NormalText.read(payload) { (text) throws(TextFault) in
                guard settings.transliterates else {
                    return finish(fields, text, try measure(text), &output)
                }
                return try withScratch(Transliteration.growth * text.count) {
                    (rendered) throws(TextFault) in
                    try Transliteration.render(
                        text, newline: settings.newline, basicOnly: settings.basicOnly,
                        to: &rendered)
                    let measure = try measure(rendered.span)
                    return finish(fields, rendered.span, measure, &output)
                }
            }
        } catch {
            return .bad(Advice(settings).line(for: error))
        }
    }

    private func measure(_ text: Span<UInt8>) throws(TextFault) -> Measure {
        try Measure(text, newline: settings.newline, basicOnly: settings.basicOnly)
    }

    private func finish(
        _ fields: Span<UInt8>, _ text: Span<UInt8>, _ measure: Measure, _ output: inout Output
    ) -> Filter.Verdict {
        if let limit = settings.limit, measure.septets > limit {
            return .bad(Advice.tooLong(measure.septets, limit: limit))
        }
        switch settings.prints {
        case .text:
            output.append(fields)
            output.append(text)
            output.append(settings.terminator)
        case .counts:
            output.append(fields)
            output.append(measure.septets)
            output.append(UInt8(ascii: "\t"))
            output.append(measure.characters)
            output.append(UInt8(ascii: "\t"))
            output.append(measure.messages)
            output.append(settings.terminator)
        case .badRecords, .nothing: break
        }
        return .good
    }
}
