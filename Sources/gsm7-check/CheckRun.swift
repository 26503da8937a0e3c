internal import GSM7
internal import ToolKit
internal import System

/// A run of gsm7-check. The run checks records one by one.
struct CheckRun {
    let settings: CheckSettings
    let options: FilterOptions

    private var newline: Newline { Newline(inRecordsEndingIn: options.terminator) }

    func run() throws(ExitError) -> ExitStatus {
        let filter = try Filter(tool: Main.name, options: options, badRecords: settings.badRecords)
        return try filter.run { checkRecord($0, $1, into: &$2) }
    }

    /// Appends the output for a good record, or returns the reason why the record is rejected.
    private func checkRecord(
        _ fields: Span<UInt8>, _ payload: Span<UInt8>, into output: inout Output
    ) -> Result<RecordStatus, RecordError> {
        guard let measure = try? measure(payload) else {
            return checkNormalised(fields, payload, into: &output)
        }
        return accept(fields, payload, measure, &output)
    }

    /// Checks a text that is not in NFC, or contains characters outside the GSM alphabet. The function is
    /// not inlined, because most texts are in NFC and contain only GSM characters.
    @inline(never)
    private func checkNormalised(
        _ fields: Span<UInt8>, _ payload: Span<UInt8>, into output: inout Output
    ) -> Result<RecordStatus, RecordError> {
        do throws(TextFault) {
            return try NormalText.normalise(payload) { (text) throws(TextFault) in
                guard settings.transliterates else {
                    return accept(fields, text, try measure(text), &output)
                }
                return try withScratch(Transliteration.growth * text.count) {
                    (rendered) throws(TextFault) in
                    try Transliteration.render(
                        text, newline: newline, basicOnly: settings.basicOnly,
                        to: &rendered)
                    let measure = try measure(rendered.span)
                    return accept(fields, rendered.span, measure, &output)
                }
            }
        } catch {
            if case .malformed = error, settings.transliterates,
                ForeignEncoding(of: payload) == .windows1252
            {
                // In UTF-8, a character of Windows-1252 occupies at most three bytes.
                return withScratch(3 * payload.count) { (text) in
                    for index in payload.indices {
                        text.append(ForeignEncoding.windows1252(payload[index]) ?? "\u{FFFD}")
                    }
                    return checkRecord(fields, text.span, into: &output)
                }
            }
            return .failure(
                RecordError(
                    .text, DiagnosticText(settings: settings).reason(for: error, in: payload))
            )
        }
    }

    private func measure(_ text: Span<UInt8>) throws(TextFault) -> SMSLength {
        try SMSLength(text, newline: newline, basicOnly: settings.basicOnly)
    }

    private func accept(
        _ fields: Span<UInt8>, _ text: Span<UInt8>, _ measure: SMSLength, _ output: inout Output
    ) -> Result<RecordStatus, RecordError> {
        if let limit = settings.septetLimit, measure.septets > limit {
            return .failure(
                RecordError(.length, DiagnosticText.tooLong(measure.septets, limit: limit)))
        }
        guard settings.badRecords == .reported else { return .success(.ok) }
        output.append(fields)
        if settings.printsCounts {
            output.append(measure.septets)
            output.append(UInt8(ascii: "\t"))
            output.append(measure.characters)
            output.append(UInt8(ascii: "\t"))
            output.append(measure.messages)
        } else {
            output.append(text)
        }
        output.append(options.terminator)
        return .success(.ok)
    }
}
