internal import Frames
internal import GSM7
internal import LineIO
internal import System

/// Frames in, messages out.
struct Unpacking {
    private let settings: Settings
    /// One frame, the space used again for the next.
    private var symbols: [UInt8] = []

    init(_ settings: Settings) {
        self.settings = settings
        symbols.reserveCapacity(Frame.length)
    }

    /// Appends the message of a frame behind the record's other fields.
    mutating func append(
        _ fields: Span<UInt8>, _ frame: Span<UInt8>, to output: inout Output
    ) -> Filter.Verdict {
        do throws(FrameFault) {
            defer { cleanse(&symbols) }
            try read(frame)
            output.append(fields)
            try output.withSpace(Frame.longestMessage) { (space) throws(FrameFault) in
                try Frame.unpack(symbols.span, newline: settings.newline, into: &space)
            }
            output.append(settings.terminator)
            return .good
        } catch {
            return .bad(Advice.line(forFrame: error, like: Likeness(frame)))
        }
    }

    private mutating func read(_ frame: Span<UInt8>) throws(FrameFault) {
        symbols.removeAll(keepingCapacity: true)
        do throws(TextFault) {
            try symbols.append(addingCapacity: Frame.length) { (space) throws(TextFault) in
                try Alphabet.read(frame, into: &space)
            }
        } catch .tooMany(let characters) {
            throw .length(characters)
        } catch {
            throw .text(error)
        }
    }
}
