internal import FrameLayout
internal import Frames
internal import GSM7
internal import ToolKit
internal import System

/// A run of smsenc-frame that encodes messages as frames.
struct EncodeRun {
    let splitsMessages: Bool
    /// True to print the number of symbols that each message needs instead of the message's frame.
    let printsLengths: Bool
    /// True to repair each message with `TextRepair` before it is encoded.
    let repairsText: Bool
    let allowsEmpty: Bool
    let options: FilterOptions

    private var newline: Newline { Newline(inRecordsEndingIn: options.terminator) }

    func run() throws(ExitError) -> ExitStatus {
        try Filter(tool: Main.name, options: options).run { (fields, text, output) in
            guard repairsText else { return encodeRecord(fields, text, to: &output) }
            return withScratch(TextRepair.growth * text.count) { (message) in
                TextRepair.repair(text, newline: newline, into: &message)
                return encodeRecord(fields, message.span, to: &output)
            }
        }
    }

    /// Encodes the message in a record. Appends the fields before the message, followed by the frame. If
    /// the message cannot be encoded, returns the reason.
    ///
    /// If the message is split, the function appends a record for each part. If `printsLengths` is true,
    /// it appends the number of symbols instead of the frame.
    private func encodeRecord(
        _ fields: Span<UInt8>, _ message: Span<UInt8>, to output: inout Output
    ) -> Result<RecordStatus, RecordError> {
        do throws(FrameFault) {
            if printsLengths {
                let (form, length) = try Frame.measure(message, newline: newline)
                output.append(fields)
                output.append("\(length)\t\(form.name)")
                output.append(options.terminator)
                return .success(.ok)
            }
            if message.isEmpty, !allowsEmpty {
                return .failure(RecordError(.length, DiagnosticText.empty))
            }
            do throws(FrameFault) {
                try appendFrame(fields, message, newline, to: &output)
            } catch .tooLong where splitsMessages {
                try MessageSplitter.forEachPart(of: message, newline: newline) {
                    (part) throws(FrameFault) in
                    try appendFrame(fields, part, .lineFeed, to: &output)
                }
            }
            return .success(.ok)
        } catch {
            let reason = DiagnosticText.reason(forMessage: error, message)
            return .failure(RecordError(error.recordStatus, reason))
        }
    }

    private func appendFrame(
        _ fields: Span<UInt8>, _ message: Span<UInt8>, _ newline: Newline, to output: inout Output
    ) throws(FrameFault) {
        try withScratch(Frame.length) { (symbols) throws(FrameFault) in
            try Frame.encode(message, newline: newline, into: &symbols)
            output.append(fields)
            output.withSpace(Frame.longestUTF8) { Alphabet.write(symbols.span, to: &$0) }
            output.append(options.terminator)
        }
    }
}
