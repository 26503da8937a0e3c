import Support

/// Command lines that are nearly right, or not at all.
enum CommandLine {
    private static let common = [
        "-z", "-f", "--field", "--rejects", "--fail-fast", "--progress", "--",
    ]
    private static let options: [String: [String]] = [
        "gsm7-check": [
            "-b", "-c", "-q", "-t", "-v", "-l", "-bt", "--limit", "--probe", "--probe-check",
            "--count",
        ],
        "smsenc-frame": ["-d", "-s", "-c", "-dj", "--unpack", "--split", "--count", "--join"],
        "smsenc-pad": [
            "-d", "-c", "-n", "-N", "-i", "-k", "--far", "--contact", "--keyring", "--identity",
            "-dc", "-c=bela", "-cbela",
        ],
        "smsenc-keyring": [
            "-k", "-i", "--number", "--yes", "--new", "--kind", "--name", "--for", "--all",
            "--user",
            "--country", "--lockout", "--moved", "--restored",
        ],
    ]
    private static let commands = [
        "init", "unlock", "lock", "status", "add", "resync", "offer", "accept", "verify", "edit",
        "remove", "list", "show", "export", "import", "adopt", "identity", "sync", "passwd", "none",
        "check", "file-key",
    ]
    private static let values = [
        "bela", "carol", "-", "--", "", "1", "0", "2", "1001", "-1", "99999999999999999999", "1h",
        "3/300", "27", "input", "missing", "desk", ".", "/dev/null", "add", "list", "remove",
        "rename",
        "real", "partial", "transient", "fictitious", "+27821234567", "rejected", "\u{202E}abc",
        "=",
        "\u{1B}[31m", "é", "e\u{301}",
    ]

    static func words(of tool: String, _ generator: inout Generator) -> [String] {
        let own = (options[tool] ?? []) + (tool == "smsenc-keyring" ? [] : common)
        var words: [String] = []
        for _ in 0..<generator.number(below: 6) {
            switch generator.number(below: 8) {
            case 0: words.append(plain(generator.text(upTo: 20)))
            case 1: words.append(generator.pick(values))
            case 2: words.append(generator.pick(own) + "=" + generator.pick(values))
            case 3: words += [generator.pick(own), plain(generator.text(upTo: 20))]
            case 4, 5: words += [generator.pick(own), generator.pick(values)]
            default: words.append(generator.pick(own))
            }
        }
        if tool == "smsenc-keyring" {
            let place = generator.once(in: 3) ? generator.number(below: words.count + 1) : 0
            words.insert(generator.pick(commands), at: place)
        }
        return words
    }

    /// Text that can be an argument, and leads nowhere outside.
    private static func plain(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.filter { $0 != 0 && $0 != UInt8(ascii: "/") }, as: UTF8.self)
    }
}
