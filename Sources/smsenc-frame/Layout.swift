internal import Frames
internal import GSM7
internal import LineIO
internal import System

/// Messages in, frames out.
struct Layout {
    private let settings: Settings
    private let newline: Newline
    private let terminator: UInt8

    static func run(_ settings: Settings, _ options: FilterOptions) throws -> ExitStatus {
        let layout = Layout(settings, options)
        return try Filter(tool: Main.name, options: options).run { layout.append($0, $1, to: &$2) }
    }

    private init(_ settings: Settings, _ options: FilterOptions) {
        self.settings = settings
        newline = Newline(inRecordsEndingIn: options.terminator)
        terminator = options.terminator
    }

    /// Appends a message's frame, or under -s its frames, each after the record's other fields.
    private func append(
        _ fields: Span<UInt8>, _ message: Span<UInt8>, to output: inout Output
    ) -> Filter.Verdict {
        do throws(FrameFault) {
            if settings.counts { return try appendCount(fields, message, to: &output) }
            do throws(FrameFault) {
                try appendOne(fields, message, newline, to: &output)
            } catch {
                guard settings.splits, case .tooLong = error else { throw error }
                try appendParts(fields, message, to: &output, insteadOf: error)
            }
            return .good
        } catch {
            return .bad(Words.line(forMessage: error, splits: settings.splits, message))
        }
    }

    private func appendOne(
        _ fields: Span<UInt8>, _ message: Span<UInt8>, _ newline: Newline, to output: inout Output
    ) throws(FrameFault) {
        try withScratch(Frame.length) { (symbols) throws(FrameFault) in
            try Frame.layOut(message, newline: newline, into: &symbols)
            output.append(fields)
            output.withSpace(Frame.longestUTF8) { Alphabet.write(symbols.span, to: &$0) }
            output.append(terminator)
        }
    }

    private func appendParts(
        _ fields: Span<UInt8>, _ message: Span<UInt8>, to output: inout Output,
        insteadOf fault: FrameFault
    ) throws(FrameFault) {
        let count = try Splitting.forEachPart(
            of: message, newline: newline
        ) { (part) throws(FrameFault) in
            try appendOne(fields, part, .lineFeed, to: &output)
        }
        if count == 0 { throw fault }
    }

    /// Appends what a message takes of a frame.
    private func appendCount(
        _ fields: Span<UInt8>, _ message: Span<UInt8>, to output: inout Output
    ) throws(FrameFault) -> Filter.Verdict {
        let (form, length) = try Frame.measure(message, newline: newline)
        output.append(fields)
        output.append(length)
        output.append("\t\(form.name)")
        output.append(terminator)
        return .good
    }
}
