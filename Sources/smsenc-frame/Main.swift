internal import LineIO

/// Lays messages out as frames, and back.
///
/// This target owns what smsenc-frame(1) says: options (`Options`), messages in and frames out
/// (`EncodeRun`), frames in and messages out (`DecodeRun`), parts put together again (`Reassembly`), and what is
/// said of a bad record (`DiagnosticText`). How a message becomes a frame is the affair of the target Frames;
/// reading, writing, rejects and exit status are LineIO's. It links neither keys nor cryptography.
///
/// A record's way: `Filter` reads it; `EncodeRun.append` has `Frame` lay it out, or `MessageSplitter` cut it into
/// parts that are laid out one by one (with -t after `TextRepair`); the symbols are written as UTF-8 after the record's other
/// fields. With -d, `DecodeRun.append` goes the other way. What fails is reported by `Filter` in the
/// words of `DiagnosticText`, and what was appended of it taken back.
@main
enum Main {
    static let name = "smsenc-frame"

    static let summary = """
        Encodes each message as a frame, the 160 characters that smsenc-pad encrypts; -d decodes frames.
        Without -z, the character ␊ in a message stands for a newline.
        """

    static func main() {
        ToolMain.run(tool: name, summary: summary, options: FrameAction.options) {
            (arguments) throws(Stop) in
            switch try FrameAction(arguments) {
            case .encode(let run): try run.run()
            case .decode(let joinsParts, let options):
                try DecodeRun.run(joinsParts: joinsParts, options)
            }
        }
    }
}
