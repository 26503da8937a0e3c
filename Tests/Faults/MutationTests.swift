import Foundation
import Support
import TestPeople
import Testing

/// An attacker without password or session modifies the keyring during a conversation. Random statements,
/// and exchanged pages or files, must either have no effect, or make the tools exit with status 65 or 77.
///
/// `SMSENC_MUTATIONS` sets the number of mutations. Thousands of mutations take several minutes.
/// `SMSENC_FUZZ_SEED` sets the seed.
@Suite(.measured, .serialized) struct MutationTests {
    private static let isHere = FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")
    private static let count = number("SMSENC_MUTATIONS") ?? 25
    private static let seed = number("SMSENC_FUZZ_SEED") ?? 1

    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    /// Applies random mutations to a keyring.
    ///
    /// - Parameter isLarge: true for a keyring with more contacts than one record of addresses contains.
    @Test(.enabled(if: isHere, "there is no sqlite3"), arguments: [false, true])
    func aModifiedKeyringBehavesAsBeforeOrIsRefused(_ isLarge: Bool) throws {
        let keyring = try MutatedKeyring(isLarge: isLarge)
        for round in 0..<Self.count {
            let seed = Self.seed &* 1_000_003 &+ round
            var generator = Generator(seed: seed)
            try keyring.restore()
            let what: String
            if generator.once(in: 2) {
                what = try FileMutation.apply(to: keyring, &generator)
            } else {
                what = try SQLMutation.statement(&generator) { (generator) throws in
                    try keyring.attach(&generator)
                }
                try sqlite(keyring.path, what)
            }
            try Check(keyring: keyring, what: "seed \(seed): \(what)").all(&generator)
        }
    }
}

/// Checks that every command works as before or refuses the keyring.
private struct Check {
    let keyring: MutatedKeyring
    let what: String

    /// Runs a tool. Returns nil if it refused the keyring.
    private func run(_ tool: String, _ words: [String], _ input: [UInt8] = []) throws -> ToolResult?
    {
        let result = try keyring.sandbox.run(tool, words, as: "amina", input: input)
        if result.status == 65 || result.status == 77 { return nil }
        #expect(
            result.status == 0 || result.status == 1,
            "\(what): \(tool) \(words): \(result.status) \(result.errorText)")
        return result
    }

    func all(_ generator: inout Generator) throws {
        // Other commands notice a record that was altered only if they read it. This is not always tried,
        // because these commands must not depend on an earlier check.
        if generator.once(in: 2), try keyring.isAltered() {
            let result = try run("smsenc-keyring", ["check"])
            #expect(result == nil, "\(what): check did not see it")
        }
        // A command must not repair damage that an earlier command overlooked.
        switch generator.number(below: 3) {
        case 0: try answers(&generator)
        case 1: try reading(&generator)
        default: try sending(&generator)
        }
        try sending(&generator)
        try reading(&generator)
        try listing()
        let offer = try run("smsenc-keyring", ["accept", "chidi", "--yes"], keyring.usedOffer)
        #expect(offer?.status != 0, "\(what): an offer was taken twice")
        let stash = try keyring.found("SELECT count(*) FROM stash")
        #expect(stash.isEmpty || stash == "0\n", "\(what): a trigger was run")
    }

    private func answers(_ generator: inout Generator) throws {
        let expected = generator.pick(keyring.answers)
        guard let result = try run("smsenc-keyring", expected.words) else { return }
        #expect(
            result.output == expected.output || (result.status == 1 && result.output.isEmpty),
            "\(what): \(expected.words): \(result.outputText)\(result.errorText)")
        #expect(result.status == 0, "\(what): \(expected.words): \(result.errorText)")
    }

    private func sending(_ generator: inout Generator) throws {
        for friend in generator.once(in: 2) ? ["bela", "chidi"] : ["chidi", "bela"] {
            let frames = try keyring.sandbox.frames([MutatedKeyring.text(for: friend)])
            guard let sent = try run("smsenc-pad", ["-c", friend], frames) else { continue }
            #expect(sent.status == 0, "\(what): \(sent.errorText)")
            for reader in ["bela", "chidi"] where reader != friend {
                let stolen = try keyring.sandbox.run(
                    "smsenc-pad", ["-dc", "amina"], as: reader, input: sent.output)
                #expect(stolen.output.isEmpty, "\(what): \(reader) read it")
            }
            #expect(!keyring.sent.contains(sent.output), "\(what): a key was used twice")
            let again = try run("smsenc-pad", ["-c", friend], frames)
            #expect(again?.output != sent.output, "\(what): a key was used twice")
        }
    }

    private func reading(_ generator: inout Generator) throws {
        for (friend, messages) in keyring.read {
            let result = try run("smsenc-pad", ["-dc", friend], messages)
            #expect(result?.output.isEmpty ?? true, "\(what): a message was read twice")
        }
        let (friend, message) = generator.pick(keyring.fresh)
        for other in ["bela", "chidi"] where other != friend {
            let result = try run("smsenc-pad", ["-dc", other], message)
            #expect(result?.output.isEmpty ?? true, "\(what): \(friend)'s was read as \(other)'s")
        }
        guard let result = try run("smsenc-pad", ["-dc", friend], message) else { return }
        // An earlier command of this check has decrypted this ciphertext.
        #expect(result.status == 0 || result.output.isEmpty, "\(what): \(result.errorText)")
    }

    private func listing() throws {
        if let result = try run("smsenc-keyring", ["list", "--names"]) {
            let expected = keyring.answers[0].output.split(separator: 10).map {
                $0.prefix { $0 != 9 }
            }
            #expect(
                result.output.split(separator: 10) == expected, "\(what): \(result.outputText)")
        }
        if let added = try run("smsenc-keyring", ["add", "bela"]) {
            #expect(added.status == 1, "\(what): there are two of one name")
        }
    }
}
