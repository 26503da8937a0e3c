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

    /// The first bytes of a file; nil where it cannot be read.
    static func contents(_ path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY)
        guard file >= 0 else { return nil }
        defer { close(file) }
        return contents(of: file)
    }

    /// Opens a file, never through a symbolic link; negative, with errno set, where that fails.
    static func open(_ path: String, _ flags: Int32, _ mode: mode_t = 0) -> Int32 {
        systemOpen(path, flags | O_CLOEXEC | O_NOFOLLOW, mode)
    }

    static func contents(of file: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: limit)
        var filled = 0
        while filled < limit {
            let count = unsafe bytes.withUnsafeMutableBytes {
                unsafe read(file, $0.baseAddress.map { unsafe $0 + filled }, limit - filled)
            }
            if count < 0 {
                if errno == EINTR { continue }
                return nil
            }
            if count == 0 { break }
            filled += count
        }
        return Array(bytes[..<filled])
    }

    /// Writes all bytes; nil, or the errno.
    static func write(_ bytes: [UInt8], to file: Int32) -> Int32? {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe systemWrite(
                    file, $0.baseAddress.map { unsafe $0 + written }, bytes.count - written)
            }
            if count < 0, errno != EINTR { return errno }
            written += max(0, count)
        }
        return nil
    }
}

private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(file, bytes, count)
}

private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
    unsafe open(path, flags, mode)
}
