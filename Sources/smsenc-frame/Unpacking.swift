internal import Frames
internal import GSM7
internal import LineIO
internal import System

/// Frames in, messages out.
struct Unpacking {
    private var joining: Joining?
    private let newline: Newline
    private let terminator: UInt8

    static func run(_ joins: Bool, _ options: FilterOptions) throws(Stop) -> ExitStatus {
        let newline = Newline(inRecordsEndingIn: options.terminator)
        let joining = joins ? Joining(newline: newline, terminator: options.terminator) : nil
        var unpacking = Unpacking(
            joining: joining, newline: newline, terminator: options.terminator)
        return try Filter(tool: Main.name, options: options).run(
            { unpacking.append($0, $1, to: &$2) },
            atEnd: { unpacking.joining?.finish(&$0) })
    }

    /// Appends the message of a frame after the record's other fields; says why it cannot.
    private mutating func append(
        _ fields: Span<UInt8>, _ frame: Span<UInt8>, to output: inout Output
    ) -> Result<Fate, Rejection> {
        do throws(FrameFault) {
            var fate = Fate.ok
            try withScratch(Frame.length) { (symbols) throws(FrameFault) in
                try Frame.decode(frame, into: &symbols)
                if joining != nil {
                    try withScratch(Frame.longestMessage) { (message) throws(FrameFault) in
                        try Frame.unpack(symbols.span, newline: .lineFeed, into: &message)
                        fate = joining?.take(fields, message.span, into: &output) ?? .ok
                    }
                    return
                }
                output.append(fields)
                try output.withSpace(Frame.longestMessage) { (space) throws(FrameFault) in
                    try Frame.unpack(symbols.span, newline: newline, into: &space)
                }
                output.append(terminator)
            }
            return .success(fate)
        } catch {
            let reason = Words.line(forFrame: error, like: Likeness(frame))
            return .failure(Rejection(error.fate, reason))
        }
    }
}
