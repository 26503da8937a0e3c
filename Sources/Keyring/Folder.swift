#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Folders and files that nobody else may touch.
enum Folder {
    /// The folder that holds a file.
    static func of(_ path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Makes the missing folders above a file, 0700; changes no existing one.
    static func make(of path: String) throws(KeyringError) {
        let folder = of(path)
        var facts = stat()
        if unsafe stat(folder, &facts) == 0 { return }
        if folder != "/", folder != "." { try make(of: folder) }
        if unsafe mkdir(folder, 0o700) != 0, errno != EEXIST { throw .cannotMake(folder, errno) }
    }

    /// The path with its folder's symbolic links followed: SQLite is told to follow none.
    static func resolved(_ path: String) throws(KeyringError) -> String {
        let folder = of(path)
        guard let real = unsafe realpath(folder, nil) else {
            throw errno == ENOENT || errno == ENOTDIR ? .missing(path) : .unreadable(folder, errno)
        }
        defer { unsafe free(real) }
        let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
        let start = unsafe String(cString: real)
        return (start == "/" ? "" : start) + "/" + name
    }

    /// Refuses a folder that others can write to: they could put another file in a file's place.
    /// One with the sticky bit, such as /tmp, lets them touch their own files only.
    static func check(of path: String) throws(KeyringError) {
        let folder = of(path)
        var facts = stat()
        guard unsafe stat(folder, &facts) == 0 else {
            throw errno == ENOENT || errno == ENOTDIR ? .missing(path) : .unreadable(folder, errno)
        }
        if facts.st_uid != geteuid(), facts.st_uid != 0 { throw .exposed(folder, .notOwned) }
        if facts.st_mode & 0o022 != 0, facts.st_mode & S_ISVTX == 0 {
            throw .exposed(folder, .othersCanWriteFolder)
        }
    }

    /// Refuses a file that others can read or write, or that somebody else owns.
    static func checkFile(_ path: String) throws(KeyringError) {
        var facts = stat()
        guard unsafe lstat(path, &facts) == 0 else {
            throw errno == ENOENT || errno == ENOTDIR ? .missing(path) : .unreadable(path, errno)
        }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw .notAKeyring(path) }
        if facts.st_uid != geteuid() { throw .exposed(path, .notOwned) }
        if facts.st_mode & 0o077 != 0 { throw .exposed(path, .othersCanRead) }
    }

    /// The names in a folder; none where it cannot be read.
    static func names(in folder: String) -> [String] {
        guard let listing = unsafe opendir(folder) else { return [] }
        defer { _ = unsafe closedir(listing) }
        var names: [String] = []
        while let entry = unsafe readdir(listing) {
            names.append(
                unsafe withUnsafeBytes(of: &entry.pointee.d_name) { name in
                    unsafe String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        return names
    }

    /// Brings the names in a folder to the disk.
    static func synchronise(of path: String) {
        let folder = uninterrupted { unsafe open(of(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard folder >= 0 else { return }
        _ = uninterrupted { fsync(folder) }
        close(folder)
    }
}
