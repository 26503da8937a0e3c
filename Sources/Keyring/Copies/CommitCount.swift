#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The small file outside the keyring that notes how many commits it has seen, so that a keyring
/// restored from a backup is found out (smsenc(7), State on disk).
///
/// It is not brought to the disk: after a power cut it may be behind, which says nothing, never
/// ahead of what is durable in the keyring.
@safe
final class CommitCount {
    private let path: String
    private var file: Int32 = -1

    /// - Parameters:
    ///   - folder: `$XDG_STATE_HOME/smsenc`.
    ///   - keyring: the keyring's id.
    init(folder: String, keyring: [UInt8]) {
        path = folder + "/" + hex(keyring)
    }

    deinit {
        if file >= 0 { close(file) }
    }

    /// Opens the note, made new where there is none.
    func open() throws(KeyringError) {
        guard file < 0 else { return }
        try Folder.make(of: path)
        file = SmallFile.open(path, O_RDWR | O_CREAT, 0o600)
        guard file >= 0 else { throw .noNote(path, errno) }
        // A new note takes its room on the disk now, not after a commit that depends on it.
        if lseek(file, 0, SEEK_END) < Self.size { try write(read()) }
    }

    /// Bytes of a note.
    private static let size = 21

    /// The count noted; 0 where nothing is. A note that makes no sense is taken for none.
    func noted() throws(KeyringError) -> UInt64 {
        try open()
        return read()
    }

    /// Notes a count, unless a higher one is noted already.
    func raise(to count: UInt64) throws(KeyringError) {
        try open()
        guard flock(file, LOCK_EX) == 0 else { throw .noNote(path, errno) }
        defer { flock(file, LOCK_UN) }
        if read() < count { try write(count) }
    }

    func remove() {
        _ = unsafe unlink(path)
    }

    private func read() -> UInt64 {
        // A byte more than there should be: what is longer makes no sense.
        var bytes = [UInt8](repeating: 0, count: Self.size + 1)
        let count = unsafe bytes.withUnsafeMutableBytes {
            unsafe pread(file, $0.baseAddress, $0.count, 0)
        }
        let digits = String(
            decoding: bytes.prefix(max(0, count)).prefix { $0 != 10 }, as: UTF8.self)
        // One commit more must always be a number.
        return UInt64(digits).flatMap { $0 <= UInt64(Int64.max) ? $0 : nil } ?? 0
    }

    /// Always as many bytes, so that no part of an older count stays behind.
    private func write(_ count: UInt64) throws(KeyringError) {
        let digits = String(count)
        let line = String(repeating: "0", count: max(0, 20 - digits.count)) + digits + "\n"
        let written = unsafe Array(line.utf8).withUnsafeBytes {
            unsafe pwrite(file, $0.baseAddress, $0.count, 0)
        }
        guard written == Self.size else { throw .noNote(path, written < 0 ? errno : ENOSPC) }
    }
}

/// Bytes as hexadecimal digits.
func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
