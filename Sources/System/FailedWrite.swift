internal import CPlatform

/// Determines whether a failed write may have written some of its bytes.
///
/// Usually, a write that fails has written nothing, because write(2) on Linux otherwise returns the number of
/// bytes written. However, a network file system, FUSE, a seccomp filter or an emulator may report an error
/// although other processes have already seen the bytes.
extension File {
    /// Current size of a regular file that a write would extend, because the file is open for appending or the
    /// write position is at its end. Nil for other kinds of files, and if a write may overwrite existing bytes.
    package var sizeIfAppending: Int64? {
        guard let facts = FileStatus(of: number), facts.isRegular else { return nil }
        let appends = platform_appends(number) != 0
        return appends || lseek(number, 0, SEEK_CUR) == facts.size ? facts.size : nil
    }

    /// Returns true if a failed write has certainly not written anything. This is known in these cases:
    ///
    /// - The file is not open for writing (EBADF).
    /// - No process has the read end of the pipe open (EPIPE), so the unread bytes remain in the pipe
    ///   (`unreadBytes`).
    /// - The disk or the quota is full, or the file has reached its maximum size (ENOSPC, EDQUOT, EFBIG),
    ///   and the file has not grown.
    /// - The file is `/dev/full`, which never stores anything.
    ///
    /// If a write may overwrite existing bytes, the size of the file does not show how much was written.
    /// After any other error, such as EIO, a server may have stored the bytes even though its reply was
    /// lost.
    ///
    /// - Parameter size: `sizeIfAppending` before the write.
    package func wroteNothing(after error: IOError, size: Int64?) -> Bool {
        switch error {
        case .readerLeft: FileStatus(of: number)?.isPipe == true
        case .write(_, EBADF): true
        case .write(_, ENOSPC), .write(_, EDQUOT), .write(_, EFBIG):
            FileStatus(of: number)?.isFullDevice == true || size != nil && size == sizeIfAppending
        default: false
        }
    }
}
