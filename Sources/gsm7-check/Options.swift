internal import LineIO

/// What is asked of the tool.
enum Request {
    case probe
    case probeCheck(FilterOptions)
    case check(Check)

    static let options =
        FilterOptions.table + [
            Option("basic", short: "b"),
            Option("count", short: "c"),
            Option("limit", short: "l", takesValue: true),
            Option("quiet", short: "q"),
            Option("transliterate", short: "t"),
            Option("invert", short: "v"),
            Option("probe"),
            Option("probe-check"),
        ]

    init(_ arguments: Arguments) throws(Stop) {
        if arguments.has("probe") {
            try arguments.refuseOthers(than: "probe")
            guard arguments.operands.isEmpty else { throw .misuse("--probe reads no file") }
            self = .probe
        } else if arguments.has("probe-check") {
            try arguments.refuseOthers(than: "probe-check")
            guard arguments.operands.count <= 1 else {
                throw .misuse("--probe-check reads one message, so one file")
            }
            self = .probeCheck(try FilterOptions(arguments))
        } else {
            let settings = try Settings(arguments)
            self = .check(Check(settings: settings, options: try FilterOptions(arguments)))
        }
    }
}

/// How records are judged, and what is printed.
struct Settings {
    let basicOnly: Bool
    let transliterates: Bool
    /// Septets that a text may have, where there is a limit.
    let limit: Int?
    /// True to print counts instead of the texts.
    let counts: Bool
    /// Good ones are printed where these are reported.
    let badRecords: Results.BadRecords

    init(_ arguments: Arguments) throws(Stop) {
        try arguments.refuse("count", with: "invert", because: "bad records have no counts")
        try arguments.refuse("count", with: "quiet", because: "one prints, the other does not")
        try arguments.refuse("invert", with: "quiet", because: "one prints, the other does not")
        basicOnly = arguments.has("basic")
        transliterates = arguments.has("transliterate")
        limit = try arguments.integer("limit", in: 1...1_000_000)
        counts = arguments.has("count")
        badRecords =
            arguments.has("invert") ? .printed : arguments.has("quiet") ? .silent : .reported
    }
}
