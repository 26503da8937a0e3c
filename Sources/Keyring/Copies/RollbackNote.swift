internal import System

/// A keyring's rollback note, which is a small file outside the keyring. It contains the keyring's count of
/// commits. If a keyring has a lower count than its note, the keyring was restored from an older copy
/// (smsenc-keyring(5), Rollback note).
///
/// The commands `init`, `import` and `adopt` create the note and call fsync(2) on it. No other command
/// creates a note, because a keyring without its note may have been restored. A commit overwrites the note in
/// place and does not wait for the disk. After a power failure, the note may therefore contain a lower count
/// than the keyring. This is harmless. The note is never missing or empty after a power failure.
final class RollbackNote {
    /// The folder of the note, `$XDG_STATE_HOME/smsenc`.
    let folder: String
    private let path: String
    fileprivate var file: File?
    /// The errno of the attempt to open the file for writing, or nil if the attempt did not fail.
    private var obstacle: Int32?

    /// Creates a value for the note of a keyring, without opening the note.
    ///
    /// - Parameters:
    ///   - folder: `$XDG_STATE_HOME/smsenc`.
    ///   - keyring: the keyring's id.
    init(folder: String, keyring: [UInt8]) {
        self.folder = folder
        path = folder + "/" + hex(keyring)
    }

    private static let size = 21

    /// Writes a count to the note, unless the note already contains this count or a higher count. The caller
    /// must hold the lock.
    func raise(to count: UInt64) throws(KeyringError) {
        try withFile { (file) throws(IOError) in
            if try Self.read(file) ?? 0 < count { try Self.write(count, to: file) }
        }
    }

    /// Waits until the note and its name in the folder are on the disk.
    func synchronise() throws(KeyringError) {
        try withFile { (file) throws(IOError) in try file.synchronise() }
        PathChecks.synchronise(of: path)
    }

    /// The count of commits after this process's last cleanup commit, or nil if this process made no cleanup
    /// commit. After the log has been checkpointed, the count in the note is raised to this count.
    var countToRaiseTo: UInt64?

    /// Raises the count in the note to `countToRaiseTo`. The caller must have checkpointed the log, because
    /// only this makes the commit durable.
    ///
    /// If another process holds the lock, this function does nothing. The process that holds the lock will
    /// write the count of its own commit, which is higher. Errors are ignored, because it is harmless if the
    /// note contains a lower count than the keyring.
    func raiseAfterCleanup() {
        guard let countToRaiseTo, (try? takeLock()) == true else { return }
        let lock = RollbackNoteLock(on: self)
        try? raise(to: countToRaiseTo)
        lock.release()
    }

    /// Returns the count in the note, or the count of this process's last cleanup commit if that count is
    /// higher. Returns nil if the note is missing or malformed.
    func count() throws(KeyringError) -> UInt64? {
        guard try open() else { return nil }
        let noted = try withFile(writing: false) { (file) throws(IOError) in try Self.read(file) }
        return noted.map { max($0, countToRaiseTo ?? 0) }
    }

    /// Locks the note. A transaction takes this lock before it reads the count, and releases it after it has
    /// raised the count. While the lock is held, no other process can commit, even if that process has opened
    /// the keyring under another name. If a placeholder is written, the note is treated as missing until
    /// `raise` writes a count.
    ///
    /// - Parameter createsMissing: true to replace a missing or malformed note with a placeholder of the same
    ///   size.
    /// - Returns: the lock, or nil if the note is missing.
    /// - Throws: `busy`, `noNote`.
    func lock(createsMissing: Bool) throws(KeyringError) -> RollbackNoteLock? {
        guard try open(createsMissing: createsMissing) else { return nil }
        for _ in 0..<Database.patience {
            if try takeLock() {
                if createsMissing { try withFile(Self.writePlaceholder) }
                return RollbackNoteLock(on: self)
            }
            MonotonicClock.pause(milliseconds: 1)
        }
        throw .store(.busy)
    }

    /// Takes the lock, or returns false if another process holds it.
    private func takeLock() throws(KeyringError) -> Bool {
        try withFile { (file) throws(IOError) in try file.lock() }
    }

    func remove() { try? File.remove(path) }

    /// Returns the ids of all keyrings that have a note.
    static func keyrings(in folder: String) -> [[UInt8]] {
        PathChecks.names(in: folder).compactMap { name in
            bytes(hex: name).flatMap { $0.count == 16 ? $0 : nil }
        }
    }

    /// Opens the note, unless it is already open. Opens the note read-only if it cannot be opened for
    /// writing.
    ///
    /// - Returns: false if the note is missing.
    private func open(createsMissing: Bool = false) throws(KeyringError) -> Bool {
        if file != nil { return true }
        if createsMissing { try checkingPaths(PathChecks.make(of: path)) }
        do throws(IOError) {
            file = try File(updating: path, createsMissing: createsMissing)
        } catch {
            if ErrorNumber.missingPath.contains(error.code) { return false }
            obstacle = error.code
            file = try? File(reading: path, isUntrustedPath: true)
            if file == nil { throw .copy(.noNote(path, error.code)) }
        }
        return true
    }

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

    /// Parses a note, which consists of 20 digits and a line feed. Returns nil if the file is not a
    /// well-formed note.
    private static func read(_ file: borrowing File) throws(IOError) -> UInt64? {
        // Read one byte more than the size of a note, to detect a longer file.
        let bytes = try file.beginning(size + 1)
        guard bytes.count == size, bytes.last == UInt8(ascii: "\n"),
            bytes.dropLast().allSatisfy({ (48...57).contains($0) }),
            let count = UInt64(String(decoding: bytes.dropLast(), as: UTF8.self))
        else { return nil }
        // Reject a count that is too high to be increased by the next commit.
        return count < UInt64(Int64.max) ? count : nil
    }

    private static func write(_ count: UInt64, to file: borrowing File) throws(IOError) {
        let digits = String(count)
        let line = String(repeating: "0", count: max(0, size - 1 - digits.count)) + digits + "\n"
        try file.overwrite(Array(line.utf8).span)
    }

    /// Writes a placeholder if the note is missing or malformed. The placeholder has the size of a
    /// rollback note. A later commit can therefore write the count without more space on the disk. The
    /// placeholder is not a valid note.
    private static func writePlaceholder(_ file: borrowing File) throws(IOError) {
        if try read(file) != nil { return }
        try file.truncate()
        try file.overwrite([UInt8](repeating: UInt8(ascii: "-"), count: size).span)
    }
}

/// The lock on a rollback note. Destroying a `RollbackNoteLock` releases the lock.
@usableFromInline
package struct RollbackNoteLock: ~Copyable {
    private let note: RollbackNote

    fileprivate init(on note: RollbackNote) { self.note = note }

    consuming func release() {}

    @inlinable deinit { unlock() }

    @usableFromInline
    func unlock() { note.file?.unlock() }
}
