import Foundation
import Keyring
import Support
import System
import Testing

/// Somebody who can write to the keyring, and has neither password nor session, in the midst of a
/// conversation: each random statement changes nothing, or the tools end with 65 or 77.
///
/// `SMSENC_MUTATIONS` says how many statements; thousands take minutes. `SMSENC_FUZZ_SEED` says which.
@Suite(.serialized) struct MutationTests {
    private static let isHere = FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")
    private static let count = number("SMSENC_MUTATIONS") ?? 60
    private static let seed = number("SMSENC_FUZZ_SEED") ?? 1

    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    /// A file and the note of its commits.
    private struct State {
        let file: [UInt8]
        let note: [UInt8]
    }

    /// Amina's keyring in the midst of conversations with Bela and Chidi, and what it does unharmed.
    private final class Conversation {
        let bench: Bench
        /// States of Amina's keyring, oldest first.
        private(set) var states: [State] = []
        /// Ciphertexts for Amina that were read, were passed over, and come next; by contact.
        private(set) var read: [(String, [UInt8])] = []
        private(set) var fresh: [(String, [UInt8])] = []
        let listing: String

        init() throws {
            bench = try Bench(inMemory: true)
            for person in ["amina", "bela", "chidi"] { try bench.add(person: person) }
            try bench.introduce("amina", "bela", number: "+27821111111")
            try bench.introduce("amina", "chidi", number: "+27822222222")
            _ = try bench.run(
                "smsenc-keyring", ["identity", "add", "work", "--kind", "partial"], as: "amina")
            _ = try bench.run("smsenc-keyring", ["-i", "work", "add", "dora"], as: "amina")
            for round in 0..<3 {
                for friend in ["bela", "chidi"] {
                    let sent = try bench.encipher(
                        (0..<3).map { "\(friend) \(round) \($0)" }, from: friend, to: "amina")
                    let lines = sent.split(separator: 10).map { Array($0) + [10] }
                    states.append(try Self.state(bench))
                    _ = try bench.run("smsenc-pad", ["-dc", friend], as: "amina", input: lines[2])
                    read.append((friend, lines[2]))
                    fresh.append((friend, lines[0]))
                    let answer = try bench.encipher(["Answer"], from: "amina", to: friend)
                    _ = try bench.run("smsenc-pad", ["-dc", "amina"], as: friend, input: answer)
                }
            }
            for friend in ["bela", "chidi"] {
                let next = try bench.encipher(["Next of \(friend)"], from: friend, to: "amina")
                fresh.append((friend, next))
            }
            states.append(try Self.state(bench))
            listing = try bench.run("smsenc-keyring", ["list"], as: "amina").outputText
        }

        private static func note(_ bench: Bench) throws -> String {
            // The id is at the beginning of the account's row.
            let id = try sqlite(
                bench.keyring(of: "amina"), "SELECT lower(hex(keyring)) FROM account")
            return bench.path(
                "home/state/smsenc/" + id.trimmingCharacters(in: .whitespacesAndNewlines))
        }

        private static func state(_ bench: Bench) throws -> State {
            State(
                file: try bench.contents(bench.keyring(of: "amina")),
                note: try bench.contents(try note(bench)))
        }

        /// Puts the newest state in place, note and all.
        func restore() throws {
            for suffix in ["-wal", "-shm", "-journal"] {
                try? FileManager.default.removeItem(atPath: bench.keyring(of: "amina") + suffix)
            }
            guard let newest = states.last else { return }
            try overwrite(bench.keyring(of: "amina"), newest.file)
            try overwrite(try Self.note(bench), newest.note)
        }

        private func overwrite(_ path: String, _ bytes: [UInt8]) throws {
            // In place: the keyring's home is its inode or time of birth.
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: bytes)
            try file.close()
        }

        /// An older state, as another database to copy rows from.
        func attach(_ generator: inout Generator) throws -> String {
            let path = bench.path("older")
            try Data(generator.pick(Array(states.dropLast())).file).write(
                to: URL(fileURLWithPath: path))
            return "ATTACH '\(path)' AS older; "
        }
    }

    @Test(.enabled(if: isHere)) func statements() throws {
        let conversation = try Conversation()
        for round in 0..<Self.count {
            let seed = Self.seed &* 1_000_003 &+ round
            var generator = Generator(seed: seed)
            try conversation.restore()
            let statement = try Mutation.statement(&generator) { (generator) throws in
                try conversation.attach(&generator)
            }
            _ = try sqlite(conversation.bench.keyring(of: "amina"), statement)
            try check(conversation, &generator, "seed \(seed): \(statement)")
        }
    }

    /// All that the tools do with the keyring is what it was, or refused.
    private func check(
        _ conversation: Conversation, _ generator: inout Generator, _ what: String
    ) throws {
        let bench = conversation.bench
        func run(_ tool: String, _ words: [String], _ input: [UInt8] = []) throws -> ToolResult? {
            let result = try bench.run(tool, words, as: "amina", input: input)
            if result.status == 65 || result.status == 77 { return nil }
            return result
        }
        // Chidi's ciphertext first: what one message lets through the next does not make right.
        for friend in generator.once(in: 2) ? ["bela", "chidi"] : ["chidi", "bela"] {
            let frames = try bench.frames(["For \(friend) alone"])
            if let sent = try run("smsenc-pad", ["-c", friend], frames), sent.status == 0 {
                let others = ["bela", "chidi"].filter { $0 != friend }
                for reader in others {
                    let stolen = try bench.run(
                        "smsenc-pad", ["-dc", "amina"], as: reader, input: sent.output)
                    #expect(stolen.output.isEmpty, "\(what): \(reader) read it")
                }
                let again = try run("smsenc-pad", ["-c", friend], frames)
                #expect(again?.output != sent.output, "\(what): a key was used twice")
            }
        }
        for (friend, message) in conversation.read {
            let result = try run("smsenc-pad", ["-dc", friend], message)
            #expect(result?.output.isEmpty ?? true, "\(what): a message was read twice")
        }
        let (friend, message) = generator.pick(conversation.fresh)
        for other in ["bela", "chidi"] where other != friend {
            let result = try run("smsenc-pad", ["-dc", other], message)
            #expect(result?.output.isEmpty ?? true, "\(what): \(friend)'s was read as \(other)'s")
        }
        if let result = try run("smsenc-pad", ["-dc", friend], message) {
            #expect(result.status == 0, "\(what): \(result.errorText)")
        }
        if let result = try run("smsenc-keyring", ["list"]) {
            let names = result.outputText.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
            let expected = conversation.listing.split(separator: "\n")
                .map { $0.prefix { $0 != "\t" } }
            #expect(names == expected, "\(what): \(result.outputText)")
        }
        if let added = try run("smsenc-keyring", ["add", "bela"]) {
            #expect(added.status == 1, "\(what): there are two of one name")
        }
        let rows = try? sqlite(
            bench.keyring(of: "amina"), "SELECT count(*) FROM main.stash")
        #expect((rows ?? "0").hasPrefix("0") || rows == "", "\(what): a trigger was run")
    }
}

/// Runs statements with SQLite's own program; what it prints.
private func sqlite(_ path: String, _ statements: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
    process.arguments = ["-cmd", ".timeout 2000", path, statements]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: text, as: UTF8.self)
}
