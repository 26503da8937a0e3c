import Foundation
import Support
import TestPeople

/// Amina's keyring during conversations with Bela and Chidi, with its earlier states and the output of the
/// tools for the intact keyring.
final class MutatedKeyring {
    /// The keyring's file, its log if there is one, and its rollback note.
    struct State {
        let file: [UInt8]
        let log: [UInt8]
        let note: [UInt8]
    }

    let sandbox: Sandbox
    /// States of the keyring, oldest first. States that were recorded during a write include a log.
    private(set) var states: [State] = []
    /// Ciphertexts that were decrypted, by contact.
    private(set) var read: [String: [UInt8]] = [:]
    /// Ciphertexts that were skipped or are expected next, with their senders.
    private(set) var fresh: [(friend: String, line: [UInt8])] = []
    /// All ciphertexts of the same frame for each contact.
    private(set) var sent: Set<[UInt8]> = []
    /// Chidi's offer that was accepted.
    private(set) var usedOffer: [UInt8] = []
    /// Output of commands that do not change the keyring.
    private(set) var answers: [(words: [String], output: [UInt8])] = []

    var path: String { sandbox.keyring(of: "amina") }
    private(set) var note = ""

    /// Creates the keyring.
    ///
    /// - Parameter isLarge: true to add more contacts than one record of addresses contains.
    init(isLarge: Bool) throws {
        sandbox = try Sandbox(people: ["amina", "bela", "chidi"], inMemory: true)
        // The record of the account begins with the ID of the keyring.
        let id = try sqlite(path, "SELECT lower(hex(substr(record, 1, 16))) FROM account")
        note = sandbox.path(
            "home/state/smsenc/" + id.trimmingCharacters(in: .whitespacesAndNewlines))
        try meetAgain()
        _ = try keyring(["identity", "add", "work", "--kind", "partial"])
        _ = try keyring(["-i", "work", "add", "dora"])
        if isLarge {
            let names = (0..<300).map { "contact \($0)\t\n" }.joined()
            _ = try keyring(["add", "-"], Array(names.utf8))
        }
        for round in 0..<3 { for friend in ["bela", "chidi"] { try talk(round, with: friend) } }
        for friend in ["bela", "chidi"] {
            try sendSlowly(to: friend)
            try readSlowly(of: friend)
            let next = try sandbox.encrypt(["Next of \(friend)"], from: friend, to: "amina")
            fresh.append((friend, next))
        }
        try capture()
        for words in [
            ["list"], ["show", "bela"], ["show", "chidi"], ["show", "+27821230000"],
            ["identity", "list"], ["-i", "work", "list"], ["-i", "work", "show", "dora"],
            ["file-key", "--public"], ["-i", "work", "file-key", "--public"], ["verify", "bela"],
            ["list", "--state", "verified"],
        ] {
            answers.append((words, try keyring(words).output))
        }
    }

    private func keyring(_ words: [String], _ input: [UInt8] = []) throws -> ToolResult {
        let result = try sandbox.run("smsenc-keyring", words, as: "amina", input: input)
        guard result.status == 0 else { throw Unready(text: "\(words): \(result.errorText)") }
        return result
    }

    private struct Unready: Error { let text: String }

    /// Synchronises with Chidi again by offers, and stores the offers.
    private func meetAgain() throws {
        usedOffer = try sandbox.run("smsenc-keyring", ["offer", "amina"], as: "chidi").output
        let own = try keyring(["offer", "chidi"]).output
        let codes = try keyring(["accept", "chidi", "--yes"], usedOffer)
        let code = codes.outputText.split(separator: "\t").last?.dropLast() ?? ""
        _ = try keyring(["verify", "chidi", String(code), "--both"])
        _ = try sandbox.run(
            "smsenc-keyring", ["accept", "amina", "--yes"], as: "chidi", input: own)
    }

    static func text(for friend: String) -> String { "For \(friend) alone" }

    /// Receives three messages of a contact, decrypts the last message, and replies.
    private func talk(_ round: Int, with friend: String) throws {
        let three = try sandbox.encrypt(
            (0..<3).map { "\(friend) \(round) \($0)" }, from: friend, to: "amina")
        let lines = three.split(separator: 10).map { Array($0) + [10] }
        try capture()
        let last = try sandbox.run("smsenc-pad", ["-dc", friend], as: "amina", input: lines[2])
        guard last.status == 0 else { throw Unready(text: last.errorText) }
        read[friend, default: []] += lines[2]
        fresh.append((friend, lines[0]))
        let answer = try sandbox.encrypt([Self.text(for: friend)], from: "amina", to: friend)
        sent.insert(answer)
        _ = try sandbox.run("smsenc-pad", ["-dc", "amina"], as: friend, input: answer)
    }

    /// Decrypts messages into a blocked pipe, to record a state with keys of unwritten messages.
    private func readSlowly(of friend: String) throws {
        let many = try sandbox.encrypt(
            (0..<40).map { "Many \($0)" }, from: friend, to: "amina")
        try runSlowly(["-dc", friend], many)
        read[friend, default: []] += many
    }

    /// Encrypts messages into a blocked pipe, to record a state with keys in flight.
    private func sendSlowly(to friend: String) throws {
        let frames = try sandbox.frames([String](repeating: Self.text(for: friend), count: 40))
        let many = try runSlowly(["-c", friend], frames)
        sent.formUnion(many.split(separator: 10).map { Array($0) + [10] })
        _ = try sandbox.run("smsenc-pad", ["-dc", "amina"], as: friend, input: many)
    }

    @discardableResult
    private func runSlowly(_ words: [String], _ input: [UInt8]) throws -> [UInt8] {
        try sandbox.write(input, to: "desk/in")
        let run = try sandbox.start("smsenc-pad", words + ["in"], as: "amina")
        run.narrowOutput()
        while run.unreadOutput == 0 { usleep(1000) }
        try capture()
        let result = run.finish()
        guard result.status == 0 else { throw Unready(text: result.errorText) }
        return result.output
    }

    private func capture() throws {
        let log = path + "-wal"
        let hasLog = FileManager.default.fileExists(atPath: log)
        states.append(
            State(
                file: try sandbox.contents(path), log: hasLog ? try sandbox.contents(log) : [],
                note: try sandbox.contents(note)))
    }

    var newest: State { states[states.count - 1] }
    var older: [State] { Array(states.dropLast()) }

    /// Restores the most recent state, including the note.
    func restore() throws {
        try put(newest.file)
        try overwrite(note, newest.note)
    }

    /// Replaces the keyring's file and the files beside it.
    func put(_ file: [UInt8], beside others: [String: [UInt8]] = [:]) throws {
        for suffix in ["-wal", "-shm", "-journal"] {
            try? FileManager.default.removeItem(atPath: path + suffix)
            if let bytes = others[suffix] { try sandbox.write(bytes, to: "home/amina" + suffix) }
        }
        try overwrite(path, file)
    }

    /// Returns a statement that attaches an older state, or the keyring of another person, as a database
    /// from which rows can be copied.
    func attach(_ generator: inout Generator) throws -> String {
        let state =
            generator.once(in: 8)
            ? State(file: try sandbox.contents(sandbox.keyring(of: "bela")), log: [], note: [])
            : generator.pick(older)
        return "ATTACH '\(try write(state, to: "older"))' AS older; "
    }

    private func write(_ state: State, to name: String) throws -> String {
        for suffix in ["-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: sandbox.path(name + suffix))
        }
        try sandbox.write(state.file, to: name)
        if !state.log.isEmpty { try sandbox.write(state.log, to: name + "-wal") }
        return sandbox.path(name)
    }

    /// Reads the keyring with SQLite without changing it. A copy is used, because SQLite would roll back a
    /// hot journal.
    func found(_ statements: String) throws -> String {
        for suffix in ["", "-wal"] {
            let copy = sandbox.path("copy" + suffix)
            try? FileManager.default.removeItem(atPath: copy)
            if FileManager.default.fileExists(atPath: path + suffix) {
                try FileManager.default.copyItem(atPath: path + suffix, toPath: copy)
            }
        }
        return try sqlite(sandbox.path("copy"), statements)
    }

    /// Returns true if the records, their list, or the account differ from those in the most recent state,
    /// or if SQLite cannot read them.
    func isAltered() throws -> Bool {
        let newest = try write(newest, to: "newest")
        let contents = [
            "kind, id, sealed FROM %.records", "kind, id, tag FROM %.tags", "record FROM %.account",
        ]
        let counts = contents.flatMap { content in
            [("main", "newest"), ("newest", "main")].map { (one, other) in
                let rows = [one, other].map {
                    "SELECT " + content.replacingOccurrences(of: "%", with: $0)
                }
                return "SELECT count(*) FROM (\(rows.joined(separator: " EXCEPT ")));"
            }
        }
        let found = try found("ATTACH '\(newest)' AS newest; " + counts.joined(separator: " "))
        return found != String(repeating: "0\n", count: counts.count)
    }
}

/// Runs statements with sqlite3(1) and returns its output.
@discardableResult
func sqlite(_ path: String, _ statements: String) throws -> String {
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
