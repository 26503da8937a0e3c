internal import ToolKit

/// The action of gsm7-check that the command line selects.
enum CheckAction {
    case printProbe
    case compareProbe(FilterOptions)
    case check(CheckRun)

    static let options =
        [
            Option("basic", short: "b", "reject the characters of the extension table"),
            Option(
                "count", short: "c", "print the number of septets, characters and SMS of each text"),
            Option("limit", short: "l", value: "N", "reject texts of more than N septets"),
            Option(
                "quiet", short: "q",
                "print nothing; the exit status shows whether all records are valid"),
            Option(
                "transliterate", short: "t",
                "replace characters that are not in the GSM alphabet with similar ones"),
            Option(
                "invert", short: "v",
                "print the rejected records instead of the valid ones, without diagnostics"),
            Option("probe", "print a test SMS that contains every character of the alphabet"),
            Option("probe-check", "show how a received copy of the test SMS differs from it"),
        ]
        + FilterOptions.table(
            payload: "read the text from field N, the last field (default: 1)")

    init(_ arguments: Arguments) throws(ExitError) {
        if arguments.has("probe") {
            try arguments.rejectOtherOptions(than: "probe")
            guard arguments.operands.isEmpty else { throw .misuse("--probe takes no file") }
            self = .printProbe
        } else if arguments.has("probe-check") {
            try arguments.rejectOtherOptions(than: "probe-check")
            guard arguments.operands.count <= 1 else {
                throw .misuse("--probe-check takes one file")
            }
            self = .compareProbe(try FilterOptions(arguments))
        } else {
            let settings = try CheckSettings(arguments)
            self = .check(CheckRun(settings: settings, options: try FilterOptions(arguments)))
        }
    }
}

/// The settings of a check, which say which texts are valid, and what is printed.
struct CheckSettings {
    let basicOnly: Bool
    let transliterates: Bool
    /// Maximum number of septets in a text, or nil for no limit.
    let septetLimit: Int?
    /// True to print the lengths of texts instead of the texts.
    let printsCounts: Bool
    /// The form in which bad records are reported. If `badRecords` is not `reported`, good records are not
    /// printed.
    let badRecords: Results.BadRecords

    init(_ arguments: Arguments) throws(ExitError) {
        try arguments.refuse("count", with: "invert", because: "rejected records have no counts")
        try arguments.refuse("count", with: "quiet", because: "--count prints numbers")
        try arguments.refuse("invert", with: "quiet", because: "--invert prints records")
        basicOnly = arguments.has("basic")
        transliterates = arguments.has("transliterate")
        septetLimit = try arguments.integer("limit", in: 1...1_000_000)
        printsCounts = arguments.has("count")
        badRecords =
            arguments.has("invert") ? .printed : arguments.has("quiet") ? .silent : .reported
    }
}
