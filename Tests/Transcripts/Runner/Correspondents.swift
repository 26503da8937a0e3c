import Foundation
import Support
import Testing

/// Two keyrings in step, used by real processes.
final class Correspondents {
    enum Side: String {
        case amina, bela
    }

    private let folder: URL
    private let environment: [String: String]
    private var files = 0

    /// Makes both, as one would in a shell, and opens a session for each.
    init() throws {
        (folder, environment) = try makeHome(tools: Tools.folder)
        let script = """
            umask 077; echo 'Correct horse!' >password; export SMSENC_PASSWORD_FILE=password
            for side in amina bela; do
                smsenc-keyring -k $side init --user $side
                smsenc-keyring -k $side unlock | sed 's/;.*//; s/.*=//' >$side.session
            done
            smsenc-keyring -k amina add Bela >a; smsenc-keyring -k bela add Amina >b
            smsenc-keyring -k amina sync Bela <b >codes; smsenc-keyring -k bela sync Amina <a >codes
            """
        let run = try start("/bin/sh", ["-ec", script], environment)
        #expect(run.wait() == 0)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Starts smsenc-pad with a side's keyring.
    func start(_ side: Side, _ words: [String]) throws -> Run {
        var environment = environment
        environment["SMSENC_SESSION"] = try String(
            contentsOf: url(side.rawValue + ".session"), encoding: .utf8
        ).trimmingCharacters(in: .newlines)
        return try start(tool("smsenc-pad"), ["-k", side.rawValue] + words, environment)
    }

    /// A file of lines.
    func write(_ lines: [String]) throws -> String {
        let name = newName()
        try lines.map { $0 + "\n" }.joined()
            .write(to: url(name), atomically: false, encoding: .utf8)
        return name
    }

    /// A file of frames.
    func layOut(_ messages: [String]) throws -> String {
        let run = try start(tool("smsenc-frame"), [try write(messages)], environment)
        #expect(run.wait() == 0)
        return run.name
    }

    func unpack(_ frames: [String]) throws -> [String] {
        let run = try start(tool("smsenc-frame"), ["-d", try write(frames)], environment)
        #expect(run.wait() == 0)
        return try run.writtenLines()
    }

    /// Enciphers from Amina to Bela, undisturbed.
    func encipher(_ messages: [String]) throws -> [String] {
        let run = try start(.amina, ["-c", "Bela", try layOut(messages)])
        #expect(run.wait() == 0)
        return try run.writtenLines()
    }

    /// The messages of those ciphertexts that are not refused.
    func read(_ side: Side, _ ciphertexts: [String]) throws -> [String] {
        let run = try start(side, ["-d", "-c", "Amina", try write(ciphertexts)])
        let status = run.wait()
        let frames = try run.writtenLines()
        #expect(status == (frames.count == ciphertexts.count ? 0 : 1))
        return try unpack(frames)
    }

    /// Seconds that enciphering so many takes, undisturbed.
    func timeToEncipher(_ count: Int) throws -> Double {
        let frames = try layOut((0..<count).map { "Trial \($0)" })
        let started = ContinuousClock.now
        let run = try start(.amina, ["-c", "Bela", frames])
        #expect(run.wait() == 0)
        let seconds = (ContinuousClock.now - started) / .seconds(1)
        #expect(try read(.bela, try run.writtenLines()).count == count)
        return seconds
    }

    private func tool(_ name: String) -> String { Tools.folder.path + "/" + name }

    private func url(_ name: String) -> URL { folder.appendingPathComponent("desk/" + name) }

    private func newName() -> String {
        files += 1
        return "file-\(files)"
    }

    private func start(
        _ executable: String, _ words: [String], _ environment: [String: String]
    ) throws -> Run {
        let name = newName()
        #expect(FileManager.default.createFile(atPath: url(name).path, contents: nil))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = words
        process.environment = environment
        process.currentDirectoryURL = folder.appendingPathComponent("desk")
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: url(name))
        process.standardError = FileHandle.nullDevice
        try process.run()
        return Run(process: process, name: name, output: url(name))
    }
}

/// A process that was started, and the file that it writes to.
struct Run {
    let process: Process
    let name: String
    let output: URL

    func wait() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Kills the process after so many seconds; false when it had ended by then.
    func kill(after seconds: Double) -> Bool {
        usleep(UInt32(seconds * 1_000_000))
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        return process.terminationReason == .uncaughtSignal
    }

    /// The lines that were written to their end.
    func writtenLines() throws -> [String] {
        let text = try Data(contentsOf: output)
        let whole = text.prefix((text.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1)
        return String(decoding: whole, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
}
