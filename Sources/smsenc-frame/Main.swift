internal import ToolKit

/// Encodes messages as frames, and decodes frames.
///
/// This target implements smsenc-frame(1). `FrameAction` contains the options. `EncodeRun` encodes
/// messages, `DecodeRun` decodes frames, and `Reassembly` joins split messages. `DiagnosticText` contains
/// the texts of diagnostics. The target Frames implements the format of a frame. The target ToolKit reads
/// and writes records, and handles rejects, statuses and the exit status. smsenc-frame does not link the
/// keyring or cryptography.
///
/// `Filter` reads a record and passes it to `EncodeRun.encodeRecord`. If -d is given, `Filter` passes the
/// record to `DecodeRun.decodeRecord` instead. Encoding uses `Frame`, or `MessageSplitter` if a message
/// does not fit in one frame. If -t is given, `TextRepair` repairs each message before it is encoded. The
/// symbols are written as UTF-8, after the other fields of the record. If a record is rejected, `Filter`
/// removes the output of this record and reports the error.
@main
enum Main {
    static let name = "smsenc-frame"

    static let summary = """
        Encodes each message as a frame of 160 characters, which smsenc-pad encrypts.
        -d decodes frames.
        Without -z, the character ␊ in a message stands for a newline.
        """

    static func main() {
        ToolMain.run(tool: name, summary: summary, options: FrameAction.options) {
            (arguments) throws(ExitError) in
            switch try FrameAction(arguments) {
            case .encode(let run): try run.run()
            case .decode(let joinsParts, let options):
                try DecodeRun.run(joinsParts: joinsParts, options)
            }
        }
    }
}
