internal import FrameLayout
internal import Frames
internal import GSM7
internal import ToolKit
internal import System

/// A run of smsenc-frame that decodes frames.
struct DecodeRun {
    private var reassembly: Reassembly?
    private let newline: Newline
    private let terminator: UInt8

    static func run(joinsParts: Bool, _ options: FilterOptions) throws(ExitError) -> ExitStatus {
        let newline = Newline(inRecordsEndingIn: options.terminator)
        let reassembly =
            joinsParts ? Reassembly(newline: newline, terminator: options.terminator) : nil
        var run = DecodeRun(
            reassembly: reassembly, newline: newline, terminator: options.terminator)
        return try Filter(tool: Main.name, options: options).run(
            { run.decodeRecord($0, $1, to: &$2) },
            atEnd: { run.reassembly?.printRemaining(&$0) })
    }

    /// Decodes the frame in a record. Appends the fields before the frame, followed by the message. If the
    /// frame cannot be decoded, returns the reason.
    private mutating func decodeRecord(
        _ fields: Span<UInt8>, _ frame: Span<UInt8>, to output: inout Output
    ) -> Result<RecordStatus, RecordError> {
        do throws(FrameFault) {
            var recordStatus = RecordStatus.ok
            try withScratch(Frame.length) { (symbols) throws(FrameFault) in
                try Frame.readSymbols(frame, into: &symbols)
                if reassembly != nil {
                    try withScratch(Frame.longestMessage) { (message) throws(FrameFault) in
                        try Frame.decodeAsSent(symbols.span, into: &message)
                        recordStatus =
                            reassembly?.addMessage(fields, message.span, into: &output) ?? .ok
                    }
                    return
                }
                output.append(fields)
                try output.withSpace(Frame.longestMessage) { (space) throws(FrameFault) in
                    try Frame.decode(symbols.span, newline: newline, into: &space)
                }
                output.append(terminator)
            }
            return .success(recordStatus)
        } catch {
            let reason = DiagnosticText.reason(forFrame: error, resembling: ContentGuess(frame))
            return .failure(RecordError(error.recordStatus, reason))
        }
    }
}
