internal import System

/// Holds a keyring to one name while it is open. Under another, as where its file is mounted a second time,
/// SQLite would keep another log, and two processes would use one key.
///
/// A small file outside, found by the keyring's device and inode, says under which name it is open: the
/// folder's device and inode and the name in it, which lead to the log; then the path as people know it;
/// NUL after each. All who have the keyring open share its lock, and who finds nobody else there writes it
/// anew. It says nothing of who comes later: that is for the count of commits.
final class NameLock {
    /// Closed, and so unlocked, with its owner.
    private let file: File

    /// Times that it is tried again, after a millisecond, where others are just coming or going.
    private static let patience = 30_000
    /// The same where others have it open under another name.
    private static let doubts = 50
    /// Bytes of a note that are read.
    private static let longestNote = 8192

    /// - Parameters:
    ///   - path: the keyring's.
    ///   - folder: `$XDG_STATE_HOME/smsenc`.
    /// - Throws: `openElsewhere`, `noNote`, `busy`.
    init(on path: String, in folder: String) throws(KeyringError) {
        let (real, own) = try checkingPaths { () throws(PathFault) in
            (try SafeFolder.resolved(path), try SafeFolder.place(of: path))
        }
        let note = try Self.note(of: path, in: folder)
        try checkingPaths { () throws(PathFault) in try SafeFolder.make(of: note) }
        let fault: KeyringError?
        do throws(IOError) {
            file = try File(updating: note, makesMissing: true)
            fault = try Self.hold(file, as: own, real)
        } catch {
            throw .copy(.noNote(note, error.code))
        }
        if let fault { throw fault }
    }

    /// Where the file that says so is.
    ///
    /// - Throws: `unreadable`.
    private static func note(
        of path: String, in folder: String
    ) throws(KeyringError) -> String {
        do throws(IOError) {
            return folder + "/open-" + (try File.node(of: path))
        } catch {
            throw .file(.unreadable(path, error.code))
        }
    }

    /// Removes it, with the keyring.
    static func remove(of path: String, in folder: String) {
        if let note = try? note(of: path, in: folder) { try? File.remove(note) }
    }

    /// Takes the lock, or says what is in the way.
    private static func hold(
        _ file: borrowing File, as own: String, _ path: String
    ) throws(IOError) -> KeyringError? {
        var doubts = 0
        for _ in 0..<patience {
            if try file.lock() { try file.overwrite(Array("\(own)\0\(path)\0".utf8).span) }
            if try file.lock(shared: true) {
                let held = String(decoding: try file.beginning(longestNote), as: UTF8.self)
                    .split(separator: "\0")
                if held.first == own[...] { return nil }
                doubts += 1
                if doubts == Self.doubts, held.count > 1 {
                    return .file(.openElsewhere(String(held[1])))
                }
                file.unlock()
            }
            Moment.pause(milliseconds: 1)
        }
        return .store(.busy)
    }
}
