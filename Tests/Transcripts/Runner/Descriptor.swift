import Foundation

/// A file descriptor with one owner, closed when that goes, and not inherited by a new process.
///
/// Between the making of a descriptor and its mark no process may be started: see ``Shell``.
struct Descriptor: ~Copyable {
    let number: Int32

    init(_ number: Int32) {
        self.number = number
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    }

    deinit { close(number) }

    /// Appends what is there to `output`; false at the end.
    func read(into output: inout [UInt8]) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = unsafe Foundation.read(number, &buffer, buffer.count)
        if count > 0 { output += buffer[..<count] }
        // A terminal whose other side is closed ends in EIO.
        return count > 0 || count < 0 && errno == EINTR
    }

    func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let written = unsafe bytes.withUnsafeBytes {
                unsafe Foundation.write(number, $0.baseAddress, $0.count)
            }
            // A reader that is gone shows in its status.
            guard written > 0 || errno == EINTR else { return }
            bytes = bytes.dropFirst(max(written, 0))
        }
    }
}

/// A pipe's two ends.
struct PipeEnds: ~Copyable {
    let reader: Descriptor
    let writer: Descriptor

    init() throws {
        var numbers: [Int32] = [-1, -1]
        guard unsafe pipe(&numbers) == 0 else { throw SystemError("pipe") }
        reader = Descriptor(numbers[0])
        writer = Descriptor(numbers[1])
    }

    /// The end that is still needed once a process has the other.
    consuming func keepingReader() -> Descriptor { reader }
    consuming func keepingWriter() -> Descriptor { writer }
}

/// Waits until one of two descriptors can be read, or has ended; false for both after `deadline`.
/// -1 stands for none.
func waitForInput(
    _ first: Int32, _ second: Int32, until deadline: ContinuousClock.Instant
) -> (first: Bool, second: Bool) {
    var polled = [first, second].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while true {
        let left = ContinuousClock.now.duration(to: deadline).components
        let milliseconds = left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000 + 1
        if unsafe poll(&polled, 2, Int32(max(0, milliseconds))) >= 0 || errno != EINTR { break }
    }
    return (polled[0].revents != 0, polled[1].revents != 0)
}

struct SystemError: Error, CustomStringConvertible {
    let description: String

    init(_ call: String) {
        description = unsafe "\(call): " + String(cString: strerror(errno))
    }
}
