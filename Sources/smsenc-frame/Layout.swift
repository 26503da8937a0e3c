internal import Frames
internal import GSM7
internal import LineIO
internal import System

/// Messages in, frames out.
struct Layout {
    let splits: Bool
    /// True to print what messages take instead of their frames.
    let counts: Bool
    /// True to make a message of a text that is none.
    let mends: Bool
    let allowsEmpty: Bool
    let options: FilterOptions

    private var newline: Newline { Newline(inRecordsEndingIn: options.terminator) }

    func run() throws(Stop) -> ExitStatus {
        try Filter(tool: Main.name, options: options).run { (fields, text, output) in
            guard mends else { return append(fields, text, to: &output) }
            return withScratch(Mending.growth * text.count) { (message) in
                Mending.mend(text, newline: newline, into: &message)
                return append(fields, message.span, to: &output)
            }
        }
    }

    /// Appends a message's frame, or under -s its frames, each after the record's other fields, or under
    /// -c what it takes of one; says why it cannot.
    private func append(
        _ fields: Span<UInt8>, _ message: Span<UInt8>, to output: inout Output
    ) -> Result<Fate, Rejection> {
        do throws(FrameFault) {
            if counts {
                let (form, length) = try Frame.measure(message, newline: newline)
                output.append(fields)
                output.append("\(length)\t\(form.name)")
                output.append(options.terminator)
                return .success(.ok)
            }
            if message.isEmpty, !allowsEmpty {
                return .failure(Rejection(.length, Words.empty))
            }
            do throws(FrameFault) {
                try appendOne(fields, message, newline, to: &output)
            } catch .tooLong where splits {
                try Splitting.forEachPart(of: message, newline: newline) {
                    (part) throws(FrameFault) in
                    try appendOne(fields, part, .lineFeed, to: &output)
                }
            }
            return .success(.ok)
        } catch {
            let reason = Words.line(forMessage: error, message)
            return .failure(Rejection(error.fate, reason))
        }
    }

    private func appendOne(
        _ fields: Span<UInt8>, _ message: Span<UInt8>, _ newline: Newline, to output: inout Output
    ) throws(FrameFault) {
        try withScratch(Frame.length) { (symbols) throws(FrameFault) in
            try Frame.layOut(message, newline: newline, into: &symbols)
            output.append(fields)
            output.withSpace(Frame.longestUTF8) { Alphabet.write(symbols.span, to: &$0) }
            output.append(options.terminator)
        }
    }
}
