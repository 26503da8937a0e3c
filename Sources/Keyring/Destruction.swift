#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The end of a keyring: the file, its log, the note of its commits, its sessions.
///
/// What lies behind the first sector goes first, and is synchronised; until then that sector tells what
/// the file is, and from then on a mark in the second. Then the first sector goes, then the names. So
/// whatever breaks it off, it can be said again and goes on. Nothing is asked of the system that
/// another user could keep waiting: no lock, no SQLite, no opening of what is no file.
package struct Destruction: ~Copyable {
    /// What a disk writes as a whole. It holds the header, and no key.
    private static let sector = 512
    /// Where the table `account` has its row: the second page.
    private static let accountPage = 4096..<8192
    /// What the second sector begins with when it is erased; the keyring's id follows, or zeros.
    private static let mark = Array("smsenc destroyed".utf8)
    private static let idSize = 16

    private let path: String
    private let places: Places
    private let file: Int32
    private let size: Int
    private let ids: [[UInt8]]
    /// What could not be overwritten, and why.
    private var failure: KeyringError?

    /// Deletes a keyring and all that belongs to it; needs no password.
    ///
    /// The file is overwritten first, which a disk that never writes in place does not honour. A
    /// damaged keyring goes as well, and one that others can reach; what is no keyring stays.
    ///
    /// - Throws: `missing`, `exposed` where somebody else owns it, `notAKeyring`; `unreadable` where its
    ///   name stays; `notErased`, when all else is done.
    package static func destroy(at path: String, places: Places) throws(KeyringError) {
        var destruction = try Destruction(of: path, places)
        try destruction.run()
    }

    private init(of path: String, _ places: Places) throws(KeyringError) {
        self.path = path
        self.places = places
        let file = try Self.open(path)
        var facts = stat()
        let isThere = unsafe fstat(file, &facts) == 0
        let start = SmallFile.contents(of: file, upTo: Self.accountPage.upperBound) ?? []
        let ids = isThere ? Self.ids(of: start, places) : nil
        if ids == nil { close(file) }
        guard let ids else { throw .notAKeyring(path) }
        self.file = file
        self.ids = ids
        size = Int(facts.st_size)
    }

    deinit { close(file) }

    private mutating func run() throws(KeyringError) {
        let mark = Self.mark + (ids.first ?? [UInt8](repeating: 0, count: Self.idSize))
        overwrite(file, path, from: Self.sector, to: size, beginning: mark)
        for suffix in Self.suffixes { eraseBeside(path + suffix) }
        overwrite(file, path, from: 0, to: min(size, Self.sector))
        for suffix in Self.suffixes { _ = unsafe unlink(path + suffix) }
        let code = unsafe unlink(path) == 0 ? nil : errno
        Folder.synchronise(of: path)
        for id in ids {
            _ = Session.endAll(of: id, but: nil, folder: places.sessions)
            CommitNote(folder: places.state, keyring: id).remove()
        }
        if let code { throw .unreadable(path, code) }
        if let failure { throw failure }
    }

    /// What SQLite keeps beside the file.
    private static let suffixes = ["-wal", "-shm", "-journal"]

    /// Overwrites a part of a file with some bytes, and zeros behind them, and synchronises it.
    private mutating func overwrite(
        _ file: Int32, _ path: String, from start: Int, to end: Int, beginning first: [UInt8] = []
    ) {
        let most = 65_536
        for place in stride(from: start, to: end, by: most) {
            let zeros = [UInt8](repeating: 0, count: min(most, end - place))
            let part = place == start ? first + zeros.dropFirst(first.count) : zeros
            note(SmallFile.write(Array(part.prefix(zeros.count)), to: file, at: place), path)
        }
        note(uninterrupted { fsync(file) } == 0 ? nil : errno, path)
    }

    /// Overwrites a file beside the keyring. One that another user has put there is left alone, but
    /// said to be there if it may hold something.
    private mutating func eraseBeside(_ path: String) {
        var facts = stat()
        guard unsafe lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return }
        let file = Self.openToWrite(path)
        let code = errno
        guard file >= 0 else {
            return note(facts.st_size > 0 ? code : nil, path)
        }
        defer { close(file) }
        guard unsafe fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return }
        overwrite(file, path, from: 0, to: Int(facts.st_size))
    }

    private mutating func note(_ code: Int32?, _ path: String) {
        if let code, failure == nil { failure = .notErased(path, code) }
    }

    /// Opens the keyring's file, whatever its mode.
    private static func open(_ path: String) throws(KeyringError) -> Int32 {
        var facts = stat()
        guard unsafe lstat(path, &facts) == 0 else {
            throw errno == ENOENT || errno == ENOTDIR ? .missing(path) : .unreadable(path, errno)
        }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw .notAKeyring(path) }
        if facts.st_uid != geteuid() { throw .exposed(path, .notOwned) }
        let file = openToWrite(path)
        guard file >= 0 else { throw .unreadable(path, errno) }
        var opened = stat()
        // Somebody who can write to the folder may have put another one there meanwhile.
        guard unsafe fstat(file, &opened) == 0, opened.st_ino == facts.st_ino,
            opened.st_dev == facts.st_dev
        else {
            close(file)
            throw .notAKeyring(path)
        }
        return file
    }

    private static func openToWrite(_ path: String) -> Int32 {
        let file = SmallFile.open(path, O_RDWR)
        if file >= 0 || errno != EACCES { return file }
        // Its owner may have taken the right away.
        guard unsafe chmod(path, 0o600) == 0 else { return -1 }
        return SmallFile.open(path, O_RDWR)
    }

    /// The ids by which a keyring's note and sessions are known; nil for what is no keyring.
    ///
    /// A keyring has the application id in its header, or else, the header being damaged, the table
    /// `account` where it always lies: described in the first page, or, in the second, with the id of
    /// a note or session that is kept here. One that is being erased has the mark.
    private static func ids(of start: [UInt8], _ places: Places) -> [[UInt8]]? {
        let second = start.dropFirst(sector)
        if second.starts(with: mark), second.count >= mark.count + idSize {
            let id = Array(second.dropFirst(mark.count).prefix(idSize))
            return id.contains { $0 != 0 } ? [id] : []
        }
        let page = Array(start.dropFirst(accountPage.lowerBound))
        let known = CommitNote.keyrings(in: places.state) + Session.keyrings(in: places.sessions)
        var ids: [[UInt8]] = []
        for id in known where !ids.contains(id) && holds(page, id) { ids.append(id) }
        let code = start.count < 72 ? 0 : start[68..<72].reduce(0) { $0 << 8 | Int($1) }
        let isKeyring =
            !ids.isEmpty || code == Schema.applicationID
            || holds(Array(start.prefix(accountPage.lowerBound)), Schema.firstTable)
        return isKeyring ? ids : nil
    }

    private static func holds(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        guard bytes.count >= part.count else { return false }
        return (0...(bytes.count - part.count)).contains { start in
            bytes[start] == part[0] && bytes[start..<(start + part.count)].elementsEqual(part)
        }
    }
}
