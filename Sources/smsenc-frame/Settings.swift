internal import GSM7
internal import LineIO

/// What is asked of the tool.
enum Request {
    case layOut(Settings, FilterOptions)
    case unpack(Settings, FilterOptions)

    static let options =
        FilterOptions.table + ToolMain.options + [
            Option("unpack", short: "d"),
            Option("split", short: "s"),
            Option("unicode", short: "u"),
        ]

    init(_ arguments: Arguments) throws(Misuse) {
        if arguments.has("unpack") {
            try arguments.refuse("unpack", with: "split", because: "frames come apart one by one")
            try arguments.refuse("unpack", with: "unicode", because: "a frame says what it holds")
            self = .unpack(Settings(arguments), try FilterOptions(arguments))
        } else {
            self = .layOut(Settings(arguments), try FilterOptions(arguments))
        }
    }
}

/// How messages are laid out, and newlines spelt.
struct Settings {
    let splits: Bool
    let packs: Bool
    let newline: Newline
    let terminator: UInt8

    init(_ arguments: Arguments) {
        splits = arguments.has("split")
        packs = arguments.has("unicode")
        newline = arguments.has("null") ? .lineFeed : .symbol
        terminator = arguments.has("null") ? 0 : UInt8(ascii: "\n")
    }
}
