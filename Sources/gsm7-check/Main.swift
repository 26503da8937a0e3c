internal import LineIO

/// Is this text that SMS can carry?
///
/// This target owns what gsm7-check(1) says: options (`Options`), how a record is judged (`CheckRun`), the
/// probe and what became of it (`Probe`), and what is said of a bad record (`DiagnosticText`). What a character
/// is, and what becomes of it, is GSM7's affair; reading, writing, rejects and exit status are
/// LineIO's. It links neither frames nor keys.
///
/// A record's way: `Filter` reads it, `CheckRun.judge` measures it, the common case being text that is
/// good as it stands; what is not goes through `NormalText`, with -t through `Transliteration`, and is
/// measured again. A good one is appended to the output, a bad one reported by `Filter` in the words of
/// `DiagnosticText`.
@main
enum Main {
    static let name = "gsm7-check"

    static let summary =
        "Prints the records whose text fits the GSM alphabet, and reports the others."

    static func main() {
        ToolMain.run(tool: name, summary: summary, options: CheckAction.options) {
            (arguments) throws(Stop) in
            switch try CheckAction(arguments) {
            case .printProbe: try ToolMain.print(Probe.text + "\n")
            case .compareProbe(let options): try Probe.compare(options)
            case .check(let check): try check.run()
            }
        }
    }
}
