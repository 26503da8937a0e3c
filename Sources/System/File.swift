internal import CPlatform

/// An open file. The file is closed when this value is destroyed, unless it is stdin, stdout or stderr.
///
/// New files are created with mode 0600. Programs that are started later do not inherit the descriptors.
@safe
@usableFromInline
package struct File: ~Copyable {
    package let number: Int32
    /// The path as the user entered it. For standard files, the name is `stdin`, `stdout` or `stderr`.
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

    /// Opens a file for reading. If the path is untrusted, this function does not follow a symbolic link,
    /// and does not wait for a process that writes to a FIFO.
    ///
    /// - Parameter isUntrustedPath: true if other users may have replaced the file.
    /// - Throws: `open`.
    package init(reading path: String, isUntrustedPath: Bool = false) throws(IOError) {
        let flags = isUntrustedPath ? O_RDONLY | O_NOFOLLOW | O_NONBLOCK : O_RDONLY
        try self.init(path, flags, else: IOError.open)
    }

    /// Creates a file for writing. The file must not exist yet.
    ///
    /// - Parameter name: the name to report in errors, or nil to report the path.
    /// - Throws: `create`.
    package init(creating path: String, for name: String? = nil) throws(IOError) {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
        let number = unsafe platform_open(path, flags, 0o600)
        guard number >= 0 else { throw .create(name ?? path, platform_errno()) }
        self.init(number: number, name: name ?? path)
    }

    /// Opens a folder. The only method that works on an open folder is `synchronise`.
    ///
    /// - Throws: `open`.
    init(folder path: String) throws(IOError) {
        try self.init(path, O_RDONLY | O_DIRECTORY, else: IOError.open)
    }

    /// Opens the file to which rejected records or statuses are written. The path can name a new file, an
    /// existing pipe or an existing character device. The path `/dev/fd/N` names the open descriptor N.
    ///
    /// - Throws: `create`.
    package init(rejects path: String) throws(IOError) {
        let prefix = "/dev/fd/"
        if path.hasPrefix(prefix), let named = Int32(path.dropFirst(prefix.count)) {
            let number = platform_duplicate(named)
            guard number >= 0 else { throw .create(path, platform_errno()) }
            self.init(number: number, name: path)
        } else if FileStatus(of: path)?.isPipeOrDevice == true {
            try self.init(path, O_WRONLY | O_NOCTTY, else: IOError.create)
        } else {
            try self.init(creating: path)
        }
    }

    /// Returns true if output to this file would be mixed with output to another descriptor, because both
    /// refer to the same file, pipe or terminal. Always returns false for devices that are not terminals,
    /// such as /dev/null.
    package func isShared(with other: Int32) -> Bool {
        guard let own = FileStatus(of: number), let facts = FileStatus(of: other),
            own.isSameFile(as: facts)
        else { return false }
        return !own.isDevice || isTerminal
    }

    /// Opens a terminal for reading and writing.
    ///
    /// - Throws: `open`.
    init(terminal path: String) throws(IOError) {
        try self.init(path, O_RDWR | O_NOCTTY, else: IOError.open)
    }

    /// Checks that this input file is not also the tool's standard output, because the tool would then read
    /// its own output.
    ///
    /// - Throws: `sameFile` if this file and standard output are the same regular file, and the read
    ///   position is not at the end of the file.
    package func checkIsNotOutput() throws(IOError) {
        guard let input = FileStatus(of: number), let output = FileStatus(of: 1), input.isRegular,
            input.isSameFile(as: output), lseek(number, 0, SEEK_CUR) < input.size
        else { return }
        throw .sameFile(name)
    }

    /// Opens a file for reading and writing. Symbolic links are not followed, and the function does not wait
    /// for other processes.
    ///
    /// - Parameter createsMissing: true to create the file if it does not exist.
    /// - Throws: `open`.
    package init(updating path: String, createsMissing: Bool) throws(IOError) {
        let flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | (createsMissing ? O_CREAT : 0)
        try self.init(path, flags, else: IOError.open)
    }

    /// Opens a regular file of this user for reading and writing. If the mode of the file does not permit
    /// reading and writing, changes the mode to 0600.
    ///
    /// - Throws: `missing`, `unreadable`, `symbolicLink`, `notRegular`. Throws `exposed` if another user
    ///   owns the file.
    package init(ownedAt path: String) throws(PathFault) {
        let facts = try PathChecks.ownFile(path)
        let flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK
        var number = unsafe platform_open(path, flags, 0)
        // The owner may have removed the write permission. Restore it.
        if number < 0, platform_errno() == EACCES, unsafe chmod(path, 0o600) == 0 {
            number = unsafe platform_open(path, flags, 0)
        }
        guard number >= 0 else { throw .unreadable(path, platform_errno()) }
        // A user who can write to the folder may have replaced the file in the meantime.
        guard let opened = FileStatus(of: number), opened.isSameFile(as: facts) else {
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

    /// The width of the terminal in columns, or nil if it is unknown.
    package var terminalColumns: Int? {
        let columns = Int(platform_terminal_columns(number))
        return columns > 0 ? columns : nil
    }

    /// Size of a regular file in bytes, or nil for other kinds of files.
    package var regularSize: Int64? {
        guard let facts = FileStatus(of: number), facts.isRegular else { return nil }
        return facts.size
    }

    /// True for a regular file that other users can read or write, or that another user owns.
    package var isAccessibleToOthers: Bool {
        guard let facts = FileStatus(of: number), facts.isRegular else { return false }
        return !facts.isOwn || facts.permissions & 0o077 != 0
    }

    /// True for a regular file of this user.
    package var isOwnRegular: Bool {
        guard let facts = FileStatus(of: number) else { return false }
        return facts.isRegular && facts.isOwn
    }

    /// Size in bytes of a regular file of this user with exactly mode 0600, or nil for all other files.
    package var privateSize: Int64? {
        guard let facts = FileStatus(of: number), facts.isRegular, facts.isOwn,
            facts.permissions == 0o600
        else { return nil }
        return facts.size
    }

    /// True if the path with which the file was opened still refers to this file.
    package var isAtItsPath: Bool {
        guard let opened = FileStatus(of: number), let found = FileStatus(notFollowing: name) else {
            return false
        }
        return opened.isSameFile(as: found)
    }

    /// Counts the records after the current position in a regular file. The current position remains
    /// unchanged. Returns nil if the file is not a regular file.
    ///
    /// - Throws: `read`, `folder`.
    package func countRecords(endingIn terminator: UInt8) throws(IOError) -> Int64? {
        guard regularSize != nil else { return nil }
        let start = lseek(number, 0, SEEK_CUR)
        guard start >= 0 else { return nil }
        defer { _ = lseek(number, start, SEEK_SET) }
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
        defer {
            wipe(block)
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

    /// True if a read would return immediately, because input is available or the end of the file has been
    /// reached.
    package var hasWaitingInput: Bool { wait(for: POLLIN, milliseconds: 0) != 0 }

    /// Waits for input, and reads the bytes that are available. Returns the number of bytes, which is 0 at
    /// the end of the file.
    ///
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

    /// Calls write(2) once, and returns the number of bytes written, which is at least one.
    ///
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

    /// Writes all bytes. After an error, some of the bytes may have been written.
    ///
    /// - Throws: `write`, `readerLeft`.
    package func writeAll(_ bytes: Span<UInt8>) throws(IOError) {
        var left = 0
        while left < bytes.count { left += try write(bytes.extracting(left...)) }
    }

    /// Returns up to `limit` bytes from the beginning of a regular file. The current position of the file is
    /// neither used nor changed. Linux returns fewer bytes of a regular file than requested only at its end.
    ///
    /// - Throws: `read`, `folder`.
    package func beginning(_ limit: Int) throws(IOError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = unsafe bytes.withUnsafeMutableBytes { bytes in
            uninterrupted { unsafe pread(number, bytes.baseAddress, bytes.count, 0) }
        }
        if count < 0 {
            throw platform_errno() == EISDIR ? .folder(name) : .read(name, platform_errno())
        }
        bytes.removeLast(limit - count)
        return bytes
    }

    /// Overwrites the bytes at `offset` in a regular file. The current position of the file is neither used
    /// nor changed.
    ///
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
            // If pwrite(2) writes nothing and reports no error, the disk is full.
            guard count > 0 else { throw .write(name, count < 0 ? platform_errno() : ENOSPC) }
            left += count
        }
    }

    /// Truncates the file to zero bytes.
    ///
    /// - Throws: `write`.
    package func truncate() throws(IOError) {
        guard uninterrupted({ ftruncate(number, 0) }) == 0 else {
            throw .write(name, platform_errno())
        }
    }

    /// Acquires an exclusive lock on the file (flock(2)). Returns false if another process holds the
    /// lock.
    ///
    /// - Throws: `open` if the file cannot be locked.
    package func lock() throws(IOError) -> Bool {
        if uninterrupted({ flock(number, LOCK_EX | LOCK_NB) }) == 0 { return true }
        guard platform_errno() == EWOULDBLOCK else { throw .open(name, platform_errno()) }
        return false
    }

    package func unlock() { flock(number, LOCK_UN) }

    /// Acquires a lock. Several processes can hold this lock at the same time only if they all pass the
    /// same number. The lock is held until the file is closed.
    ///
    /// Returns false if another process holds the lock with a different number. If the system does not
    /// support open file description locks, nothing is locked and the function returns true. The lock covers
    /// a single byte far beyond the end of the file. The lower 61 bits of `number` determine the offset of
    /// the locked byte.
    ///
    /// - Throws: `open` if the file cannot be locked.
    package func lockShared(_ number: UInt64) throws(IOError) -> Bool {
        switch platform_lock_shared(self.number, Int64(number & (1 << 61 - 1))) {
        case 1: return true
        case 0: return false
        default: throw .open(name, platform_errno())
        }
    }

    /// Shrinks a pipe to one page if the system permits it. In a small pipe, at most one page of unread bytes
    /// is lost if the reading process exits. Has no effect on files that are not pipes.
    package func shrinkPipe() { platform_resize_pipe(number, 4096) }

    /// Enlarges a pipe to one mebibyte if the system permits it. With a larger pipe, the process that writes
    /// to it can continue while this process is busy. A larger pipe also allows this process to read larger
    /// batches. Has no effect on files that are not pipes.
    package func enlargePipe() { platform_resize_pipe(number, 1 << 20) }

    /// Number of unread bytes in a pipe, or 0 if the file is not a pipe or the system does not report the
    /// number.
    package var unreadBytes: Int { Int(platform_unread_in_pipe(number)) }

    /// Calls fsync(2). Has no effect on files that cannot be synchronised, such as pipes.
    ///
    /// - Throws: `write`.
    package func synchronise() throws(IOError) {
        guard uninterrupted({ fsync(number) }) != 0 else { return }
        switch platform_errno() {
        case EINVAL, EROFS, ENOTSUP: return
        case let code: throw .write(name, code)
        }
    }

    /// Waits until the file is ready for one of the given events, such as POLLIN, or until the timeout
    /// expires. By default, there is no timeout. Returns the result of poll(2).
    @discardableResult
    private func wait(for events: Int32, milliseconds: Int32 = -1) -> Int32 {
        var question = pollfd(fd: number, events: Int16(events), revents: 0)
        return unsafe poll(&question, 1, milliseconds)
    }
}
