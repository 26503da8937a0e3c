import Foundation
import Support

/// The memory of a process that it can write to, as it is now.
struct Memory {
    private var parts: [(name: String, start: UInt, bytes: Data)] = []

    /// - Parameter process: one that waits for input, or is about to.
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

    /// True when a process is in read(2) of a pipe, be it its stdin or that opened once more: the call
    /// has number 0, or 63 on newer architectures (proc_pid_syscall(5)). True as well when it is gone.
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

    /// Where bytes stand: the mapping's name, and the address.
    func places(of secret: [UInt8]) -> [String] {
        parts.flatMap { part in
            part.bytes.offsets(of: secret).map { offset in
                "\(part.name) \(String(part.start + UInt(offset), radix: 16))"
            }
        }
    }
}
