internal import CPlatform

/// The status of a file, as stat(2) returns it.
struct Facts {
    private let facts: stat

    /// Returns nil, with errno set, if stat(2) fails.
    init?(of path: String) { self.init { unsafe stat(path, &$0) } }
    init?(notFollowing path: String) { self.init { unsafe lstat(path, &$0) } }
    init?(of file: Int32) { self.init { unsafe fstat(file, &$0) } }

    private init?(_ ask: (inout stat) -> Int32) {
        var facts = stat()
        guard ask(&facts) == 0 else { return nil }
        self.facts = facts
    }

    var isRegular: Bool { kind == S_IFREG }
    /// True if the file has another hard link.
    var isLinked: Bool { facts.st_nlink > 1 }
    var isFolder: Bool { kind == S_IFDIR }
    var isPipe: Bool { kind == S_IFIFO }
    var isPipeOrDevice: Bool { isPipe || isDevice }
    var isDevice: Bool { kind == S_IFCHR }
    /// True for `/dev/full`, which has major number 1 and minor number 7 (full(4)).
    var isFullDevice: Bool { isDevice && facts.st_rdev == 0x107 }
    private var kind: Int { Int(facts.st_mode) & Int(S_IFMT) }
    var isOwn: Bool { facts.st_uid == geteuid() }
    var isRoots: Bool { facts.st_uid == 0 }
    /// The permission bits: the lower twelve bits of the mode.
    var permissions: Int { Int(facts.st_mode) & 0o7777 }
    var size: Int64 { Int64(facts.st_size) }
    var device: UInt64 { UInt64(facts.st_dev) }
    var inode: UInt64 { UInt64(facts.st_ino) }

    func isSameFile(as other: Facts) -> Bool {
        facts.st_ino == other.facts.st_ino && facts.st_dev == other.facts.st_dev
    }
}
