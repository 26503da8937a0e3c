internal import System

/// The small file outside the keyring that notes how many commits it has seen, so that a keyring
/// restored from a backup is found out (smsenc(7), State on disk).
///
/// It is not brought to the disk: after a power cut it may be behind, which says nothing, never
/// ahead of what is durable in the keyring.
final class CommitCount {
    private let path: String
    private var file: File?

    /// - Parameters:
    ///   - folder: `$XDG_STATE_HOME/smsenc`.
    ///   - keyring: the keyring's id.
    init(folder: String, keyring: [UInt8]) {
        path = folder + "/" + hex(keyring)
    }

    /// Bytes of a note.
    private static let size = 21

    /// Notes a count, unless a higher one is noted already. The lock is held.
    func raise(to count: UInt64) throws(KeyringError) {
        try reaching { (file) throws(IOError) in
            if try Self.read(file) < count { try Self.write(count, to: file) }
        }
    }

    /// The count of this process's last commit that only tidied up: what waits to be noted until the log
    /// is written back.
    var later: UInt64?

    /// The count that was noted, 0 where none is, or that this process knows of.
    func known() throws(KeyringError) -> UInt64 {
        max(try reaching { (file) throws(IOError) in try Self.read(file) }, later ?? 0)
    }

    /// Takes the note's lock: from the reading of the count to its raising nobody else reads it to commit,
    /// under whatever name they have the keyring.
    ///
    /// - Throws: `busy`, `noNote`.
    func lock() throws(KeyringError) -> Lock {
        for _ in 0..<Database.patience {
            if try reaching({ (file) throws(IOError) in try file.lock() }) { return Lock(on: self) }
            Moment.pause(milliseconds: 1)
        }
        throw .store(.busy)
    }

    /// The note's lock, given back with its owner.
    struct Lock: ~Copyable {
        private let count: CommitCount

        fileprivate init(on count: CommitCount) { self.count = count }

        deinit { count.file?.unlock() }
    }

    func remove() { try? File.remove(path) }

    /// The ids of all keyrings that have a note.
    static func keyrings(in folder: String) -> [[UInt8]] {
        SafeFolder.names(in: folder).compactMap { name in
            bytes(hex: name).flatMap { $0.count == 16 ? $0 : nil }
        }
    }

    /// Runs `body` on the file, which is opened at the first time.
    private func reaching<Result>(
        _ body: (borrowing File) throws(IOError) -> Result
    ) throws(KeyringError) -> Result {
        if file == nil { try checkingPaths(SafeFolder.make(of: path)) }
        do throws(IOError) {
            if file == nil {
                let opened = try File(updating: path, makesMissing: true)
                // A new note takes its room on the disk now, not after a commit that depends on it.
                if opened.regularSize ?? 0 < Int64(Self.size) {
                    try Self.write(try Self.read(opened), to: opened)
                }
                file = consume opened
            }
            switch file {
            case .some(let file): return try body(file)
            case .none: preconditionFailure("not opened")
            }
        } catch {
            throw .copy(.noNote(path, error.code))
        }
    }

    /// What cannot be read may be any count; what makes no sense is taken for none.
    private static func read(_ file: borrowing File) throws(IOError) -> UInt64 {
        // A byte more than there should be: what is longer makes no sense.
        let digits = String(
            decoding: try file.beginning(size + 1).prefix { $0 != UInt8(ascii: "\n") },
            as: UTF8.self)
        // One commit more must always be a number.
        return UInt64(digits).flatMap { $0 <= UInt64(Int64.max) ? $0 : nil } ?? 0
    }

    /// Always as many bytes, so that no part of an older count is left.
    private static func write(_ count: UInt64, to file: borrowing File) throws(IOError) {
        let digits = String(count)
        let line = String(repeating: "0", count: max(0, 20 - digits.count)) + digits + "\n"
        try file.overwrite(Array(line.utf8).span)
    }
}
