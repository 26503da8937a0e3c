#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The small file outside the keyring that notes how many commits it has seen, so that a keyring
/// restored from a backup is found out (PROTOCOL.md, section 7).
///
/// It is not brought to the disk: after a power cut it may be behind, which says nothing, never
/// ahead of what is durable in the keyring.
@safe
final class CommitNote {
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
        if lseek(file, 0, SEEK_END) < Self.size { try write(try read()) }
    }

    /// Bytes of a note.
    private static let size = 21

    /// The count noted; 0 where nothing is. A note that makes no sense is taken for none.
    func count() throws(KeyringError) -> UInt64 {
        try open()
        return try read()
    }

    /// Notes a count, unless a higher one is noted already.
    func raise(to count: UInt64) throws(KeyringError) {
        try open()
        guard uninterrupted({ flock(file, LOCK_EX) }) == 0 else { throw .noNote(path, errno) }
        defer { flock(file, LOCK_UN) }
        if try read() < count { try write(count) }
    }

    func remove() {
        _ = unsafe unlink(path)
    }

    /// The ids of all keyrings that have a note.
    static func keyrings(in folder: String) -> [[UInt8]] {
        Folder.names(in: folder).compactMap { name in
            let digits = Array(name.utf8)
            guard digits.count == 32 else { return nil }
            let id = stride(from: 0, to: 32, by: 2).compactMap { start in
                UInt8(String(decoding: digits[start..<(start + 2)], as: UTF8.self), radix: 16)
            }
            return id.count == 16 ? id : nil
        }
    }

    private func read() throws(KeyringError) -> UInt64 {
        // A byte more than there should be: what is longer makes no sense.
        var bytes = [UInt8](repeating: 0, count: Self.size + 1)
        var count = 0
        while count < bytes.count {
            let part = unsafe bytes.withUnsafeMutableBytes { space in
                uninterrupted {
                    unsafe pread(
                        file, space.baseAddress.map { unsafe $0 + count }, space.count - count,
                        off_t(count))
                }
            }
            // What cannot be read may be any count.
            guard part >= 0 else { throw .noNote(path, errno) }
            if part == 0 { break }
            count += part
        }
        let digits = String(
            decoding: bytes.prefix(count).prefix { $0 != 10 }, as: UTF8.self)
        // One commit more must always be a number.
        return UInt64(digits).flatMap { $0 <= UInt64(Int64.max) ? $0 : nil } ?? 0
    }

    /// Always as many bytes, so that no part of an older count stays behind.
    private func write(_ count: UInt64) throws(KeyringError) {
        let digits = String(count)
        let line = String(repeating: "0", count: max(0, 20 - digits.count)) + digits + "\n"
        if let code = SmallFile.write(Array(line.utf8), to: file) { throw .noNote(path, code) }
    }
}

/// Bytes as hexadecimal digits.
func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
