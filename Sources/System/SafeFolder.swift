internal import CPlatform

/// Why a file or folder is not used: its path, and what is the matter with it.
package enum PathFault: Error, Equatable {
    case missing(String)
    case unreadable(String, Int32)
    case cannotMake(String, Int32)
    case exposed(String, Exposure)
    /// It is a folder, a link, a device.
    case notRegular(String)
    /// It has another name as well: a hard link.
    case twoNames(String)
    case exists(String)
    /// Neither this variable nor HOME says where to look.
    case homeless(String)
}

/// Who can do what with a file or folder.
package enum Exposure: Equatable, Sendable {
    case othersCanRead
    case othersCanWriteFolder
    case notOwned
    /// Something that must not be there at all, or another file's second name.
    case foreign
}

/// Folders and files that nobody else may touch.
package enum SafeFolder {
    /// The folder that holds a file.
    package static func of(_ path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Makes the missing folders above a file, 0700, and synchronises their names; changes no existing one.
    /// - Throws: `cannotMake`.
    package static func make(of path: String) throws(PathFault) {
        let folder = of(path)
        if Facts(of: folder) != nil { return }
        if folder != "/", folder != "." { try make(of: folder) }
        guard unsafe mkdir(folder, 0o700) == 0 else {
            if platform_errno() == EEXIST { return }
            throw .cannotMake(folder, platform_errno())
        }
        synchronise(of: folder)
    }

    /// Makes a folder, 0700, or finds it there and nobody else's.
    /// - Throws: `cannotMake`; `exposed` where it is somebody else's, others can reach it, or it is none.
    package static func makeOwn(_ folder: String) throws(PathFault) {
        if unsafe mkdir(folder, 0o700) != 0, platform_errno() != EEXIST {
            throw .cannotMake(folder, platform_errno())
        }
        guard let facts = Facts(notFollowing: folder), facts.isFolder, facts.isOwn,
            facts.permissions & 0o077 == 0
        else { throw .exposed(folder, .notOwned) }
    }

    /// The path with its folder's symbolic links followed: SQLite is told to follow none.
    /// - Throws: `missing`, `unreadable`.
    package static func resolved(_ path: String) throws(PathFault) -> String {
        let folder = of(path)
        guard let real = unsafe realpath(folder, nil) else { throw unseen(path, folder) }
        defer { unsafe free(real) }
        let start = unsafe String(cString: real)
        return (start == "/" ? "" : start) + "/" + name(of: path)
    }

    /// What tells a name of a file from its others: its folder's device and inode, and the name in it.
    /// - Throws: `unreadable`.
    package static func place(of path: String) throws(PathFault) -> String {
        guard let folder = Facts(of: of(path)) else { throw .unreadable(path, platform_errno()) }
        return "\(folder.device)-\(folder.inode)/" + name(of: path)
    }

    private static func name(of path: String) -> Substring {
        path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
    }

    /// Refuses a folder that others can write to: they could put another file in a file's place, or,
    /// where the sticky bit keeps them from that, one beside it that is taken for its own.
    /// - Throws: `missing`, `unreadable`, `exposed`.
    package static func check(of path: String) throws(PathFault) {
        let folder = of(path)
        guard let facts = Facts(of: folder) else { throw unseen(path, folder) }
        if !facts.isOwn, !facts.isRoots { throw .exposed(folder, .notOwned) }
        if facts.permissions & 0o022 != 0 { throw .exposed(folder, .othersCanWriteFolder) }
    }

    /// Refuses a file beside another that is none of the same user's alone; it may be missing.
    /// - Throws: `exposed`.
    package static func checkSideFile(_ path: String) throws(PathFault) {
        guard let facts = Facts(notFollowing: path) else { return }
        guard facts.isRegular, !facts.isLinked else { throw .exposed(path, .foreign) }
        if !facts.isOwn { throw .exposed(path, .notOwned) }
        if facts.permissions & 0o077 != 0 { throw .exposed(path, .othersCanRead) }
    }

    /// Refuses a file that is there.
    /// - Throws: `exposed`.
    package static func checkAbsent(_ path: String) throws(PathFault) {
        if Facts(notFollowing: path) != nil { throw .exposed(path, .foreign) }
    }

    /// Refuses a file that others can read or write, that somebody else owns, or that has two names.
    /// - Throws: `missing`, `unreadable`, `notRegular`, `exposed`, `twoNames`.
    package static func checkFile(_ path: String) throws(PathFault) {
        let facts = try ownFile(path)
        if facts.permissions & 0o077 != 0 { throw .exposed(path, .othersCanRead) }
        if facts.isLinked { throw .twoNames(path) }
    }

    /// What the system says of a regular file of this user's.
    /// - Throws: `missing`, `unreadable`, `notRegular`, `exposed`.
    static func ownFile(_ path: String) throws(PathFault) -> Facts {
        guard let facts = Facts(notFollowing: path) else { throw unseen(path, path) }
        guard facts.isRegular else { throw .notRegular(path) }
        if !facts.isOwn { throw .exposed(path, .notOwned) }
        return facts
    }

    /// True for a folder of this user's, and no symbolic link to one.
    package static func isOwn(_ folder: String) -> Bool {
        guard let facts = Facts(notFollowing: folder) else { return false }
        return facts.isFolder && facts.isOwn
    }

    /// Why the system says nothing of a file, from what it says of `seen`.
    private static func unseen(_ path: String, _ seen: String) -> PathFault {
        let code = platform_errno()
        return code == ENOENT || code == ENOTDIR ? .missing(path) : .unreadable(seen, code)
    }

    /// Brings the names in a file's folder to the disk.
    package static func synchronise(of path: String) {
        let folder = unsafe platform_open(of(path), O_RDONLY | O_DIRECTORY, 0)
        guard folder >= 0 else { return }
        _ = uninterrupted { fsync(folder) }
        close(folder)
    }

    /// Whether what lies in a folder is gone after a restart: it is on a file system in memory.
    package static func isVolatile(_ folder: String) -> Bool {
        unsafe platform_is_in_memory(folder) != 0
    }

    /// The names in a folder, in no order; none where it cannot be read.
    package static func names(in folder: String) -> [String] {
        guard let listing = unsafe opendir(folder) else { return [] }
        defer { _ = unsafe closedir(listing) }
        var names: [String] = []
        while let entry = unsafe readdir(listing) {
            unsafe names.append(String(cString: platform_name(entry)))
        }
        return names
    }
}
