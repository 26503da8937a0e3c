internal import Foundation
package import Support
package import Keyring
package import System

/// A temporary folder with the keyrings of several people, in which the tools run without access to
/// anything outside it.
///
/// Keyrings are opened by sessions, because passwords take the time of scrypt. Only one test may use a
/// sandbox at a time.
package final class Sandbox: @unchecked Sendable {
    package let folder: String
    /// Session tokens, by person.
    private var sessions: [String: String] = [:]

    /// Creates a sandbox.
    ///
    /// - Parameters:
    ///   - people: the people for whom keyrings are created. The first person is synchronised with each of
    ///     the others.
    ///   - inMemory: true to prefer a file system in memory, which is faster.
    package init(people: [String] = [], inMemory: Bool = false) throws {
        let url = try makeTemporaryFolder(inMemory: inMemory)
        folder = url.path
        for name in ["home", "run", "desk"] {
            try FileManager.default.createDirectory(
                at: url.appendingPathComponent(name), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
        try write(Array((TestKeyrings.password + "\n").utf8), to: "password")
        for person in people { try add(person: person) }
        for (index, other) in people.dropFirst().enumerated() {
            try introduce(people[0], other, number: "+2782123000\(index)")
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Removes the folder when the process ends. Used for a sandbox that several tests share.
    package func removeAtExit() { TestPeople.removeAtExit(folder) }

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

    /// Returns the token of a person's session.
    package func session(of person: String) -> String { sessions[person] ?? "" }

    package func keyring(of person: String) -> String { path("home/\(person)") }

    /// Paths of the rollback notes of all keyrings, relative to the folder.
    package var notes: [String] {
        let folder = "home/state/smsenc"
        let names = try? FileManager.default.contentsOfDirectory(atPath: path(folder))
        return (names ?? []).map { folder + "/" + $0 }
    }

    /// The content of a rollback note whose count is lower than that of any keyring.
    package static let oldestNote = [UInt8](repeating: 48, count: 20) + [10]

    /// Returns the path of the only session file.
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

    /// Starts a shell script in a mount namespace of its own, in which it may mount file systems. The tools are
    /// in its PATH.
    package func startInOwnNamespace(
        _ script: String, as person: String, changing changes: [String: String] = [:]
    ) throws -> ToolRun {
        var environment = environment(of: person).merging(changes) { $1 }
        environment["PATH"] = Tools.folder.path + ":/usr/sbin:/usr/bin:/sbin:/bin"
        let flags = geteuid() == 0 ? "-m" : "-rm"
        return try ToolRun(
            ["/usr/bin/unshare", flags, "/bin/sh", "-c", script], in: path("desk"),
            environment: environment)
    }

    package var places: StandardPaths {
        StandardPaths(state: path("home/state/smsenc"), sessions: path("run/smsenc"))
    }

    /// Creates a keyring and a session for a person.
    package func add(person: String) throws {
        sessions[person] = try TestKeyrings.copy(
            of: person, to: keyring(of: person), places, .system)
        try withKeyring(of: person) { try $0.adoptMoved(isComplete: true) }
    }

    /// Opens a person's keyring, or a copy of it, in this process. No tool is started in the meantime.
    package func withKeyring<Result>(
        of person: String, at copy: String? = nil, _ body: (Keyring) throws -> Result
    ) throws -> Result {
        processStartLock.lock()
        defer { processStartLock.unlock() }
        let session = try Session(token: session(of: person), folder: places.sessions)
        let path = copy ?? keyring(of: person)
        let opened = try KeyringFile(path: path, places: places, clocks: .system)
            .unlock(with: session)
        defer { try? opened.file.close() }
        return try body(opened)
    }

    /// Makes two people verified contacts of each other.
    package func introduce(
        _ one: String, _ other: String, number: String = "+27821234567"
    ) throws {
        try withKeyring(of: one) { first in
            try withKeyring(of: other) { second in
                try TestKeyrings.synchronise(
                    (first, one, number), (second, other, number), verify: true)
            }
        }
    }

    /// Synchronises two people again.
    package func resynchronise(_ one: String, _ other: String) throws {
        try withKeyring(of: one) { first in
            try withKeyring(of: other) { second in
                try TestKeyrings.synchroniseAgain((first, other), (second, one))
            }
        }
    }

    /// Exports a person's keyring, and replaces it with a new keyring into which the backup is imported.
    package func replaceWithBackup(of person: String) throws {
        var lines: [[UInt8]] = []
        try withKeyring(of: person) { try $0.export { lines.append($0) } }
        let path = keyring(of: person)
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: path + suffix)
        }
        let importer = try BackupImporter(of: lines[0], lines[1], at: path, places: places)
        let password = secret(TestKeyrings.password)
        try importer.unlock(password: password)
        for line in lines.dropFirst(2) { try importer.read(line) }
        try importer.finish()
        let opened = try KeyringFile(path: path, places: places, clocks: .system)
            .unlock(password: password)
        let token = try opened.openSession(seconds: 1_000_000_000)
        sessions[person] = bytes(of: token).map { String(format: "%02x", $0) }.joined()
        try opened.file.close()
    }

    /// Encodes messages as frames, one per line.
    package func frames(_ messages: [String]) throws -> [UInt8] {
        let lines = messages.map { $0 + "\n" }.joined()
        return try run("smsenc-frame", ["--allow-empty"], input: Array(lines.utf8)).output
    }

    /// Encrypts messages, one per line.
    package func encrypt(_ messages: [String], from sender: String, to reader: String) throws
        -> [UInt8]
    {
        try run("smsenc-pad", ["-c", reader], as: sender, input: try frames(messages)).output
    }

    package func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: path(name))
    }

    package func contents(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }
}
