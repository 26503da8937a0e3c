internal import LineIO

/// Is this text that SMS can carry?
@main
enum Tool {
    static let name = "gsm7-check"

    static let usage = """
        usage: gsm7-check [-bcqtvz] [-f N] [-l N] [FILE ...]
               gsm7-check --probe
               gsm7-check --probe-check [FILE]

        Copies the records whose text can be written in the GSM alphabet, and reports the others.

          -b, --basic          count the characters of the extension table as bad
          -c, --count          print septets, characters and SMS needed instead of the text
          -f, --field N        the text is field N, the last; TAB separates fields
          -l, --limit N        count more than N septets as bad
          -q, --quiet          print nothing: the exit status is the answer
          -t, --transliterate  write characters that GSM has not as the nearest that it has
          -v, --invert         print the bad records instead, and report nothing
          -z, --null           records end in NUL, and may hold newlines
              --rejects FILE   also write the bad records to FILE, which is made new
              --fail-fast      stop at the first bad record
              --progress       show on stderr how far it is
              --probe          print an SMS that holds every character of the alphabet
              --probe-check    show what became of it on its way
              --help, --version

        Exit status: 0 all good, 1 some bad, 64 usage, 66 no input, 73 cannot make FILE, 74 I/O error.

        """

    static func main() {
        ToolMain.run(tool: name) { (words) in try run(words) }
    }

    static func run(_ words: [String]) throws -> ExitStatus {
        let arguments = try Arguments(words, options: Request.options)
        if let status = try ToolMain.answer(arguments, tool: name, usage: usage) { return status }
        return switch try Request(arguments) {
        case .probe: try ToolMain.print(Probe.text + "\n")
        case .probeCheck(let options): try ProbeCheck.run(options)
        case .check(let settings, let options): try check(settings, options)
        }
    }

    private static func check(
        _ settings: Settings, _ options: FilterOptions
    ) throws -> ExitStatus {
        let check = Check(settings)
        let filter = try Filter(
            tool: name, options: options, badRecords: settings.badRecords,
            skim: check.skim(options))
        return try filter.run { (fields, payload, output) in
            check.judge(fields, payload, into: &output)
        }
    }
}
