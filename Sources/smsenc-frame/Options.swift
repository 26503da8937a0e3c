internal import ToolKit

/// What smsenc-frame does. The options on the command line select the action.
enum FrameAction {
    case encode(EncodeRun)
    case decode(joinsParts: Bool, FilterOptions)

    static let options =
        [
            Option(
                "count", short: "c",
                "for each message, print how many of 144 characters it needs, and its form"),
            Option("unpack", short: "d", "convert frames to messages"),
            Option("join", short: "j", "with -d, join the parts of split messages"),
            Option("split", short: "s", "split messages that do not fit into one frame"),
            Option(
                "mend", short: "t",
                "convert the text: decode Windows-1252, replace TAB with a space, remove control characters"
            ),
            Option("allow-empty", "accept empty messages, which are otherwise rejected"),
        ]
        + FilterOptions.table(
            payload: "read the text from field N, the last field (default: 1)")

    init(_ arguments: Arguments) throws(ExitError) {
        if arguments.has("unpack") {
            try arguments.refuse("unpack", with: "split", because: "only messages can be split")
            try arguments.refuse("unpack", with: "count", because: "only messages can be counted")
            try arguments.refuse("unpack", with: "mend", because: "only messages can be converted")
            try arguments.refuse(
                "unpack", with: "allow-empty", because: "only messages can be empty")
            self = .decode(joinsParts: arguments.has("join"), try FilterOptions(arguments))
        } else {
            try arguments.refuse(
                "count", with: "split", because: "--count counts characters for one frame")
            guard !arguments.has("join") else { throw .misuse("--join needs --unpack") }
            var options = try FilterOptions(arguments)
            options.payloadHasTabs = arguments.has("mend")
            options.refusesQuotedFields = options.terminator == UInt8(ascii: "\n")
            options.payloadIsMessage = true
            self = .encode(
                EncodeRun(
                    splitsMessages: arguments.has("split"), printsLengths: arguments.has("count"),
                    repairsText: arguments.has("mend"), allowsEmpty: arguments.has("allow-empty"),
                    options: options))
        }
    }
}
