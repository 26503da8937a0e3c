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
        do throws(IOError) {
            digest = Digest.sha256(Array("\(Machine.id())\n\(try File.identity(of: path))".utf8))
        } catch {
            throw .file(.unreadable(path, error.code))
        }
    }
}
