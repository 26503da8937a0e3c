import Foundation
import Support

/// A copy of the writable memory of a process.
struct Memory {
    private var parts: [(name: String, start: UInt, bytes: Data)] = []

    /// Copies the memory of a process that waits for input, or will do so soon.
    init(of process: pid_t) throws {
        while !Self.isReading(process) { usleep(1000) }
        let maps = try String(contentsOfFile: "/proc/\(process)/maps", encoding: .utf8)
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/\(process)/mem"))
        for line in maps.split(separator: "\n") {
            let words = line.split(separator: " ")
            let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard words[1].hasPrefix("rw"), ends.count == 2 else { continue }
            try file.seek(toOffset: UInt64(ends[0]))
            let bytes = (try? file.read(upToCount: Int(ends[1] - ends[0]))) ?? nil
            parts.append((words.count > 5 ? String(words[5]) : "", ends[0], bytes ?? Data()))
        }
    }

    /// Returns true if a process is reading from a pipe with read(2), or has ended. The number of the
    /// system call is 0, or 63 on newer architectures (proc_pid_syscall(5)).
    private static func isReading(_ process: pid_t) -> Bool {
        guard let call = try? String(contentsOfFile: "/proc/\(process)/syscall", encoding: .utf8)
        else { return true }
        let words = call.split(separator: " ")
        guard words.count > 1, ["0", "63"].contains(words[0]),
            let file = Int(words[1].dropFirst(2), radix: 16)
        else { return false }
        let target = try? FileManager.default.destinationOfSymbolicLink(
            atPath: "/proc/\(process)/fd/\(file)")
        return target?.hasPrefix("pipe:") ?? false
    }

    /// Returns the mapping and the address of every occurrence of `bytes`.
    func places(of secret: [UInt8]) -> [String] {
        parts.flatMap { part in
            part.bytes.offsets(of: secret).map { offset in
                "\(part.name) \(String(part.start + UInt(offset), radix: 16))"
            }
        }
    }
}
