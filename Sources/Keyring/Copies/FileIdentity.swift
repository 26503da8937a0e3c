internal import CPlatform
internal import Primitives

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Where a keyring lives: the machine, and the file by its birth time, or by its inode where the
/// file system keeps no birth time (smsenc(7), State on disk). A copy lives elsewhere.
struct Home: Equatable {
    /// Bytes in a recorded home.
    static let size = 32
    /// A digest of the facts, so that the file tells nobody of the machine.
    let digest: [UInt8]

    init(stored: [UInt8]) { digest = stored }

    /// The home of the file at `path`, now.
    init(of path: String) throws(KeyringError) {
        digest = Digest.sha256(Array("\(Self.machine())\n\(try Self.identity(of: path))".utf8))
    }

    private static func identity(of path: String) throws(KeyringError) -> String {
        var birth: (seconds: Int64, nanoseconds: Int64) = (0, 0)
        if unsafe platform_birth_time(path, &birth.seconds, &birth.nanoseconds) == 0 {
            return "birth \(birth.seconds).\(birth.nanoseconds)"
        }
        var facts = stat()
        guard unsafe stat(path, &facts) == 0 else { throw .unreadable(path, errno) }
        return "inode \(facts.st_ino)"
    }

    #if os(Linux)
        /// machine-id(5), or the name of the host where there is none.
        private static func machine() -> String {
            for path in ["/etc/machine-id", "/var/lib/dbus/machine-id"] {
                if let id = SmallFile.text(path), !id.isEmpty { return id }
            }
            return SmallFile.text("/proc/sys/kernel/hostname") ?? "unnamed"
        }
    #else
        private static func machine() -> String {
            var id: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
            var wait = timespec(tv_sec: 1, tv_nsec: 0)
            let result = unsafe withUnsafeMutableBytes(of: &id) {
                unsafe gethostuuid($0.assumingMemoryBound(to: UInt8.self).baseAddress, &wait)
            }
            return result == 0 ? "\(id)" : "unnamed"
        }
    #endif
}
