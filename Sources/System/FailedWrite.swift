internal import CPlatform

/// Whether a write that failed can have put out some of its bytes.
///
/// Linux answers a write that was cut short with the number of bytes written, and fails the next one. A network
/// file system, FUSE, a filter of system calls or an emulator may fail a write that others have already seen. So
/// an error alone proves nothing.
extension File {
    /// The size of a regular file that every write makes longer; nil for anything else.
    package var growingSize: Int64? {
        guard let facts = Facts(of: number), facts.isRegular else { return nil }
        let appends = platform_appends(number) != 0
        return appends || lseek(number, 0, SEEK_CUR) == facts.size ? facts.size : nil
    }

    /// Returns true if nothing of a write can have left:
    ///
    /// - The file is not open for writing (EBADF).
    /// - The readers of a pipe are gone (EPIPE). Whoever could have read is no longer there, and what they did not
    ///   read is still in the pipe (`unreadBytes`).
    /// - The disk or the quota is full, or the file as large as it may be (ENOSPC, EDQUOT, EFBIG), and the file
    ///   is as long as before. If a write can go over what is already in the file, its length proves nothing.
    /// - It is `/dev/full`, which takes nothing.
    ///
    /// Any other error, such as EIO, may come from a server that has stored the bytes and whose answer was lost.
    ///
    /// - Parameter size: `growingSize` before the write.
    package func tookNothing(after error: IOError, size: Int64?) -> Bool {
        switch error {
        case .readerLeft: Facts(of: number)?.isPipe == true
        case .write(_, EBADF): true
        case .write(_, ENOSPC), .write(_, EDQUOT), .write(_, EFBIG):
            Facts(of: number)?.isFullDevice == true || size != nil && size == growingSize
        default: false
        }
    }
}
