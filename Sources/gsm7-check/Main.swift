internal import LineIO

/// Is this text that SMS can carry?
///
/// This target owns what gsm7-check(1) says: options (`Options`), how a record is judged (`Check`), the
/// probe and what became of it (`Probe`), and what is said of a bad record (`Words`). What a character
/// is, and what becomes of it, is GSM7's affair; reading, writing, rejects and exit status are
/// LineIO's. It links neither frames nor keys.
///
/// A record's way: `Filter` reads it, `Check.judge` measures it, the common case being text that is
/// good as it stands; what is not goes through `NormalText`, with -t through `Transliteration`, and is
/// measured again. A good one is appended to the output, a bad one reported by `Filter` in the words of
/// `Words`.
@main
enum Main {
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
              --status FILE    write what became of each record to FILE, which is made new
              --fail-fast      stop at the first bad record
              --progress       show on stderr how far it is
              --probe          print an SMS that holds every character of the alphabet
              --probe-check    show what became of it on its way
          -h, --help, --version

        Exit status: 0 all good, 1 some bad, 64 usage, 66 no input, 73 cannot make FILE, 74 I/O error.

        """

    static func main() {
        ToolMain.run(tool: name, usage: usage, options: Request.options) {
            (arguments) throws(Stop) in
            switch try Request(arguments) {
            case .probe: try ToolMain.print(Probe.text + "\n")
            case .probeCheck(let options): try Probe.check(options)
            case .check(let check): try check.run()
            }
        }
    }
}
