import Foundation
import GSM7
import Support
import TestPeople
import Testing

/// Passes random input to the tools. Every exit status must be documented, and every bad record must be
/// reported in one line with its number. No input may send control characters to the terminal through
/// stderr.
@Suite(.measured, .serialized) struct ToolFuzzTests {
    @Test func gsm7CheckReportsEveryBadRecord() throws {
        let sandbox = try Sandbox()
        try Campaign.run(25) { generator, seed in
            var arguments = ["-b", "-t"].filter { _ in generator.once(in: 2) }
            if generator.once(in: 3) { arguments += ["-l", "\(1 + generator.length(upTo: 300))"] }
            if generator.once(in: 3) { arguments.append("-c") }
            if generator.once(in: 3) { arguments += ["-f", "\(1 + generator.number(below: 4))"] }
            try Fuzz.filter("gsm7-check", arguments, sandbox, &generator, seed) { $0.text() }
        }
    }

    @Test func smsencFrameReportsEveryBadRecord() throws {
        let sandbox = try Sandbox()
        let frames = try sandbox.frames([
            "Hello", "a [b] c", "жж 你好", String(repeating: "x", count: 144),
        ])
        .split(separator: UInt8(ascii: "\n")).map { Array($0) }
        try Campaign.run(25) { generator, seed in
            if generator.once(in: 2) {
                try Fuzz.filter("smsenc-frame", ["-d"], sandbox, &generator, seed) { generator in
                    let frame = generator.pick(frames)
                    return generator.once(in: 4) ? generator.text() : generator.mutated(frame)
                }
            } else {
                // Without -s, a message may become several frames.
                var arguments: [String] = []
                if generator.once(in: 3) { arguments += ["-f", "2"] }
                if generator.once(in: 3) { arguments += ["-t"] }
                if generator.once(in: 3) { arguments += ["--allow-empty"] }
                try Fuzz.filter("smsenc-frame", arguments, sandbox, &generator, seed) { $0.text() }
            }
        }
    }

    /// Decodes twenty thousand random compressed fields. Each of them must decode to a text, or be
    /// reported in one line.
    @Test func randomCompressedFieldsAreDecodedOrReported() throws {
        let sandbox = try Sandbox()
        let characters = Array(Alphabet.text.unicodeScalars)
        var generator = Generator(seed: 733)
        let count = 20_000
        var input = ""
        for _ in 0..<count {
            input += "cos731" + generator.text(144, from: characters)
            input += String(repeating: " ", count: 10) + "\n"
        }
        let result = try sandbox.run("smsenc-frame", ["-d"], input: Array(input.utf8))
        let good = result.output.count { $0 == UInt8(ascii: "\n") }
        let bad = Fuzz.badRecords(result, "smsenc-frame")
        #expect(result.status == 1 && good > 0 && !bad.isEmpty)
        #expect(good + bad.count == count)
    }

    @Test func splittingReportsEveryBadRecord() throws {
        let sandbox = try Sandbox()
        try Campaign.run(5) { generator, seed in
            let records = (0..<20).map { _ in generator.text(upTo: 3000) }
            let input = Fuzz.joined(records, "\n")
            let result = try sandbox.run("smsenc-frame", ["-s"], input: input)
            Fuzz.check(result, seed, records: records.count)
            #expect([0, 1].contains(result.status), "seed \(seed)")
        }
    }

    /// With these options, bad records are not reported individually. Every exit status must still be
    /// documented.
    @Test func rareOptionsEndWithADocumentedStatus() throws {
        let sandbox = try Sandbox()
        try Campaign.run(40) { generator, seed in
            let words = generator.pick([
                ["gsm7-check", "-v"], ["gsm7-check", "-vz"], ["gsm7-check", "-q"],
                ["gsm7-check", "-bv", "-l", "20"], ["gsm7-check", "--probe-check"],
                ["gsm7-check", "--fail-fast"], ["gsm7-check", "--progress"],
                ["smsenc-frame", "--fail-fast"], ["smsenc-frame", "-d", "--progress"],
                ["smsenc-frame", "-sz", "--fail-fast"],
            ])
            let records = (0..<Fuzz.batch).map { _ in generator.text() }
            let result = try sandbox.run(
                words[0], Array(words.dropFirst()), input: Fuzz.joined(records, "\n"))
            // Progress messages return to the beginning of the line.
            let isProgress = words.contains("--progress")
            Fuzz.check(
                result, seed, "\(words)", allowsControlCharacters: isProgress,
                records: records.count)
            #expect([0, 1].contains(result.status), "seed \(seed): \(words)")
            if words.contains("--fail-fast") { #expect(result.errorLines.count < 2) }
        }
    }

    @Test func smsencPadReportsEveryBadRecord() throws {
        let sandbox = try Sandbox(people: ["amina", "bela"])
        let frames = try sandbox.frames(["Hello", "a [b] c", "жж 你好"])
            .split(separator: UInt8(ascii: "\n")).map { Array($0) }
        let messages = (0..<100).map { "Message \($0)" }
        let ciphertexts = try sandbox.encrypt(messages, from: "amina", to: "bela")
            .split(separator: UInt8(ascii: "\n")).map { Array($0) }
        try #require(ciphertexts.count == 100)
        try Campaign.run(8) { generator, seed in
            try Fuzz.filter("smsenc-pad", ["-c", "bela"], as: "amina", sandbox, &generator, seed) {
                let frame = $0.pick(frames)
                return $0.once(in: 4) ? $0.text() : $0.once(in: 8) ? frame : $0.mutated(frame)
            }
            // The payload is preceded by the contact's name or number.
            let field = generator.pick(["-n", "-N"])
            try Fuzz.filter(
                "smsenc-pad", [field, "-c", "bela", "-f", "2"], as: "amina", batch: 60, sandbox,
                &generator, seed
            ) { $0.text(upTo: 30) + [9] + $0.pick(frames) }
            // Each refused ciphertext is tried with several hundred keys, so use fewer ciphertexts.
            try Fuzz.filter(
                "smsenc-pad", ["-d", "-c", "amina"], as: "bela", batch: 40, sandbox, &generator,
                seed
            ) {
                let ciphertext = $0.pick(ciphertexts)
                return $0.once(in: 4)
                    ? $0.text() : $0.once(in: 8) ? ciphertext : $0.mutated(ciphertext)
            }
            if generator.once(in: 4) {
                let forged = Fuzz.joined((0..<4).map { _ in generator.gsmText(160) }, "\n")
                let result = try sandbox.run(
                    "smsenc-pad", ["-d", "--far", "-c", "amina"], as: "bela", input: forged)
                Fuzz.check(result, seed, records: 4)
                #expect(result.status == 1, "seed \(seed): \(result.errorText)")
            }
            // Add contacts with random names.
            let rows = (0..<100).map { _ in
                generator.text(upTo: 60) + [9] + generator.mutated(generator.pick(frames), times: 1)
            }
            let result = try sandbox.run(
                "smsenc-pad", [], as: "amina", input: Fuzz.joined(rows, "\n"))
            Fuzz.check(result, seed, records: rows.count)
            #expect([0, 1].contains(result.status), "seed \(seed): \(result.errorText)")
        }
    }

    /// Runs tools with random words, options, files and input. No tool may be terminated by a signal, and
    /// misuse must be reported in one line.
    @Test func randomCommandLinesEndWithADocumentedStatus() throws {
        let sandbox = try Sandbox(people: ["amina", "bela"])
        try sandbox.write(Array("Hello\tworld\nsecond\n".utf8), to: "desk/input")
        let commandLines = try Tools.names.map { ($0, try CommandLine($0, sandbox)) }
        try Campaign.run(150) { generator, seed in
            let (tool, commandLine) = generator.pick(commandLines)
            let words = commandLine.words(&generator)
            let input = Fuzz.joined((0..<8).map { _ in generator.text(upTo: 100) }, "\n")
            let result = try sandbox.run(tool, words, as: "amina", input: input)
            Fuzz.check(
                result, seed, "\(tool) \(words)",
                allowsControlCharacters: words.contains("--progress"))
            if result.status == 64 {
                #expect(result.errorLines.count == 1, "seed \(seed): \(tool) \(words)")
                #expect(
                    result.errorText.hasSuffix("see --help\n"), "seed \(seed): \(tool) \(words)")
                let isSilent = result.output.isEmpty || result.outputText == "false\n"
                #expect(isSilent, "seed \(seed): \(tool) \(words)")
            }
        }
    }

    /// Processes tables of contacts, keys and offers. Each row must be processed, or refused in one line.
    @Test func randomTablesAreProcessedOrReported() throws {
        let sandbox = try Sandbox(people: ["amina", "bela"])
        let offer = Array(
            try sandbox.run("smsenc-keyring", ["offer", "amina"], as: "bela").output.dropLast())
        try Campaign.run(20) { generator, seed in
            let command = generator.pick(["add", "sync", "offer", "accept"])
            try Fuzz.filter(
                "smsenc-keyring", [command, "-"], as: "amina", batch: 20, sandbox, &generator, seed
            ) {
                let name = $0.once(in: 4) ? Array("bela".utf8) : $0.text(upTo: 60)
                if command == "offer" { return name }
                let typed = $0.once(in: 2) ? $0.text(upTo: 60) : $0.mutated(offer)
                return name + [9] + typed
            }
        }
    }

    /// Forged ciphertexts, some of which have the wrong length, must be refused and must not change the
    /// keyring.
    @Test func forgedCiphertextsAreRefused() throws {
        let sandbox = try Sandbox(people: ["amina", "bela"])
        let lines = try sandbox.encrypt(["One", "Two", "Three", "Four"], from: "amina", to: "bela")
            .split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
        try #require(lines.count == 4)
        let first = try sandbox.run(
            "smsenc-pad", ["-dc", "amina"], as: "bela", input: Array((lines[0] + "\n").utf8))
        try #require(first.status == 0)
        let own = try sandbox.encrypt(["Mine"], from: "bela", to: "amina")

        var generator = Generator(seed: Campaign.seed)
        let symbols = lines[1].map { String($0) }
        var forged = [lines[0], String(decoding: own.dropLast(), as: UTF8.self)]
        forged.append(symbols.dropLast().joined())
        forged.append(symbols.dropFirst().joined())
        forged.append(lines[1] + "x")
        forged.append("x" + lines[1])
        forged.append(lines[1] + lines[2])
        forged.append((symbols[..<80] + lines[2].map { String($0) }[80...]).joined())
        for _ in 0..<8 {
            var altered = symbols
            let place = generator.number(below: 160)
            altered[place] = altered[place] == "a" ? "b" : "a"
            forged.append(altered.joined())
            altered = symbols
            let other = generator.number(below: 160)
            if altered[place] == altered[other] { continue }
            altered.swapAt(place, other)
            // A blank at either end is lost in transit, like any other.
            forged.append(altered.joined())
        }
        let before = try sandbox.run("smsenc-keyring", ["list"], as: "bela").outputText
        let file = try sandbox.contents(sandbox.keyring(of: "bela"))
        let input = forged.map { $0 + "\n" }.joined()
        let refused = try sandbox.run(
            "smsenc-pad", ["-dc", "amina"], as: "bela", input: Array(input.utf8))
        #expect(refused.status == 1 && refused.output.isEmpty, "seed \(Campaign.seed)")
        #expect(refused.errorLines.count == forged.count, "\(refused.errorText)")
        #expect(try sandbox.contents(sandbox.keyring(of: "bela")) == file)
        #expect(try sandbox.run("smsenc-keyring", ["list"], as: "bela").outputText == before)
        let genuine = try sandbox.run(
            "smsenc-pad", ["-dc", "amina"], as: "bela",
            input: Array((lines[1...].joined(separator: "\n") + "\n").utf8))
        #expect(genuine.status == 0 && genuine.errors.isEmpty, "\(genuine.errorText)")
    }
}
