internal import CPlatform

/// The status of a file, as stat(2) returns it.
struct FileStatus {
    private let status: stat

    /// Calls stat(2). If stat(2) fails, returns nil, and errno contains the reason.
    init?(of path: String) { self.init { unsafe stat(path, &$0) } }
    init?(notFollowing path: String) { self.init { unsafe lstat(path, &$0) } }
    init?(of file: Int32) { self.init { unsafe fstat(file, &$0) } }

    private init?(_ call: (inout stat) -> Int32) {
        var status = stat()
        guard call(&status) == 0 else { return nil }
        self.status = status
    }

    var isRegular: Bool { kind == S_IFREG }
    /// True if the file has more than one hard link.
    var hasOtherLinks: Bool { status.st_nlink > 1 }
    var isFolder: Bool { kind == S_IFDIR }
    var isSymbolicLink: Bool { kind == S_IFLNK }
    var isPipe: Bool { kind == S_IFIFO }
    var isPipeOrDevice: Bool { isPipe || isDevice }
    var isDevice: Bool { kind == S_IFCHR }
    /// True for `/dev/full`, which has the major number 1 and the minor number 7 (full(4)).
    var isFullDevice: Bool { isDevice && status.st_rdev == 0x107 }
    private var kind: Int { Int(status.st_mode) & Int(S_IFMT) }
    var isOwn: Bool { status.st_uid == Self.user }
    private static let user = geteuid()
    var isOwnedByRoot: Bool { status.st_uid == 0 }
    /// The permissions, which are the lower twelve bits of the mode.
    var permissions: Int { Int(status.st_mode) & 0o7777 }
    var size: Int64 { Int64(status.st_size) }
    var device: UInt64 { UInt64(status.st_dev) }
    var inode: UInt64 { UInt64(status.st_ino) }

    func isSameFile(as other: FileStatus) -> Bool {
        status.st_ino == other.status.st_ino && status.st_dev == other.status.st_dev
    }
}
