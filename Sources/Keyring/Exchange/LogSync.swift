internal import System

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Brings a file to the disk on a thread of its own, while the caller does something else.
///
/// It opens a database's log beside SQLite, which keeps no lock on that file that closing it would undo.
@safe
final class LogSync {
    private let file: Int32
    /// The thread reads a byte from one pipe for each time, and writes the errno to the other.
    private var (requests, results) = (Pipe(), Pipe())
    private var thread: SystemThread?
    private var isUnderWay = false
    private var failure: KeyringError?

    /// - Throws: `storage` where the file cannot be opened or the system gives no thread.
    init(_ path: String) throws(KeyringError) {
        file = unsafe open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0, requests.open(), results.open() else { throw Self.failure(errno) }
        let (file, requests, results) = (file, requests.end, results.start)
        thread = SystemThread { Self.serve(file, requests, results) }
        if thread == nil { throw Self.failure(EAGAIN) }
    }

    deinit {
        requests.closeStart()
        thread?.join()
        requests.closeEnd()
        results.closeStart()
        results.closeEnd()
        if file >= 0 { close(file) }
    }

    /// Begins to bring everything written so far to the disk; `finish` waits for it.
    func begin() {
        var request: UInt8 = 0
        isUnderWay = true
        if unsafe write(requests.start, &request, 1) != 1 { failure = Self.failure(errno) }
        // Where there is but one core the thread gets its turn now, not when the caller waits.
        sched_yield()
    }

    /// Waits for what was begun.
    /// - Throws: `full`, `storage`.
    func finish() throws(KeyringError) {
        guard isUnderWay else { return }
        isUnderWay = false
        if let failure { throw failure }
        var result: Int32 = 0
        let size = MemoryLayout<Int32>.size
        while unsafe read(results.end, &result, size) != size {
            guard errno == EINTR else { throw Self.failure(errno) }
        }
        if result != 0 { throw Self.failure(result) }
    }

    private static func failure(_ code: Int32) -> KeyringError {
        code == ENOSPC || code == EDQUOT
            ? .full : .storage(code, unsafe String(cString: strerror(code)))
    }

    /// What the thread does.
    private static func serve(_ file: Int32, _ requests: Int32, _ results: Int32) {
        var signals = sigset_t()
        unsafe sigfillset(&signals)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        var request: UInt8 = 0
        while unsafe read(requests, &request, 1) == 1 {
            #if os(Linux)
                let isDone = fdatasync(file) == 0
            #else
                let isDone = fsync(file) == 0
            #endif
            var result = isDone ? 0 : errno
            _ = unsafe write(results, &result, MemoryLayout<Int32>.size)
        }
    }

    /// A pipe, from `start` to `end`.
    private struct Pipe {
        private(set) var start: Int32 = -1
        private(set) var end: Int32 = -1

        mutating func open() -> Bool {
            var ends: [Int32] = [-1, -1]
            guard unsafe pipe(&ends) == 0 else { return false }
            (end, start) = (ends[0], ends[1])
            return true
        }

        mutating func closeStart() {
            if start >= 0 { close(start) }
            start = -1
        }

        mutating func closeEnd() {
            if end >= 0 { close(end) }
            end = -1
        }
    }
}
