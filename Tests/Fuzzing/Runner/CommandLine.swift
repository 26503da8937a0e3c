import Support
import TestPeople
import Testing

/// Generates random command lines, some of which are almost valid.
struct CommandLine {
    private let options: [String]
    /// Commands of smsenc-keyring, and an unknown command. The command that would destroy the keyring is
    /// not included.
    private let commands: [String]

    /// Reads the options and commands of a tool from the output of --help.
    init(_ tool: String, _ sandbox: Sandbox) throws {
        var help = try sandbox.run(tool, ["--help"]).outputText
        let commands = Self.names(#/(?m)^  ([a-z][a-z-]*)/#, help)
        for command in commands { help += try sandbox.run(tool, [command, "--help"]).outputText }
        options =
            ["--", "-c=bela", "-cbela", "-bt", "-dc", "-dj"]
            + Self.names(#/(?m)[ \[](--?[A-Za-z-]+)/#, help)
        self.commands = commands.isEmpty ? [] : commands.filter { $0 != "destroy" } + ["none"]
        // Fail if the format of --help has changed, because nothing would be tested.
        try #require(options.count > 12 && commands.isEmpty == (tool != "smsenc-keyring"))
    }

    private static func names(_ pattern: Regex<(Substring, Substring)>, _ help: String) -> [String]
    {
        Set(help.matches(of: pattern).map { String($0.1) }).sorted()
    }

    private static let values = [
        "bela", "carol", "-", "--", "", "1", "0", "2", "1001", "-1", "99999999999999999999", "1h",
        "3/300", "27", "input", "missing", "desk", ".", "/dev/null", "add", "list", "remove",
        "rename",
        "real", "partial", "transient", "fictitious", "+27821234567", "rejected", "\u{202E}abc",
        "=",
        "\u{1B}[31m", "é", "e\u{301}",
    ]

    func words(_ generator: inout Generator) -> [String] {
        var words: [String] = []
        for _ in 0..<generator.number(below: 6) {
            switch generator.number(below: 8) {
            case 0: words.append(Self.plain(generator.text(upTo: 20)))
            case 1: words.append(generator.pick(Self.values))
            case 2: words.append(generator.pick(options) + "=" + generator.pick(Self.values))
            case 3: words += [generator.pick(options), Self.plain(generator.text(upTo: 20))]
            case 4, 5: words += [generator.pick(options), generator.pick(Self.values)]
            default: words.append(generator.pick(options))
            }
        }
        if !commands.isEmpty {
            let place = generator.once(in: 3) ? generator.number(below: words.count + 1) : 0
            words.insert(generator.pick(commands), at: place)
        }
        return words
    }

    /// Returns random text for an argument that cannot refer to anything outside the folder.
    private static func plain(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.filter { $0 != 0 && $0 != UInt8(ascii: "/") }, as: UTF8.self)
    }
}
