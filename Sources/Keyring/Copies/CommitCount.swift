internal import System

/// A keyring's rollback note: a small file outside the keyring with the number of commits that the keyring has
/// seen. A keyring that is behind its note was restored from an older copy (smsenc(7), State on disk).
///
/// `init`, `import` and `adopt` make the note and synchronise it. Nothing else makes one: a keyring without its note
/// may have been restored. A commit overwrites the note in place and does not wait for the disk. After a power cut
/// the note may therefore be behind the keyring, which is harmless, but it is never missing or empty.
final class CommitCount {
    /// `$XDG_STATE_HOME/smsenc`.
    let folder: String
    private let path: String
    private var file: File?
    /// Why the open file cannot be written to (errno); nil if it can.
    private var obstacle: Int32?

    /// - Parameters:
    ///   - folder: `$XDG_STATE_HOME/smsenc`.
    ///   - keyring: the keyring's id.
    init(folder: String, keyring: [UInt8]) {
        self.folder = folder
        path = folder + "/" + hex(keyring)
    }

    /// Bytes of a note.
    private static let size = 21

    /// Notes a count, unless a higher one is noted already. The lock is held.
    func raise(to count: UInt64) throws(KeyringError) {
        try withFile { (file) throws(IOError) in
            if try Self.read(file) ?? 0 < count { try Self.write(count, to: file) }
        }
    }

    /// Brings the note and its name to the disk.
    func synchronise() throws(KeyringError) {
        try withFile { (file) throws(IOError) in try file.synchronise() }
        SafeFolder.synchronise(of: path)
    }

    /// The count of this process's last commit that only tidied up: what waits to be noted until the log
    /// is written back.
    var later: UInt64?

    /// The count that was noted or that this process knows of; nil if the note is missing or malformed.
    func known() throws(KeyringError) -> UInt64? {
        guard try open() else { return nil }
        let noted = try withFile(writing: false) { (file) throws(IOError) in try Self.read(file) }
        return noted.map { max($0, later ?? 0) }
    }

    /// Takes the note's lock: from the reading of the count to its raising nobody else reads it to commit,
    /// under whatever name they have the keyring.
    ///
    /// - Parameter makesMissing: whether a missing or malformed note is replaced by one that takes the same room on
    ///   the disk and counts as missing until `raise`.
    /// - Returns: nil if the note is missing.
    /// - Throws: `busy`, `noNote`.
    func lock(makesMissing: Bool) throws(KeyringError) -> Lock? {
        guard try open(makesMissing: makesMissing) else { return nil }
        for _ in 0..<Database.patience {
            if try withFile({ (file) throws(IOError) in try file.lock() }) {
                if makesMissing { try withFile(Self.takeRoom) }
                return Lock(on: self)
            }
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

    /// Opens the note unless it is open; read-only if it cannot be written to.
    ///
    /// - Returns: false if the note is missing.
    private func open(makesMissing: Bool = false) throws(KeyringError) -> Bool {
        if file != nil { return true }
        if makesMissing { try checkingPaths(SafeFolder.make(of: path)) }
        do throws(IOError) {
            file = try File(updating: path, makesMissing: makesMissing)
        } catch {
            if ErrorNumber.meanMissing.contains(error.code) { return false }
            obstacle = error.code
            file = try? File(reading: path, isOnlyFile: true)
            if file == nil { throw .copy(.noNote(path, error.code)) }
        }
        return true
    }

    /// Runs `body` on the open file.
    private func withFile<Result>(
        writing: Bool = true, _ body: (borrowing File) throws(IOError) -> Result
    ) throws(KeyringError) -> Result {
        if writing, let obstacle { throw .copy(.noNote(path, obstacle)) }
        do throws(IOError) {
            switch file {
            case .some(let file): return try body(file)
            case .none: preconditionFailure("not opened")
            }
        } catch {
            throw .copy(.noNote(path, error.code))
        }
    }

    /// The count in a note: 20 digits and LF; nil for anything else.
    private static func read(_ file: borrowing File) throws(IOError) -> UInt64? {
        // One byte more than a note has, so that a longer file is seen to be longer.
        let bytes = try file.beginning(size + 1)
        guard bytes.count == size, bytes.last == UInt8(ascii: "\n"),
            bytes.dropLast().allSatisfy({ (48...57).contains($0) }),
            let count = UInt64(String(decoding: bytes.dropLast(), as: UTF8.self))
        else { return nil }
        // One commit more must always be a number.
        return count <= UInt64(Int64.max) ? count : nil
    }

    private static func write(_ count: UInt64, to file: borrowing File) throws(IOError) {
        let digits = String(count)
        let line = String(repeating: "0", count: max(0, size - 1 - digits.count)) + digits + "\n"
        try file.overwrite(Array(line.utf8).span)
    }

    /// Takes a note's room on the disk before a commit depends on it. What it writes counts as no note.
    private static func takeRoom(_ file: borrowing File) throws(IOError) {
        if try read(file) != nil { return }
        try file.truncate()
        try file.overwrite([UInt8](repeating: UInt8(ascii: "-"), count: size).span)
    }
}
