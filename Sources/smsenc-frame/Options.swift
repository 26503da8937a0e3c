internal import ToolKit

/// The action of smsenc-frame that the command line selects.
enum FrameAction {
    case encode(EncodeRun)
    case decode(joinsParts: Bool, FilterOptions)

    static let options =
        [
            Option(
                "count", short: "c",
                "print how many of the 144 characters of a frame each message needs, and its form"),
            Option("unpack", short: "d", "convert frames to messages"),
            Option("join", short: "j", "with -d, join the parts of split messages"),
            Option("split", short: "s", "split messages that do not fit into one frame"),
            Option(
                "mend", short: "t",
                "convert text: decode Windows-1252, turn TAB into a space, remove control characters"
            ),
            Option("allow-empty", "accept empty messages, which are rejected otherwise"),
        ] + FilterOptions.table(payload: "the message or frame is field N, the last (default: 1)")

    init(_ arguments: Arguments) throws(ExitError) {
        if arguments.has("unpack") {
            try arguments.refuse("unpack", with: "split", because: "only messages are split")
            try arguments.refuse("unpack", with: "count", because: "only messages are counted")
            try arguments.refuse("unpack", with: "mend", because: "only messages are converted")
            try arguments.refuse(
                "unpack", with: "allow-empty", because: "only messages can be refused as empty")
            self = .decode(joinsParts: arguments.has("join"), try FilterOptions(arguments))
        } else {
            try arguments.refuse("count", with: "split", because: "--count counts one frame")
            guard !arguments.has("join") else { throw .misuse("--join needs --unpack") }
            var options = try FilterOptions(arguments)
            options.payloadHasTabs = arguments.has("mend")
            self = .encode(
                EncodeRun(
                    splitsMessages: arguments.has("split"), printsLengths: arguments.has("count"),
                    repairsText: arguments.has("mend"), allowsEmpty: arguments.has("allow-empty"),
                    options: options))
        }
    }
}
