internal import LineIO

/// What is asked of the tool.
enum Request {
    case layOut(Settings, FilterOptions)
    case unpack(FilterOptions)

    static let options =
        FilterOptions.table + [
            Option("unpack", short: "d"),
            Option("split", short: "s"),
            Option("unicode", short: "u"),
        ]

    init(_ arguments: Arguments) throws(Misuse) {
        if arguments.has("unpack") {
            try arguments.refuse("unpack", with: "split", because: "frames come apart one by one")
            try arguments.refuse("unpack", with: "unicode", because: "a frame says what it holds")
            self = .unpack(try FilterOptions(arguments))
        } else {
            self = .layOut(Settings(arguments), try FilterOptions(arguments))
        }
    }
}

/// How messages are laid out.
struct Settings {
    let splits: Bool
    let packs: Bool

    init(_ arguments: Arguments) {
        splits = arguments.has("split")
        packs = arguments.has("unicode")
    }
}
