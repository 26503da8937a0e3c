internal import CPlatform

/// Determines whether a failed write may have written some of its bytes.
///
/// Usually, a failed write has not written anything. If write(2) on Linux has written some bytes, it returns
/// the number of written bytes, and not an error. However, a network file system, FUSE, a seccomp filter or
/// an emulator may report an error although other processes have already seen the bytes.
extension File {
    /// Current size of a regular file, or nil if the next write may overwrite existing bytes. A write
    /// overwrites no bytes if the file is open for appending, or if the write position is at the end of the
    /// file. The size is also nil if the file is not a regular file.
    package var sizeIfAppending: Int64? {
        guard let facts = FileStatus(of: number), facts.isRegular else { return nil }
        let appends = platform_appends(number) != 0
        return appends || lseek(number, 0, SEEK_CUR) == facts.size ? facts.size : nil
    }

    /// Returns true if a failed write has certainly not written anything. This is certain in the following
    /// cases:
    ///
    /// - The file is not open for writing (EBADF).
    /// - No process has the read end of the pipe open (EPIPE). Unread bytes of earlier writes remain in the
    ///   pipe (`unreadBytes`).
    /// - The disk is full (ENOSPC), the quota is exceeded (EDQUOT), or the file has reached its maximum size
    ///   (EFBIG). For ENOSPC, EDQUOT and EFBIG, the function also checks that the size of the file has not
    ///   changed.
    /// - The file is `/dev/full`, which never stores anything.
    ///
    /// If a write may overwrite existing bytes, the size of the file does not show how many bytes were
    /// written. After an error that is not in this list, such as EIO, a file server may have stored the
    /// bytes even though its reply was lost.
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
