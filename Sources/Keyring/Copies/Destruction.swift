package import System

/// The end of a keyring: the file, its log, the note of its commits, its sessions.
extension Keyring {
    /// Deletes a keyring and all that belongs to it; needs no password.
    ///
    /// The file is overwritten first, which a disk that never writes in place does not honour. A
    /// damaged keyring goes as well; what is no keyring stays.
    ///
    /// - Throws: `missing`, `exposed`, `notAKeyring`.
    package static func destroy(
        at path: String, places: StandardPaths, clocks: Clocks
    ) throws(KeyringError) {
        try checkingPaths { () throws(PathFault) in
            try SafeFolder.check(of: path)
            try SafeFolder.checkFile(path)
        }
        guard hasHeader(path) else { throw .file(.notAKeyring(path)) }
        if let id = identity(of: path, places, clocks) {
            _ = Session.endAll(of: id, but: nil, folder: places.sessions)
            CommitCount(folder: places.state, keyring: id).remove()
        }
        for suffix in ["-wal", "-shm", ""] { try erase(path + suffix) }
        SafeFolder.synchronise(of: path)
    }

    /// The id of a keyring that can still be read.
    private static func identity(
        of path: String, _ places: StandardPaths, _ clocks: Clocks
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
        guard let bytes = File.contents(of: path), bytes.count >= 72 else { return false }
        return bytes[..<16].elementsEqual(Array("SQLite format 3\0".utf8))
            && bigEndian(bytes[68..<72]) == Schema.applicationID
    }

    private static func erase(_ path: String) throws(KeyringError) {
        do throws(IOError) {
            let file = try File(updating: path, makesMissing: false)
            let zeros = [UInt8](repeating: 0, count: 65_536)
            let size = file.regularSize ?? 0
            // Where the disk does not take them, the file goes all the same.
            for start in stride(from: 0, to: size, by: zeros.count) {
                let part = zeros.span.extracting(..<min(zeros.count, size - start))
                guard (try? file.overwrite(part, at: start)) != nil else { break }
            }
            try? file.synchronise()
            try File.remove(path)
        } catch {
            if error.code == ErrorNumber.missing { return }
            throw .file(.unreadable(path, error.code))
        }
    }
}
