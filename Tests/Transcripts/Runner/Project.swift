import Foundation
import Support

/// The commands that transcripts use beside the tools.
enum Commands {
    /// Their folders: PATH, where daemons are, what scripts/setup has unpacked, and the project's
    /// scripts.
    static let path = [
        ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "/usr/sbin",
        Project.folder.path + "/.build/smstools", Project.folder.path + "/scripts",
    ].joined(separator: ":")

    /// Whether there is such a command, which for chroot must be permitted too, or, where it has a
    /// slash, such a file, from the project's folder.
    static func has(_ name: String) -> Bool {
        if name.contains("/") {
            return FileManager.default.fileExists(
                atPath: URL(fileURLWithPath: name, relativeTo: Project.folder).path)
        }
        if name == "chroot" { return permitsChroot }
        return path.split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
        }
    }

    /// Whether a command can have another root folder and a /proc of its own here.
    private static let permitsChroot: Bool = {
        let process = Process()
        process.executableURL = Project.folder.appending(path: "Tests/Transcripts/Denied/bare")
        process.arguments = ["--proc", "/", "true"]
        process.standardError = FileHandle.nullDevice
        do { try starting.withLock { try process.run() } } catch { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()
}

/// The project's own folder.
enum Project {
    static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    static func files(in folder: String, endingIn suffixes: [String]) -> [String] {
        let path = Project.folder.appendingPathComponent(folder).path
        let names = try? FileManager.default.contentsOfDirectory(atPath: path)
        return (names ?? []).filter { name in suffixes.contains { name.hasSuffix($0) } }.sorted()
    }

    /// Runs a command in the project's folder, all that it says in one text.
    static func run(_ command: String) throws -> (status: Int32, output: String) {
        let input = try Descriptor(opening: "/dev/null", writing: false)
        let outputs = try PipeEnds()
        let process = try spawn(
            ["/bin/sh", "-c", command], environment: ProcessInfo.processInfo.environment,
            in: folder.path,
            descriptors: [
                (input.number, 0), (outputs.writer.number, 1), (outputs.writer.number, 2),
            ])
        let reader = outputs.keepingReader()
        var output: [UInt8] = []
        while reader.read(into: &output) {}
        return (exitStatus(of: process), String(decoding: output, as: UTF8.self))
    }
}
