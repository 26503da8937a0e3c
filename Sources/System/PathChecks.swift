internal import CPlatform

/// The reason why a file or folder is refused. The first associated value of each case is the path.
package enum PathFault: Error, Equatable {
    case missing(String)
    case unreadable(String, Int32)
    case cannotMake(String, Int32)
    case exposed(String, Exposure)
    /// The path is a folder or a device.
    case notRegular(String)
    case symbolicLink(String, target: String)
    /// The file has several hard links.
    case hardLinked(String)
    case exists(String)
    /// A standard path cannot be determined, because neither HOME nor the given environment variable is
    /// set.
    case noHomeFolder(String)
}

/// The reason why a file or folder is not safe from other users.
package enum Exposure: Equatable, Sendable {
    case othersCanRead
    case othersCanWriteFolder
    /// Other users can read or replace the file. The file system probably does not store permissions.
    case fileSystem
    case notOwned
    /// The file has several hard links, is not a regular file, or must not exist at this path.
    case foreign
}

/// Checks of files and folders, and operations on the folder that contains a file.
package enum PathChecks {
    /// Returns the folder that contains a file.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Creates the missing parent folders of a file with mode 0700. Calls fsync(2) on the parent folder of each
    /// new folder. Existing folders are not changed.
    ///
    /// - Throws: `cannotMake`.
    package static func make(of path: String) throws(PathFault) {
        let folder = Self.folder(of: path)
        if FileStatus(of: folder) != nil { return }
        if folder != "/", folder != "." { try make(of: folder) }
        guard unsafe mkdir(folder, 0o700) == 0 else {
            if platform_errno() == EEXIST { return }
            throw .cannotMake(folder, platform_errno())
        }
        synchronise(of: folder)
    }

    /// Creates a folder with mode 0700. If the folder exists, checks that only this user can access it.
    ///
    /// - Throws: `cannotMake` if the folder cannot be created. Throws `exposed` if the path is not a folder,
    ///   or if another user owns the folder or can access it.
    package static func makePrivate(_ folder: String) throws(PathFault) {
        if unsafe mkdir(folder, 0o700) != 0, platform_errno() != EEXIST {
            throw .cannotMake(folder, platform_errno())
        }
        guard let facts = FileStatus(notFollowing: folder), facts.isFolder, facts.isOwn,
            facts.permissions & 0o077 == 0
        else { throw .exposed(folder, .notOwned) }
    }

    /// Returns true if this user can write to a file, and can create files in its folder. Returns false, for
    /// example, if the file is on a read-only disk.
    package static func isWritable(_ path: String) -> Bool {
        unsafe access(path, W_OK) == 0 && access(folder(of: path), W_OK) == 0
    }

    /// Resolves all symbolic links in the folder of a path, and returns the resulting path. The symbolic
    /// links must be resolved because SQLite is configured not to follow them.
    ///
    /// - Throws: `missing`, `unreadable`.
    package static func resolved(_ path: String) throws(PathFault) -> String {
        let folder = Self.folder(of: path)
        guard let real = unsafe realpath(folder, nil) else { throw accessFault(path, folder) }
        defer { unsafe free(real) }
        let start = unsafe String(cString: real)
        return (start == "/" ? "" : start) + "/" + name(of: path)
    }

    /// Returns a string that identifies a path. Different spellings of the same path give the same string.
    /// The string consists of the folder's device number, the folder's inode number, and the name of the
    /// file.
    ///
    /// - Throws: `unreadable`.
    package static func place(of path: String) throws(PathFault) -> String {
        guard let folder = FileStatus(of: folder(of: path)) else {
            throw .unreadable(path, platform_errno())
        }
        return "\(folder.device)-\(folder.inode)/" + name(of: path)
    }

    private static func name(of path: String) -> Substring {
        path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
    }

    /// Checks that other users cannot write to the folder of a file. If other users can write to the folder,
    /// they can replace the file. Even if the sticky bit of the folder prevents other users from replacing
    /// the file, they could create a file that SQLite would use as the database's log.
    ///
    /// - Throws: `missing`, `unreadable`, `exposed`.
    package static func check(of path: String) throws(PathFault) {
        let folder = Self.folder(of: path)
        guard let facts = FileStatus(of: folder) else { throw accessFault(path, folder) }
        if !facts.isOwn, !facts.isOwnedByRoot { throw .exposed(folder, .notOwned) }
        if facts.permissions & 0o022 != 0 { throw exposed(folder, .othersCanWriteFolder) }
    }

    /// Checks a companion file, such as the log of a database. The file must not exist, or must be
    /// accessible only to this user. Returns the size of the file, or 0 if it does not exist.
    ///
    /// - Throws: `exposed`.
    package static func checkCompanionFile(_ path: String) throws(PathFault) -> Int64 {
        guard let facts = FileStatus(notFollowing: path) else { return 0 }
        guard facts.isRegular, !facts.hasOtherLinks else { throw .exposed(path, .foreign) }
        if !facts.isOwn { throw .exposed(path, .notOwned) }
        if facts.permissions & 0o077 != 0 { throw exposed(path, .othersCanRead) }
        return facts.size
    }

    /// Returns the fault to report if other users can access a file.
    private static func exposed(_ path: String, _ exposure: Exposure) -> PathFault {
        .exposed(path, unsafe platform_ignores_modes(path) != 0 ? .fileSystem : exposure)
    }

    /// Checks that a file does not exist.
    ///
    /// - Throws: `exposed`.
    package static func checkAbsent(_ path: String) throws(PathFault) {
        if FileStatus(notFollowing: path) != nil { throw .exposed(path, .foreign) }
    }

    /// Checks that only this user can access a file, and that the file has only one hard link.
    ///
    /// - Throws: `missing`, `unreadable`, `symbolicLink`, `notRegular`, `exposed`, `hardLinked`.
    package static func checkFile(_ path: String) throws(PathFault) {
        let facts = try ownFile(path)
        if facts.permissions & 0o077 != 0 { throw exposed(path, .othersCanRead) }
        if facts.hasOtherLinks { throw .hardLinked(path) }
    }

    /// Returns the status of a regular file that this user owns.
    ///
    /// - Throws: `missing`, `unreadable`, `symbolicLink`, `notRegular`, `exposed`.
    static func ownFile(_ path: String) throws(PathFault) -> FileStatus {
        guard let facts = FileStatus(notFollowing: path) else { throw accessFault(path, path) }
        if facts.isSymbolicLink { throw .symbolicLink(path, target: target(ofLink: path)) }
        guard facts.isRegular else { throw .notRegular(path) }
        if !facts.isOwn { throw .exposed(path, .notOwned) }
        return facts
    }

    /// Returns the absolute path of the file to which a symbolic link leads. If a symbolic link leads to no
    /// file, returns the content of the link.
    private static func target(ofLink path: String) -> String {
        if let real = unsafe realpath(path, nil) {
            defer { unsafe free(real) }
            return unsafe String(cString: real)
        }
        return unsafe String(unsafeUninitializedCapacity: 4096) { text in
            unsafe text.withMemoryRebound(to: CChar.self) { text in
                guard let start = text.baseAddress else { return 0 }
                return unsafe max(0, readlink(path, start, text.count))
            }
        }
    }

    /// Returns true if a path is a folder and this user owns it. Returns false for a symbolic link.
    package static func isOwn(_ folder: String) -> Bool {
        guard let facts = FileStatus(notFollowing: folder) else { return false }
        return facts.isFolder && facts.isOwn
    }

    /// Returns the error to report for `path` after stat(2) or realpath(3) has failed. `examined` is the
    /// argument of the failed call, which is `path` or its folder.
    private static func accessFault(_ path: String, _ examined: String) -> PathFault {
        let code = platform_errno()
        return code == ENOENT || code == ENOTDIR ? .missing(path) : .unreadable(examined, code)
    }

    /// Calls fsync(2) on the folder of a file. After a power failure, created files then still exist, and
    /// removed files do not return. Errors are ignored.
    package static func synchronise(of path: String) { try? synchroniseFolder(of: path) }

    /// Calls fsync(2) on the folder of a file.
    ///
    /// - Throws: `open`, `write`.
    package static func synchroniseFolder(of path: String) throws(IOError) {
        try File(folder: folder(of: path)).synchronise()
    }

    /// Returns true if a folder is on a file system in memory. Files on a file system in memory are lost when
    /// the machine restarts.
    package static func isInMemory(_ folder: String) -> Bool {
        unsafe platform_is_in_memory(folder) != 0
    }

    /// Returns the names in a folder in no particular order. Returns an empty array if the folder cannot
    /// be read.
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
