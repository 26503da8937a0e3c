internal import CPlatform

/// An open file, closed with its owner unless it is one of the three standard ones.
///
/// What it opens is for its owner alone where it is made (0600), and not inherited by programs
/// started later.
@safe
@usableFromInline
package struct File: ~Copyable {
    package let number: Int32
    /// As the user gave it; `stdin`, `stdout` and `stderr` for the standard ones.
    package let name: String

    package static func standardInput() -> File { File(number: 0, name: "stdin") }
    package static func standardOutput() -> File { File(number: 1, name: "stdout") }
    package static func standardError() -> File { File(number: 2, name: "stderr") }

    private init(number: Int32, name: String) {
        self.number = number
        self.name = name
    }

    private init(
        _ path: String, _ flags: Int32, else fault: (String, Int32) -> IOError
    ) throws(IOError) {
        let number = unsafe platform_open(path, flags, 0o600)
        guard number >= 0 else { throw fault(path, platform_errno()) }
        self.init(number: number, name: path)
    }

    /// Opens a file for reading.
    ///
    /// - Parameter isOnlyFile: false where a symbolic link stands for what it names, and a fifo is waited
    ///   for until somebody writes to it; true where neither is so, since others may have put it there.
    /// - Throws: `open`.
    package init(reading path: String, isOnlyFile: Bool = false) throws(IOError) {
        let flags = isOnlyFile ? O_RDONLY | O_NOFOLLOW | O_NONBLOCK : O_RDONLY
        try self.init(path, flags, else: IOError.open)
    }

    /// Makes a new file, for writing. Nothing is ever overwritten.
    /// - Throws: `create`.
    package init(creating path: String) throws(IOError) {
        try self.init(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, else: IOError.create)
    }

    /// Opens a file that takes what is rejected: a new one, or, as it is, a pipe or a terminal, or the
    /// descriptor N for `/dev/fd/N`.
    /// - Throws: `create`.
    package init(rejects path: String) throws(IOError) {
        let prefix = "/dev/fd/"
        if path.hasPrefix(prefix), let named = Int32(path.dropFirst(prefix.count)) {
            let number = platform_duplicate(named)
            guard number >= 0 else { throw .create(path, platform_errno()) }
            self.init(number: number, name: path)
        } else if Facts(of: path)?.isPipeOrDevice == true {
            try self.init(path, O_WRONLY | O_NOCTTY, else: IOError.create)
        } else {
            try self.init(creating: path)
        }
    }

    /// True where what is written here and what is written to another descriptor mix: in one file, pipe or
    /// terminal. /dev/null mixes nothing.
    package func isShared(with other: Int32) -> Bool {
        guard let own = Facts(of: number), let facts = Facts(of: other), own.isSameFile(as: facts)
        else { return false }
        return !own.isDevice || isTerminal
    }

    /// Opens a terminal.
    /// - Throws: `open`.
    init(terminal path: String) throws(IOError) {
        try self.init(path, O_RDWR | O_NOCTTY, else: IOError.open)
    }

    /// - Throws: `sameFile` for a regular file that is standard output as well, and that is not at its
    ///   end: what is written to it would be read again.
    package func checkIsNotOutput() throws(IOError) {
        guard let input = Facts(of: number), let output = Facts(of: 1), input.isRegular,
            input.isSameFile(as: output), lseek(number, 0, SEEK_CUR) < input.size
        else { return }
        throw .sameFile(name)
    }

    /// Opens a file, never through a symbolic link and never waiting for others, for reading and writing.
    ///
    /// - Parameter makesMissing: whether one that is not there is made.
    /// - Throws: `open`.
    package init(updating path: String, makesMissing: Bool) throws(IOError) {
        let flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | (makesMissing ? O_CREAT : 0)
        try self.init(path, flags, else: IOError.open)
    }

    /// Opens a regular file of this user's for reading and writing, whatever its mode, which becomes 0600
    /// where it forbids that.
    ///
    /// - Throws: `missing`, `unreadable`, `notRegular`; `exposed` where it is somebody else's.
    package init(ownedAt path: String) throws(PathFault) {
        let facts = try SafeFolder.ownFile(path)
        let flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK
        var number = unsafe platform_open(path, flags, 0)
        // Its owner may have taken the right away.
        if number < 0, platform_errno() == EACCES, unsafe chmod(path, 0o600) == 0 {
            number = unsafe platform_open(path, flags, 0)
        }
        guard number >= 0 else { throw .unreadable(path, platform_errno()) }
        // Somebody who can write to the folder may have put another one there meanwhile.
        guard let opened = Facts(of: number), opened.isSameFile(as: facts) else {
            close(number)
            throw .notRegular(path)
        }
        self.init(number: number, name: path)
    }

    @inlinable deinit { end() }

    @usableFromInline
    func end() {
        if number > 2 { _ = close(number) }
    }

    package var isTerminal: Bool { isatty(number) == 1 }

    /// The size in bytes of a regular file, or nil for anything else.
    package var regularSize: Int64? {
        guard let facts = Facts(of: number), facts.isRegular else { return nil }
        return facts.size
    }

    /// True for a regular file that others can read or write, or that is another user's.
    package var isOthersToo: Bool {
        guard let facts = Facts(of: number), facts.isRegular else { return false }
        return !facts.isOwn || facts.permissions & 0o077 != 0
    }

    /// True for a regular file of this user's that nobody else can touch: mode 0600 to the bit.
    package var isOwnersAlone: Bool {
        guard let facts = Facts(of: number) else { return false }
        return facts.isRegular && facts.isOwn && facts.permissions == 0o600
    }

    /// Counts the records of a regular file from its position on, which stays; nil for anything else.
    /// - Throws: `read`, `folder`.
    package func countRecords(endingIn terminator: UInt8) throws(IOError) -> Int64? {
        guard regularSize != nil else { return nil }
        let start = lseek(number, 0, SEEK_CUR)
        guard start >= 0 else { return nil }
        defer { _ = lseek(number, start, SEEK_SET) }
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
        defer {
            cleanse(block)
            unsafe block.deallocate()
        }
        var (count, isOpen): (Int64, Bool) = (0, false)
        while true {
            let filled = try unsafe read(into: block)
            if filled == 0 { return count + (isOpen ? 1 : 0) }
            for index in 0..<filled where unsafe block[index] == terminator { count += 1 }
            isOpen = unsafe block[filled - 1] != terminator
        }
    }

    /// True when a read would not wait: there is input, or the end of it.
    package var hasWaitingInput: Bool { wait(for: POLLIN, milliseconds: 0) != 0 }

    /// Reads what there is, at least a byte; 0 at the end.
    /// - Throws: `read`, `folder`.
    package func read(into space: UnsafeMutableRawBufferPointer) throws(IOError) -> Int {
        while true {
            let count = unsafe CPlatform.read(number, space.baseAddress, space.count)
            if count >= 0 { return count }
            switch platform_errno() {
            case EINTR: continue
            case EAGAIN: wait(for: POLLIN)
            case EISDIR: throw .folder(name)
            case let code: throw .read(name, code)
            }
        }
    }

    /// Writes once; the number of bytes that left, at least one.
    /// - Throws: `write`, `readerLeft`.
    package func write(_ bytes: Span<UInt8>) throws(IOError) -> Int {
        while true {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe CPlatform.write(number, $0.baseAddress, $0.count)
            }
            if count > 0 { return count }
            switch platform_errno() {
            case _ where count == 0: throw .write(name, EIO)
            case EINTR: continue
            case EAGAIN: wait(for: POLLOUT)
            case EPIPE: throw .readerLeft
            case let code: throw .write(name, code)
            }
        }
    }

    /// Writes all bytes.
    /// - Throws: `write`, `readerLeft`; some may have left then.
    package func writeAll(_ bytes: Span<UInt8>) throws(IOError) {
        var left = 0
        while left < bytes.count { left += try write(bytes.extracting(left...)) }
    }

    /// The bytes at the beginning of a regular file, whatever its position: all, or the first `limit`.
    /// - Throws: `read`, `folder`.
    package func beginning(_ limit: Int) throws(IOError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        var filled = 0
        while filled < limit {
            let count = unsafe bytes.withUnsafeMutableBytes { bytes in
                let room = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[filled...])
                return uninterrupted {
                    unsafe pread(number, room.baseAddress, room.count, off_t(filled))
                }
            }
            if count < 0 {
                throw platform_errno() == EISDIR ? .folder(name) : .read(name, platform_errno())
            }
            if count == 0 { break }
            filled += count
        }
        return Array(bytes[..<filled])
    }

    /// Puts bytes over what is at `offset` of a regular file, whatever its position.
    /// - Throws: `write`.
    package func overwrite(_ bytes: Span<UInt8>, at offset: Int64 = 0) throws(IOError) {
        var left = 0
        while left < bytes.count {
            let count = unsafe bytes.extracting(left...).withUnsafeBytes { bytes in
                uninterrupted {
                    unsafe pwrite(
                        number, bytes.baseAddress, bytes.count, off_t(offset) + off_t(left))
                }
            }
            // None written of some, and no reason given: a disk that takes nothing more.
            guard count > 0 else { throw .write(name, count < 0 ? platform_errno() : ENOSPC) }
            left += count
        }
    }

    /// Makes the file empty.
    /// - Throws: `write`.
    package func truncate() throws(IOError) {
        guard uninterrupted({ ftruncate(number, 0) }) == 0 else {
            throw .write(name, platform_errno())
        }
    }

    /// Takes this file's lock (flock(2)); false while another has it.
    /// - Throws: `open` where it cannot be locked.
    package func lock() throws(IOError) -> Bool {
        if uninterrupted({ flock(number, LOCK_EX | LOCK_NB) }) == 0 { return true }
        guard platform_errno() == EWOULDBLOCK else { throw .open(name, platform_errno()) }
        return false
    }

    /// Gives the lock back.
    package func unlock() { flock(number, LOCK_UN) }

    /// Holds one of 2^61 places far behind the end, which stands for a number, with all who hold the same one;
    /// false while somebody holds another. Given back when the file is closed. True where the system has no
    /// such locks.
    /// - Throws: `open` where it cannot be locked.
    package func holdPlace(_ number: UInt64) throws(IOError) -> Bool {
        switch platform_hold_place(self.number, Int64(number & (1 << 61 - 1))) {
        case 1: return true
        case 0: return false
        default: throw .open(name, platform_errno())
        }
    }

    /// Lets a pipe hold no more than a page, where the system can: what is in it when its reader goes
    /// away is lost. Does nothing for what is no pipe.
    package func narrowPipe() { platform_resize_pipe(number, 4096) }

    /// Lets a pipe hold a megabyte, where the system can: its writer goes on while this process works on
    /// what has come, so that more of it can be handled at once. Does nothing for what is no pipe.
    package func widenPipe() { platform_resize_pipe(number, 1 << 20) }

    /// Bytes in a pipe that nobody has read; 0 for anything else, and where the system does not say.
    package var unreadBytes: Int { Int(platform_unread_in_pipe(number)) }

    /// Brings what was written to the disk. Does nothing for what is not a file.
    /// - Throws: `write`.
    package func synchronise() throws(IOError) {
        guard uninterrupted({ fsync(number) }) != 0 else { return }
        switch platform_errno() {
        case EINVAL, EROFS, ENOTSUP: return
        case let code: throw .write(name, code)
        }
    }

    /// Waits until a read or write would not, or so long; without a limit by default. What poll(2)
    /// gives.
    @discardableResult
    private func wait(for events: Int32, milliseconds: Int32 = -1) -> Int32 {
        var question = pollfd(fd: number, events: Int16(events), revents: 0)
        return unsafe poll(&question, 1, milliseconds)
    }
}

/// Files by their names.
extension File {
    /// Bytes read of a file of a few lines, at most.
    package static let shortLength = 4096

    /// The first bytes of a regular file, not through a symbolic link; nil where it cannot be read.
    package static func contents(of path: String) -> [UInt8]? {
        guard let file = try? File(reading: path, isOnlyFile: true), file.regularSize != nil else {
            return nil
        }
        return try? file.beginning(shortLength)
    }

    /// The contents of a file of a few lines without the white space around them; nil where it cannot
    /// be read.
    package static func text(of path: String) -> String? {
        guard let bytes = contents(of: path) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        let kept = text.drop { $0.isWhitespace }
        guard let last = kept.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(kept[...last])
    }

    /// True when something has this name, be it a symbolic link to nothing.
    package static func exists(_ path: String) -> Bool { Facts(notFollowing: path) != nil }

    /// True for a regular file that holds something; false for a symbolic link to one.
    package static func holdsSomething(_ path: String) -> Bool {
        guard let facts = Facts(notFollowing: path) else { return false }
        return facts.isRegular && facts.size > 0
    }

    /// Removes a name, and the file when that was its last.
    /// - Throws: `write`.
    package static func remove(_ path: String) throws(IOError) {
        guard unsafe unlink(path) == 0 else { throw .write(path, platform_errno()) }
    }

    /// Puts a file in the place of another, in one step.
    /// - Throws: `create`.
    package static func replace(_ path: String, with draft: String) throws(IOError) {
        guard unsafe rename(draft, path) == 0 else { throw .create(path, platform_errno()) }
    }

    /// Makes a finished file appear under a name that must not be another's, as its only one: no moment is
    /// left in which it has two.
    /// - Throws: `create`.
    package static func publish(_ draft: String, as path: String) throws(IOError) {
        if unsafe platform_rename_new(draft, path) == 0 { return }
        guard [ENOSYS, EINVAL].contains(platform_errno()) else {
            throw .create(path, platform_errno())
        }
        // Where a rename always replaces, what it replaces is a file that was not there before.
        let empty = unsafe platform_open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard empty >= 0 else { throw .create(path, platform_errno()) }
        close(empty)
        guard unsafe rename(draft, path) == 0 else {
            let code = platform_errno()
            _ = unsafe unlink(path)
            throw .create(path, code)
        }
    }

    /// Whether files beside this one can be mapped into memory, and are then what all processes see.
    package static func canBeMapped(beside path: String) -> Bool {
        unsafe platform_maps_files(path) != 0
    }

    /// What tells a file from one put in its place: its birth time, or its inode where the file system
    /// keeps no birth time.
    /// - Throws: `unreadable`.
    package static func identity(of path: String) throws(PathFault) -> String {
        var birth: (seconds: Int64, nanoseconds: Int64) = (0, 0)
        if unsafe platform_birth_time(path, &birth.seconds, &birth.nanoseconds) == 0 {
            return "birth \(birth.seconds).\(birth.nanoseconds)"
        }
        guard let facts = Facts(of: path) else { throw .unreadable(path, platform_errno()) }
        return "inode \(facts.inode)"
    }
}
