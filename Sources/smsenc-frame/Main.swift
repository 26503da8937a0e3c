internal import LineIO

/// Lays messages out as frames, and back.
///
/// This target owns what smsenc-frame(1) says: options (`Options`), messages in and frames out
/// (`Layout`), frames in and messages out (`Unpacking`), parts put together again (`Joining`), and what is
/// said of a bad record (`Words`). How a message becomes a frame is the affair of the target Frames;
/// reading, writing, rejects and exit status are LineIO's. It links neither keys nor cryptography.
///
/// A record's way: `Filter` reads it; `Layout.append` has `Frame` lay it out, or `Splitting` cut it into
/// parts that are laid out one by one (with -t after `Mending`); the symbols are written as UTF-8 after the record's other
/// fields. With -d, `Unpacking.append` goes the other way. What fails is reported by `Filter` in the
/// words of `Words`, and what was appended of it taken back.
@main
enum Main {
    static let name = "smsenc-frame"

    static let usage = """
        usage: smsenc-frame [-cdjstz] [-f N] [FILE ...]

        Lays each message out in the 160 characters that smsenc-pad enciphers; -d gives them back.

          -c, --count          print how many of 144 characters a message takes, and the form it gets
          -d, --unpack         frames in, messages out
          -f, --field N        the message is field N, the last; TAB separates fields
          -j, --join           with -d: put the parts of a split message together again
          -s, --split          a message that does not fit goes out as several, as few as can be
          -t, --mend           make a message of a text that is none: decode Windows-1252, write a TAB as
                               a space, leave out control characters
          -z, --null           records end in NUL, and may hold newlines; without it ␊ stands for one
              --allow-empty    an empty message goes out like any other
              --rejects FILE   also write the bad records to FILE, which is made new
              --status FILE    write what became of each record to FILE, which is made new
              --fail-fast      stop at the first bad record
              --progress       show on stderr how far it is
          -h, --help, --version

        Exit status: 0 all good, 1 some bad, 64 usage, 66 no input, 73 cannot make FILE, 74 I/O error.

        """

    static func main() {
        ToolMain.run(tool: name, usage: usage, options: Request.options) {
            (arguments) throws(Stop) in
            switch try Request(arguments) {
            case .layOut(let layout): try layout.run()
            case .unpack(let joins, let options): try Unpacking.run(joins, options)
            }
        }
    }
}
