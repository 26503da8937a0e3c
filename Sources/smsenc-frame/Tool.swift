internal import LineIO

/// Lays messages out as frames, and back.
@main
enum Tool {
    static let name = "smsenc-frame"

    static let usage = """
        usage: smsenc-frame [-dsuz] [-f N] [FILE ...]

        Lays each message out in the 160 characters that smsenc-pad enciphers; -d gives them back.

          -d, --unpack         frames in, messages out
          -f, --field N        the message is field N, the last; TAB separates fields
          -s, --split          a message that does not fit goes out as several: 1/3, 2/3, 3/3
          -u, --unicode        a message with characters that GSM has not goes packed: 123 bytes of UTF-8
          -z, --null           records end in NUL, and may hold newlines; without it ␊ stands for one
              --rejects FILE   also write the bad records to FILE, which is made new
              --fail-fast      stop at the first bad record
              --progress       show on stderr how far it is
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
        case .layOut(let settings, let options): try layOut(settings, options)
        case .unpack(let settings, let options): try unpack(settings, options)
        }
    }

    private static func layOut(
        _ settings: Settings, _ options: FilterOptions
    ) throws -> ExitStatus {
        var layout = Layout(settings)
        return try Filter(tool: name, options: options).run { layout.append($0, $1, to: &$2) }
    }

    private static func unpack(
        _ settings: Settings, _ options: FilterOptions
    ) throws -> ExitStatus {
        var unpacking = Unpacking(settings)
        return try Filter(tool: name, options: options).run { unpacking.append($0, $1, to: &$2) }
    }
}
