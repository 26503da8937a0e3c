internal import CPlatform

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// An open file, closed with its owner unless it is one of the three standard ones.
@safe
package struct Descriptor: ~Copyable {
    package let number: Int32
    /// As the user gave it; `stdin` and `stdout` for the standard ones.
    package let name: String

    package static func standardInput() -> Descriptor { Descriptor(number: 0, name: "stdin") }
    package static func standardOutput() -> Descriptor { Descriptor(number: 1, name: "stdout") }

    package init(number: Int32, name: String) {
        self.number = number
        self.name = name
    }

    /// Opens a file for reading.
    package init(reading path: String) throws(IOError) {
        let opened = uninterrupted { unsafe open(path, O_RDONLY | O_CLOEXEC) }
        guard opened >= 0 else { throw .open(path, errno) }
        self.init(number: opened, name: path)
    }

    /// Makes a new file for its owner alone (0600), for writing. Nothing is ever overwritten.
    package init(creating path: String) throws(IOError) {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let opened = uninterrupted { unsafe open(path, flags, 0o600) }
        guard opened >= 0 else { throw .create(path, errno) }
        self.init(number: opened, name: path)
    }

    deinit {
        if number > 2 { _ = close(number) }
    }

    package var isTerminal: Bool { isatty(number) == 1 }

    /// The size in bytes of a regular file, or nil for anything else.
    package var regularSize: Int? {
        var facts = stat()
        guard unsafe fstat(number, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        return Int(facts.st_size)
    }

    /// Records that wait in a regular file, from where it stands; nil for anything else. The file
    /// stands where it stood.
    package func countRecords(endingIn terminator: UInt8) throws(IOError) -> Int? {
        guard regularSize != nil else { return nil }
        let start = lseek(number, 0, SEEK_CUR)
        guard start >= 0 else { return nil }
        defer { _ = lseek(number, start, SEEK_SET) }
        var block = [UInt8](repeating: 0, count: 65_536)
        var (count, isOpen) = (0, false)
        while true {
            let filled = unsafe block.withUnsafeMutableBytes { space in
                uninterrupted {
                    unsafe systemRead(number, space.baseAddress, space.count)
                }
            }
            if filled < 0 { throw .read(name, errno) }
            if filled == 0 { return count + (isOpen ? 1 : 0) }
            for byte in block[..<filled] where byte == terminator { count += 1 }
            isOpen = block[filled - 1] != terminator
        }
    }

    /// True when a read would not wait: there is input, or the end of it.
    package var hasWaitingInput: Bool {
        var question = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&question, 1, 0) != 0
    }

    /// Reads what there is, at least a byte; 0 at the end.
    package func read(into space: UnsafeMutableRawBufferPointer) throws(IOError) -> Int {
        while true {
            let count = unsafe systemRead(number, space.baseAddress, space.count)
            if count >= 0 { return count }
            switch errno {
            case EINTR: continue
            case EAGAIN: waitUntilReady(for: POLLIN)
            case EISDIR: throw .folder(name)
            default: throw .read(name, errno)
            }
        }
    }

    /// Writes once; the number of bytes that left, at least one.
    package func write(_ bytes: Span<UInt8>) throws(IOError) -> Int {
        while true {
            let count = unsafe bytes.withUnsafeBytes { unsafe systemWrite(number, $0) }
            if count > 0 { return count }
            if count == 0 { throw .write(name, EIO) }
            switch errno {
            case EINTR: continue
            case EAGAIN: waitUntilReady(for: POLLOUT)
            case EPIPE: throw .readerLeft
            default: throw .write(name, errno)
            }
        }
    }

    /// Lets a pipe hold no more than a page, where the system can: what is in it when its reader goes
    /// away is lost. Does nothing for what is no pipe.
    package func narrowPipe() { platform_resize_pipe(number, 4096) }

    /// Lets a pipe hold a megabyte, where the system can: its writer goes on while this process works on
    /// what has come, so that more of it can be handled at once. Does nothing for what is no pipe.
    package func widenPipe() { platform_resize_pipe(number, 1 << 20) }

    /// Bytes in a pipe that nobody has read; 0 for anything else, and where the system does not say.
    var unreadBytes: Int { Int(platform_unread_in_pipe(number)) }

    /// Brings what was written to the disk. Does nothing for what is not a file.
    package func synchronise() throws(IOError) {
        let isDone = uninterrupted { fsync(number) } == 0
        if isDone || errno == EINVAL || errno == EROFS || errno == ENOTSUP { return }
        throw .write(name, errno)
    }

    private func waitUntilReady(for events: Int32) {
        var question = pollfd(fd: number, events: Int16(events), revents: 0)
        _ = unsafe poll(&question, 1, -1)
    }
}

/// Repeats a system call for as long as signals interrupt it.
package func uninterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}

private func systemRead(_ file: Int32, _ space: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    unsafe read(file, space, count)
}

func systemWrite(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    unsafe write(file, bytes.baseAddress, bytes.count)
}
