internal import CPlatform

/// Tells whether a failed write may still have written some of its bytes.
///
/// If Linux can write only some of the bytes, it returns their number, and the next write fails. A network
/// file system, FUSE, a seccomp filter or an emulator may fail a write whose bytes other processes have
/// already seen. An error alone therefore does not prove that nothing was written.
extension File {
    /// The size of a regular file if every write makes it longer. Nil if a write may overwrite bytes, and for
    /// other kinds of files.
    package var sizeIfAppending: Int64? {
        guard let facts = FileStatus(of: number), facts.isRegular else { return nil }
        let appends = platform_appends(number) != 0
        return appends || lseek(number, 0, SEEK_CUR) == facts.size ? facts.size : nil
    }

    /// Returns true if a failed write has certainly written nothing:
    ///
    /// - The file is not open for writing (EBADF).
    /// - The readers of a pipe have gone (EPIPE). Nobody can read from it any more, and bytes that were not
    ///   read are still in the pipe (`unreadBytes`).
    /// - The disk or the quota is full, or the file has its maximum size (ENOSPC, EDQUOT, EFBIG), and the
    ///   file has not become longer. If the write may overwrite bytes of the file, its length proves nothing.
    /// - The file is `/dev/full`, which never stores anything.
    ///
    /// After any other error, such as EIO, a server may have stored the bytes although its answer was lost.
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
