internal import CPlatform

/// Operations on the file at a path.
extension File {
    /// Maximum number of bytes read from a file that is expected to contain a few lines.
    package static let shortLength = 4096

    /// Returns the first `shortLength` bytes of a regular file, or nil if the file cannot be read. Symbolic
    /// links are not followed.
    package static func contents(of path: String) -> [UInt8]? {
        guard let file = try? File(reading: path, isUntrustedPath: true), file.regularSize != nil
        else {
            return nil
        }
        return try? file.beginning(shortLength)
    }

    /// Returns the contents of a short text file without leading and trailing white space, or nil if the
    /// file cannot be read.
    package static func text(of path: String) -> String? {
        guard let bytes = contents(of: path) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        let kept = text.drop { $0.isWhitespace }
        guard let last = kept.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(kept[...last])
    }

    /// Returns true if the path exists, even if it is a dangling symbolic link.
    package static func exists(_ path: String) -> Bool { FileStatus(notFollowing: path) != nil }

    /// Returns true for a regular file that is not empty, and false for a symbolic link.
    package static func isNonEmptyFile(_ path: String) -> Bool {
        guard let facts = FileStatus(notFollowing: path) else { return false }
        return facts.isRegular && facts.size > 0
    }

    /// Removes the name `path` of a file. Deletes the file if it has no other hard link.
    ///
    /// - Throws: `write`.
    package static func remove(_ path: String) throws(IOError) {
        guard unsafe unlink(path) == 0 else { throw .write(path, platform_errno()) }
    }

    /// Atomically replaces the file at `path` with the file `draft` (rename(2)).
    ///
    /// - Throws: `create`.
    package static func replace(_ path: String, with draft: String) throws(IOError) {
        guard unsafe rename(draft, path) == 0 else { throw .create(path, platform_errno()) }
    }

    /// Renames a finished file to a path that must not exist yet. The file never has two names at the same
    /// time.
    ///
    /// - Throws: `create`.
    package static func publish(_ draft: String, as path: String) throws(IOError) {
        if unsafe platform_rename_without_replacing(draft, path) == 0 { return }
        guard [ENOSYS, EINVAL, EPERM].contains(platform_errno()) else {
            throw .create(path, platform_errno())
        }
        // On this file system, a rename always replaces an existing file. First create an empty file at
        // the path, which fails if there is already a file. Then replace the empty file.
        let empty = unsafe platform_open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard empty >= 0 else { throw .create(path, platform_errno()) }
        close(empty)
        guard unsafe rename(draft, path) == 0 else {
            let code = platform_errno()
            _ = unsafe unlink(path)
            throw .create(path, code)
        }
    }

    /// Returns true if files in the same folder can be mapped into memory, and other processes see what is
    /// written to the mapping.
    package static func supportsMapping(beside path: String) -> Bool {
        unsafe platform_supports_mapping(path) != 0
    }

    /// Returns a string that identifies the file at a path. If the file at the path is replaced with another
    /// file, the string changes. The string contains the birth time of the file, or the inode number if the
    /// file system does not record birth times.
    ///
    /// - Throws: `unreadable`.
    package static func identity(of path: String) throws(PathFault) -> String {
        var birth: (seconds: Int64, nanoseconds: Int64) = (0, 0)
        if unsafe platform_birth_time(path, &birth.seconds, &birth.nanoseconds) == 0 {
            return "birth \(birth.seconds).\(birth.nanoseconds)"
        }
        guard let facts = FileStatus(of: path) else { throw .unreadable(path, platform_errno()) }
        return "inode \(facts.inode)"
    }
}
