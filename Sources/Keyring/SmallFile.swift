#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Files of a few lines.
package enum SmallFile {
    /// Bytes read at most.
    static let limit = 4096

    /// The contents without the white space around them; nil where the file cannot be read.
    package static func text(_ path: String) -> String? {
        guard let bytes = contents(path) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        let kept = text.drop(while: \.isWhitespace)
        guard let last = kept.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(kept[...last])
    }

    /// The first bytes of a file; nil where it cannot be read, or is none, such as a fifo, which others
    /// could keep it waiting with.
    static func contents(_ path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var facts = stat()
        guard unsafe fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        return contents(of: file)
    }

    /// Opens a file, never through a symbolic link, and never waiting for somebody at the other end;
    /// negative, with errno set, where that fails.
    static func open(_ path: String, _ flags: Int32, _ mode: mode_t = 0) -> Int32 {
        systemOpen(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode)
    }

    static func contents(of file: Int32, upTo limit: Int = limit) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: limit)
        var filled = 0
        while filled < limit {
            let count = unsafe bytes.withUnsafeMutableBytes { space in
                uninterrupted {
                    unsafe read(file, space.baseAddress.map { unsafe $0 + filled }, limit - filled)
                }
            }
            if count < 0 { return nil }
            if count == 0 { break }
            filled += count
        }
        return Array(bytes[..<filled])
    }

    /// Writes all bytes, from an offset of the file on; nil, or the errno.
    static func write(_ bytes: [UInt8], to file: Int32, at offset: Int = 0) -> Int32? {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { bytes in
                uninterrupted {
                    unsafe pwrite(
                        file, bytes.baseAddress.map { unsafe $0 + written }, bytes.count - written,
                        off_t(offset + written))
                }
            }
            // None written of some, and no reason given: a disk that takes nothing more.
            if count <= 0 { return count < 0 ? errno : ENOSPC }
            written += count
        }
        return nil
    }
}

/// Repeats a system call for as long as signals interrupt it.
func uninterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}

private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
    uninterrupted { unsafe open(path, flags, mode) }
}
