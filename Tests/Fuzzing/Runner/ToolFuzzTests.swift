import Foundation
import Support
import Testing

/// Random input for the executables: every end is one that the manual knows, every bad record has one
/// line that names it, and nothing that comes in drives a terminal through stderr.
@Suite(.serialized) struct ToolFuzzTests {
    /// Records in a run.
    private static let batch = 300

    @Test func gsm7Check() throws {
        let bench = try Bench()
        try Campaign.run(25) { generator, seed in
            var arguments = ["-b", "-t"].filter { _ in generator.once(in: 2) }
            if generator.once(in: 3) { arguments += ["-l", "\(1 + generator.length(upTo: 300))"] }
            if generator.once(in: 3) { arguments.append("-c") }
            try filter("gsm7-check", arguments, bench, &generator, seed) { $0.text() }
        }
    }

    @Test func smsencFrame() throws {
        let bench = try Bench()
        let frames = try bench.frames([
            "Hello", "a [b] c", "жж 你好", String(repeating: "x", count: 144),
        ])
        .split(separator: UInt8(ascii: "\n")).map { Array($0) }
        try Campaign.run(25) { generator, seed in
            if generator.once(in: 2) {
                try filter("smsenc-frame", ["-d"], bench, &generator, seed) { generator in
                    let frame = generator.pick(frames)
                    return generator.once(in: 4) ? generator.text() : generator.mutated(frame)
                }
            } else {
                // Without -s: a message may become several frames.
                let arguments = generator.once(in: 2) ? ["-u"] : []
                try filter("smsenc-frame", arguments, bench, &generator, seed) { $0.text() }
            }
        }
    }

    @Test func smsencFrameSplitting() throws {
        let bench = try Bench()
        try Campaign.run(5) { generator, seed in
            let records = (0..<20).map { _ in generator.text(upTo: 20_000) }
            let input = joined(records, "\n")
            let result = try bench.run("smsenc-frame", ["-s", "-u"], input: input)
            check(result, seed)
            #expect([0, 1].contains(result.status), "seed \(seed)")
        }
    }

    @Test func smsencPad() throws {
        let bench = try Bench()
        for person in ["amina", "bela"] { try bench.add(person: person) }
        try bench.introduce("amina", "bela")
        let frames = try bench.frames(["Hello", "a [b] c", "жж 你好"])
            .split(separator: UInt8(ascii: "\n")).map { Array($0) }
        let messages = (0..<100).map { "Message \($0)" }
        let ciphertexts = try bench.encipher(messages, from: "amina", to: "bela")
            .split(separator: UInt8(ascii: "\n")).map { Array($0) }
        try #require(ciphertexts.count == 100)
        try Campaign.run(8) { generator, seed in
            try filter("smsenc-pad", ["-c", "bela"], as: "amina", bench, &generator, seed) {
                let frame = $0.pick(frames)
                return $0.once(in: 4) ? $0.text() : $0.once(in: 8) ? frame : $0.mutated(frame)
            }
            // Each refused one is tried with some hundred keys, so fewer of them.
            try filter(
                "smsenc-pad", ["-d", "-c", "amina"], as: "bela", batch: 40, bench, &generator, seed
            ) {
                let ciphertext = $0.pick(ciphertexts)
                return $0.once(in: 4)
                    ? $0.text() : $0.once(in: 8) ? ciphertext : $0.mutated(ciphertext)
            }
            // Contacts of any name.
            let rows = (0..<100).map { _ in
                generator.text(upTo: 60) + [9] + generator.mutated(generator.pick(frames), times: 1)
            }
            let result = try bench.run("smsenc-pad", [], as: "amina", input: joined(rows, "\n"))
            check(result, seed)
            #expect([0, 1].contains(result.status), "seed \(seed): \(result.errorText)")
        }
    }

    /// Any words, options and files, any input: never a signal, and misuse is one line.
    @Test func commandLines() throws {
        let bench = try Bench()
        try bench.add(person: "amina")
        try bench.add(person: "bela")
        try bench.introduce("amina", "bela")
        try bench.write(Array("Hello\tworld\nsecond\n".utf8), to: "desk/input")
        try Campaign.run(150) { generator, seed in
            let tool = generator.pick(Tools.filters + ["smsenc-keyring"])
            let words = CommandLine.words(of: tool, &generator)
            let input = joined((0..<8).map { _ in generator.text(upTo: 100) }, "\n")
            let result = try bench.run(tool, words, as: "amina", input: input)
            check(result, seed, "\(tool) \(words)")
            if result.status == 64 {
                #expect(result.complaints.count == 1, "seed \(seed): \(tool) \(words)")
                #expect(
                    result.errorText.hasSuffix("see --help\n"), "seed \(seed): \(tool) \(words)")
                let isSilent = result.output.isEmpty || result.outputText == "false\n"
                #expect(isSilent, "seed \(seed): \(tool) \(words)")
            }
        }
    }

    /// Runs a filter over records that have been made here, and counts.
    private func filter(
        _ tool: String, _ arguments: [String], as person: String? = nil, batch: Int = Self.batch,
        _ bench: Bench, _ generator: inout Generator, _ seed: UInt64,
        record: (inout Generator) -> [UInt8]
    ) throws {
        let isNull = generator.once(in: 2)
        let terminator = isNull ? "\u{0}" : "\n"
        var records: [[UInt8]] = []
        for _ in 0..<batch {
            let bytes = record(&generator)
            // What holds a terminator is several records.
            records += bytes.split(
                separator: terminator.utf8.first ?? 0, omittingEmptySubsequences: false
            ).map { Array($0) }
        }
        // A byte order mark at the very beginning is not the record's.
        if records[0].starts(with: [0xEF, 0xBB, 0xBF]) { records[0] = [] }
        let rejects = "rejects-\(seed)-\(generator.next())"
        let words = arguments + (isNull ? ["-z"] : []) + ["--rejects", rejects]
        let result = try bench.run(tool, words, as: person, input: joined(records, terminator))
        let shown = "seed \(seed): \(tool) \(words)"
        check(result, seed, shown)
        let bad = badRecords(result, tool)
        #expect(bad == bad.sorted() && Set(bad).count == bad.count, "\(shown): \(result.errorText)")
        #expect(result.status == (bad.isEmpty ? 0 : 1), "\(shown): \(result.errorText)")
        let good = result.output.count { $0 == terminator.utf8.first }
        #expect(good + bad.count == records.count, "\(shown)")
        let kept = try bench.contents(bench.path("desk/" + rejects))
        let expected = joined(bad.map { records[$0 - 1] }, terminator)
        #expect(kept == expected, "\(shown)")
        try FileManager.default.removeItem(atPath: bench.path("desk/" + rejects))
    }

    /// The numbers of the records that stderr calls bad; remarks on good ones are left out.
    private func badRecords(_ result: ToolResult, _ tool: String) -> [Int] {
        result.complaints.compactMap { line in
            let text = String(decoding: line, as: UTF8.self)
            let prefix = "\(tool): stdin:"
            guard text.hasPrefix(prefix), !text.contains(": late: ") else { return nil }
            return Int(text.dropFirst(prefix.count).prefix { $0 != ":" })
        }
    }

    /// What holds of every run.
    private func check(_ result: ToolResult, _ seed: UInt64, _ what: String = "") {
        #expect(
            Tools.statuses.contains(result.status), "seed \(seed): \(what): \(result.errorText)")
        let isText = String(validating: result.errors, as: UTF8.self) != nil
        #expect(isText, "seed \(seed): \(what)")
        let drivers = result.errorText.unicodeScalars.filter { isDriver($0) }
        #expect(drivers.isEmpty, "seed \(seed): \(what): \(result.errorText.debugDescription)")
        #expect(!result.errorText.contains("unexpected failure"), "seed \(seed): \(what)")
    }

    /// Control characters, and those that turn the reading order.
    private func isDriver(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A: false
        case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    private func joined(_ records: [[UInt8]], _ terminator: String) -> [UInt8] {
        records.flatMap { $0 + terminator.utf8 }
    }
}

/// Command lines that are nearly right, or not at all.
private enum CommandLine {
    private static let common = [
        "-z", "-f", "--field", "--rejects", "--fail-fast", "--progress", "--",
    ]
    private static let options: [String: [String]] = [
        "gsm7-check": [
            "-b", "-c", "-q", "-t", "-v", "-l", "-bt", "--limit", "--probe", "--probe-check",
            "--count",
        ],
        "smsenc-frame": ["-d", "-s", "-u", "-su", "--unpack", "--split", "--unicode"],
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
