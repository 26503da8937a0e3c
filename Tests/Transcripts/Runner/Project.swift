import Foundation
import Support

/// Commands that transcripts use in addition to the tools.
enum Commands {
    /// Search path, which consists of PATH, the folders of daemons, the programs that scripts/setup has
    /// unpacked, and the project's scripts.
    static let path = [
        ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "/usr/sbin",
        Project.folder.path + "/.build/smstools", Project.folder.path + "/scripts",
    ].joined(separator: ":")

    /// Returns true if a command exists. If the name contains a slash, returns true if a file with this
    /// name exists in the project's folder. The command chroot must also be permitted.
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

    /// True if a command can be run in a chroot with a separate /proc.
    private static let permitsChroot: Bool = {
        let process = Process()
        process.executableURL = Project.folder.appending(
            path: "Tests/Transcripts/SystemCalls/with-root")
        process.arguments = ["--proc", "/", "true"]
        process.standardError = FileHandle.nullDevice
        do { try processStartLock.withLock { try process.run() } } catch { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()
}

/// The project's folder.
enum Project {
    static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    static func files(in folder: String, endingIn suffixes: [String]) -> [String] {
        let path = Project.folder.appendingPathComponent(folder).path
        let names = try? FileManager.default.contentsOfDirectory(atPath: path)
        return (names ?? []).filter { name in suffixes.contains { name.hasSuffix($0) } }.sorted()
    }

    /// Runs a command in the project's folder, and returns its output and errors as a single text.
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
