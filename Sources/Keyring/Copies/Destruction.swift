#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The end of a keyring: the file, its log, the note of its commits, its sessions.
extension Keyring {
    /// Deletes a keyring and all that belongs to it; needs no password.
    ///
    /// The file is overwritten first, which a disk that never writes in place does not honour. A
    /// damaged keyring goes as well; what is no keyring stays.
    ///
    /// - Throws: `missing`, `exposed`, `notAKeyring`.
    package static func destroy(
        at path: String, places: Places, clocks: Clocks
    ) throws(KeyringError) {
        try Folder.check(of: path)
        try Folder.checkFile(path)
        guard hasHeader(path) else { throw .notAKeyring(path) }
        if let id = identity(of: path, places, clocks) {
            _ = Session.endAll(of: id, but: nil, folder: places.sessions)
            CommitCount(folder: places.state, keyring: id).remove()
        }
        for suffix in ["-wal", "-shm", ""] { try erase(path + suffix) }
        Folder.synchronise(of: path)
    }

    /// The id of a keyring that can still be read.
    private static func identity(
        of path: String, _ places: Places, _ clocks: Clocks
    ) -> [UInt8]? {
        do throws(KeyringError) {
            return try Keyring(path: path, places: places, clocks: clocks).account.keyring
        } catch {
            // Damaged beyond reading: what lies elsewhere is of no use without it.
            return nil
        }
    }

    /// True for an SQLite file with a keyring's application id.
    private static func hasHeader(_ path: String) -> Bool {
        guard let bytes = SmallFile.contents(path), bytes.count >= 72 else { return false }
        let id = bytes[68..<72].reduce(0) { $0 << 8 | Int($1) }
        return bytes[..<16].elementsEqual(Array("SQLite format 3\0".utf8))
            && id == Schema.applicationID
    }

    private static func erase(_ path: String) throws(KeyringError) {
        let file = SmallFile.open(path, O_WRONLY)
        guard file >= 0 else {
            if errno == ENOENT { return }
            throw .unreadable(path, errno)
        }
        defer { close(file) }
        var facts = stat()
        if unsafe fstat(file, &facts) == 0 {
            let zeros = [UInt8](repeating: 0, count: 65_536)
            var rest = Int(facts.st_size)
            while rest > 0, SmallFile.write(Array(zeros.prefix(rest)), to: file) == nil {
                rest -= zeros.count
            }
            fsync(file)
        }
        guard unsafe unlink(path) == 0 else { throw .unreadable(path, errno) }
    }
}
