internal import Frames
internal import GSM7
internal import LineIO
internal import System

/// Messages in, frames out.
struct Layout {
    private let settings: Settings
    /// One frame, the space used again for the next.
    private var symbols: [UInt8] = []

    init(_ settings: Settings) { self.settings = settings }

    /// Appends a message's frame, or under -s its frames, each behind the record's other fields.
    mutating func append(
        _ fields: Span<UInt8>, _ message: Span<UInt8>, to output: inout Output
    ) -> Filter.Verdict {
        do throws(FrameFault) {
            do throws(FrameFault) {
                try appendOne(fields, message, to: &output)
            } catch {
                guard settings.splits, isTooLong(error) else { throw error }
                try appendParts(fields, message, to: &output, insteadOf: error)
            }
            return .good
        } catch {
            return .bad(
                Advice.line(
                    forMessage: error, splits: settings.splits, like: Likeness(message)))
        }
    }

    private mutating func appendOne(
        _ fields: Span<UInt8>, _ message: Span<UInt8>, to output: inout Output
    ) throws(FrameFault) {
        let settings = settings
        defer { cleanse(&symbols) }
        symbols.removeAll(keepingCapacity: true)
        try symbols.append(addingCapacity: Frame.length) { (space) throws(FrameFault) in
            try Frame.layOut(
                message, packing: settings.packs, newline: settings.newline, into: &space)
        }
        output.append(fields)
        output.withSpace(Frame.longestUTF8) { (space) in
            Alphabet.write(symbols.span, to: &space)
        }
        output.append(settings.terminator)
    }

    private mutating func appendParts(
        _ fields: Span<UInt8>, _ message: Span<UInt8>, to output: inout Output,
        insteadOf fault: FrameFault
    ) throws(FrameFault) {
        let count = try Splitting.forEachPart(
            of: message, packing: settings.packs, newline: settings.newline
        ) { (part) throws(FrameFault) in try appendOne(fields, part, to: &output) }
        if count == 0 { throw fault }
    }

    private func isTooLong(_ fault: FrameFault) -> Bool {
        switch fault {
        case .tooLong, .tooLongPacked: true
        default: false
        }
    }
}
