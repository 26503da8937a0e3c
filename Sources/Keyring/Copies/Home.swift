internal import Crypto
internal import System

/// Where a keyring lives: the machine, and the file by its birth time, or by its inode where the
/// file system keeps no birth time (smsenc(7), State on disk). A copy lives elsewhere.
struct Home: Equatable {
    /// Bytes in a recorded home.
    static let size = 32
    /// A digest of the facts, so that the file tells nobody of the machine.
    let digest: [UInt8]

    init(stored: [UInt8]) { digest = stored }

    /// The home of the file at `path`, now.
    init(of path: String) throws(KeyringError) {
        let identity = try checkingPaths(File.identity(of: path))
        digest = Digest.sha256(Array("\(Machine.id())\n\(identity)".utf8))
    }
}

/// Holds a keyring to one name while it is open. Under another, as where its file is mounted a second time,
/// SQLite would keep another log, and two processes would use one key.
///
/// A name, which is the folder's device and inode and the name in it, for that leads to the log, stands for a
/// place far behind the file's end. All who have the keyring open share the lock of theirs (OFD locks, which
/// belong to the file, whatever its name is, and whatever else these processes see of the system). It says
/// nothing of who comes later: that is for the count of commits.
enum NameLock {
    /// Times that it is tried, after a millisecond, where others have it open under another name, or try.
    private static let patience = 50

    /// What holds a keyring to the name that it is opened by, until it is closed.
    ///
    /// - Throws: `openElsewhere`, `unreadable`, `noLocks`.
    static func hold(_ path: String) throws(KeyringError) -> File {
        let name = try checkingPaths(SafeFolder.place(of: path))
        let place = bigEndian(Digest.sha256(Array(name.utf8))[..<8])
        let file: File
        do throws(IOError) {
            file = try File(reading: path, isOnlyFile: true)
        } catch {
            throw .file(.unreadable(path, error.code))
        }
        for _ in 0..<patience {
            do throws(IOError) {
                if try file.holdPlace(place) { return file }
            } catch {
                throw .store(.noLocks(error.code))
            }
            Moment.pause(milliseconds: 1)
        }
        throw .store(.openElsewhere)
    }
}
