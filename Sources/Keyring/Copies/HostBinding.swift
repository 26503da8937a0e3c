internal import Crypto
internal import System

/// The machine and file that a keyring is bound to. The file is identified by its birth time, or by its inode
/// if the file system stores no birth time (smsenc-keyring(5), Header). A copy of the keyring has another
/// binding.
///
///     offset  bytes  content
///     0       16     SHA-256 of the machine's identity, truncated
///     16      16     SHA-256 of the file's identity, truncated
struct HostBinding: Equatable {
    /// Number of bytes in a stored binding.
    static let size = 2 * digestSize
    private static let digestSize = 16

    let bytes: [UInt8]

    /// Creates a binding from its stored form, which has `size` bytes.
    init(stored: [UInt8]) { bytes = stored }

    /// Determines the current binding of the file at `path`.
    init(of path: String) throws(KeyringError) {
        self.init(machine: MachineID.read(), file: try checkingPaths(File.identity(of: path)))
    }

    init(machine: String, file: String) {
        bytes = Self.digest(machine) + Self.digest(file)
    }

    private static func digest(_ identity: String) -> [UInt8] {
        Array(Digest.sha256(Array(identity.utf8)).prefix(digestSize))
    }

    /// Returns true if both bindings refer to the same file, even if the machines differ.
    func isSameFile(as other: HostBinding) -> Bool {
        bytes.suffix(Self.digestSize) == other.bytes.suffix(Self.digestSize)
    }

    /// Compares this binding, which was stored in the header, with the current binding of the keyring.
    /// Returns the fault, or nil if both bindings are equal.
    ///
    /// - Parameter noteAgrees: true if the rollback note contains the keyring's count of commits. If the
    ///   counts agree, the keyring was last used with this note, so most likely the machine was only renamed.
    func fault(whenFound current: HostBinding, noteAgrees: Bool) -> CopyFault? {
        if self == current { return nil }
        return isSameFile(as: current) && noteAgrees ? .machineChanged : .moved
    }
}

/// Ensures that a keyring is open under one name only (smsenc-keyring(5), Location). A file can have several
/// names, for example through a second mount. SQLite uses a different write-ahead log for each name, so two
/// processes with different names could use the same key.
///
/// The name consists of the device and inode of the folder, and of the file's name. These three values
/// determine which write-ahead log SQLite uses. A hash of the name determines an offset far beyond the end of
/// the file. All processes that have opened the keyring under this name share a lock at this offset. The
/// locks are OFD locks, which belong to the file itself and not to a name. OFD locks therefore also work
/// between containers. After the locks are released, a process can open the keyring under another name. The
/// rollback note reveals if a process has opened the keyring under another name.
enum DirectoryEntryLock {
    /// If another process has opened the file under another name, this process tries to lock the name up to
    /// this number of times. The attempts to lock the name are one millisecond apart.
    private static let patience = 50

    /// Locks the name under which a keyring is opened. The lock is released when the returned file is closed.
    ///
    /// - Throws: `openElsewhere`, `unreadable`, `noLocks`.
    static func hold(_ path: String) throws(KeyringError) -> File {
        let name = try checkingPaths(PathChecks.place(of: path))
        let place = bigEndian(Digest.sha256(Array(name.utf8))[..<8])
        let file = try checkingIO(File(reading: path, isUntrustedPath: true)) {
            .file(.unreadable(path, $0))
        }
        for _ in 0..<patience {
            if try checkingIO(file.lockShared(place), { .store(.noLocks($0)) }) { return file }
            MonotonicClock.pause(milliseconds: 1)
        }
        throw .store(.openElsewhere)
    }
}
