internal import Foundation
internal import Synchronization

/// A temporary folder with keyrings in it, and tools that know of nothing outside.
///
/// Passwords cost scrypt's time, so a person's keyring is opened by a session, and all benches have
/// copies of those that were made first.
/// One test at a time uses it.
package final class Bench: @unchecked Sendable {
    package let folder: String
    /// By person.
    private var sessions: [String: String] = [:]

    package static let password = "Quite-a-Secret=4711"

    /// - Parameter inMemory: on a file system in memory, where there is one, on which nothing waits for
    ///   a disk.
    package init(inMemory: Bool = false) throws {
        let memory = URL(fileURLWithPath: "/dev/shm")
        let parent =
            inMemory && FileManager.default.isWritableFile(atPath: memory.path)
            ? memory : FileManager.default.temporaryDirectory
        let url = parent.resolvingSymlinksInPath()
            .appendingPathComponent("smsenc-" + UUID().uuidString)
        folder = url.path
        for name in ["home", "run", "desk"] {
            try FileManager.default.createDirectory(
                at: url.appendingPathComponent(name), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
        try write(Array((Self.password + "\n").utf8), to: "password")
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Has the folder removed when the tests are over, for a bench that several tests share: nobody
    /// lets go of a static one.
    package func removeAtExit() {
        Self.shared.withLock { $0.append(folder) }
        atexit {
            Bench.shared.withLock { folders in
                for folder in folders { try? FileManager.default.removeItem(atPath: folder) }
                folders.removeAll()
            }
        }
    }
    private static let shared = Mutex<[String]>([])

    package func path(_ name: String) -> String { folder + "/" + name }

    package func environment(of person: String? = nil, usesSession: Bool = true) -> [String: String]
    {
        var environment = [
            "PATH": "/usr/bin:/bin", "HOME": path("home"), "XDG_DATA_HOME": path("home/data"),
            "XDG_STATE_HOME": path("home/state"), "XDG_RUNTIME_DIR": path("run"),
            "LC_ALL": "C.UTF-8",
        ]
        if let person {
            environment["SMSENC_KEYRING"] = keyring(of: person)
            environment["SMSENC_SESSION"] = usesSession ? sessions[person] : nil
        }
        return environment
    }

    /// The token of a person's session.
    package func session(of person: String) -> String { sessions[person] ?? "" }

    package func keyring(of person: String) -> String { path("home/\(person)") }

    /// The one file of a person's session.
    package func sessionFile() throws -> String {
        let names = try FileManager.default.contentsOfDirectory(atPath: path("run/smsenc"))
        return path("run/smsenc/" + (names.first ?? ""))
    }

    package func start(
        _ tool: String, _ arguments: [String], as person: String? = nil,
        usesSession: Bool = true, into file: String? = nil
    ) throws -> ToolRun {
        try ToolRun(
            [Tools.path(tool)] + arguments, in: path("desk"),
            environment: environment(of: person, usesSession: usesSession), into: file)
    }

    package func run(
        _ tool: String, _ arguments: [String], as person: String? = nil, input: [UInt8] = []
    ) throws -> ToolResult {
        let running = try start(tool, arguments, as: person)
        running.write(input)
        return running.finish()
    }

    /// A person's keyring, at home here, and a session.
    package func add(person: String) throws {
        let first = try Self.firsts.withLock { firsts in
            if let first = firsts[person] { return first }
            let first = try Bench()
            first.removeAtExit()
            try first.make(person: person)
            firsts[person] = first
            return first
        }
        try FileManager.default.copyItem(
            atPath: first.keyring(of: person), toPath: keyring(of: person))
        let session = URL(fileURLWithPath: try first.sessionFile())
        try FileManager.default.createDirectory(
            atPath: path("run/smsenc"), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try FileManager.default.copyItem(
            atPath: session.path, toPath: path("run/smsenc/" + session.lastPathComponent))
        sessions[person] = first.session(of: person)
        try check(run("smsenc-keyring", ["adopt", "--moved"], as: person))
    }

    /// By person, each alone.
    private static let firsts = Mutex<[String: Bench]>([:])

    private func make(person: String) throws {
        try check(run("smsenc-keyring", ["init", "--user", person] + withPassword, as: person))
        let opened = try run(
            "smsenc-keyring", ["unlock", "--for", "1d"] + withPassword, as: person)
        try check(opened)
        let token = opened.outputText.dropFirst("SMSENC_SESSION=".count).prefix(32)
        sessions[person] = String(token)
    }

    /// Brings two people in step, by offers, which cost no scrypt.
    package func introduce(
        _ one: String, _ other: String, number: String = "+27821234567"
    ) throws {
        for (person, contact) in [(one, other), (other, one)] {
            try check(run("smsenc-keyring", ["add", contact, "--number", number], as: person))
        }
        let offer = try run("smsenc-keyring", ["offer", other], as: one).output
        let answer = try run("smsenc-keyring", ["offer", one], as: other).output
        for (person, contact, theirs) in [(one, other, answer), (other, one, offer)] {
            let codes = try run("smsenc-keyring", ["accept", contact], as: person, input: theirs)
            try check(codes)
            let code = codes.outputText.split(separator: "\t").last?.dropLast() ?? ""
            try check(run("smsenc-keyring", ["verify", contact, String(code)], as: person))
        }
    }

    /// Messages as frames, a line each.
    package func frames(_ messages: [String]) throws -> [UInt8] {
        let lines = messages.map { $0 + "\n" }.joined()
        return try run("smsenc-frame", ["--allow-empty"], input: Array(lines.utf8)).output
    }

    /// Enciphers messages, a line each.
    package func encipher(_ messages: [String], from sender: String, to reader: String) throws
        -> [UInt8]
    {
        try run("smsenc-pad", ["-c", reader], as: sender, input: try frames(messages)).output
    }

    private var withPassword: [String] { ["--password-file", path("password")] }

    package func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: path(name))
    }

    package func contents(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private func check(_ result: ToolResult) throws {
        if result.status != 0 { throw Failure(text: result.errorText) }
    }

    package struct Failure: Error, CustomStringConvertible {
        let text: String
        package var description: String { text }
    }
}
