internal import Frames
internal import GSM7
internal import LineIO
internal import System

/// Messages in, frames out.
struct Layout {
    private let settings: Settings
    private let newline: Newline
    private let terminator: UInt8
    /// One frame, the space used again for the next.
    private var symbols: [UInt8] = []

    static func run(_ settings: Settings, _ options: FilterOptions) throws -> ExitStatus {
        var layout = Layout(settings, options)
        return try Filter(tool: Main.name, options: options).run { layout.append($0, $1, to: &$2) }
    }

    private init(_ settings: Settings, _ options: FilterOptions) {
        self.settings = settings
        newline = Newline(inRecordsEndingIn: options.terminator)
        terminator = options.terminator
    }

    /// Appends a message's frame, or under -s its frames, each after the record's other fields.
    private mutating func append(
        _ fields: Span<UInt8>, _ message: Span<UInt8>, to output: inout Output
    ) -> Filter.Verdict {
        do throws(FrameFault) {
            do throws(FrameFault) {
                try appendOne(fields, message, newline, to: &output)
            } catch {
                guard settings.splits, isTooLong(error) else { throw error }
                try appendParts(fields, message, to: &output, insteadOf: error)
            }
            return .good
        } catch {
            return .bad(
                Words.line(
                    forMessage: error, splits: settings.splits, like: Likeness(message)))
        }
    }

    private mutating func appendOne(
        _ fields: Span<UInt8>, _ message: Span<UInt8>, _ newline: Newline, to output: inout Output
    ) throws(FrameFault) {
        let settings = settings
        defer { cleanse(&symbols) }
        symbols.removeAll(keepingCapacity: true)
        try symbols.append(addingCapacity: Frame.length) { (space) throws(FrameFault) in
            try Frame.layOut(
                message, packing: settings.packs, newline: newline, into: &space)
        }
        output.append(fields)
        output.withSpace(Frame.longestUTF8) { (space) in
            Alphabet.write(symbols.span, to: &space)
        }
        output.append(terminator)
    }

    private mutating func appendParts(
        _ fields: Span<UInt8>, _ message: Span<UInt8>, to output: inout Output,
        insteadOf fault: FrameFault
    ) throws(FrameFault) {
        let count = try Splitting.forEachPart(
            of: message, packing: settings.packs, newline: newline
        ) { (part) throws(FrameFault) in
            try appendOne(fields, part, .lineFeed, to: &output)
        }
        if count == 0 { throw fault }
    }

    private func isTooLong(_ fault: FrameFault) -> Bool {
        switch fault {
        case .tooLong, .tooLongPacked: true
        default: false
        }
    }
}
