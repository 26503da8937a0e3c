internal import ToolKit

/// Checks whether texts can be sent as SMS in the GSM alphabet.
///
/// This target implements gsm7-check(1). It contains the options (`CheckAction`), the check of a record
/// (`CheckRun`), the test message (`Probe`), and the texts of diagnostics (`DiagnosticText`). The target
/// GSM7 contains the tables of the GSM alphabet, and of replacements for other characters. The target
/// ToolKit reads and writes records, and handles rejects, statuses and the exit status. gsm7-check does
/// not link Frames, Keyring or cryptography.
///
/// `Filter` reads a record, and `CheckRun.checkRecord` measures it. Most texts need no change.
/// `NormalText` normalises all other texts. If -t is given, `Transliteration` then transliterates the
/// normalised text. The normalised or transliterated text is then measured again. A valid text is appended
/// to the output. `Filter` reports invalid texts.
@main
enum Main {
    static let name = "gsm7-check"

    static let summary =
        "Prints the records whose text fits the GSM alphabet, and reports the others."

    static func main() {
        ToolMain.run(tool: name, summary: summary, options: CheckAction.options) {
            (arguments) throws(ExitError) in
            switch try CheckAction(arguments) {
            case .printProbe: try ToolMain.print(Probe.text + "\n")
            case .compareProbe(let options): try Probe.compare(options)
            case .check(let check): try check.run()
            }
        }
    }
}
