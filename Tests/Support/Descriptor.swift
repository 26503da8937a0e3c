internal import CProcess
internal import Foundation

/// A file descriptor with one owner. It is closed when its owner is destroyed, and is not inherited by
/// child processes.
package struct Descriptor: ~Copyable {
    package let number: Int32

    package init(_ number: Int32) {
        self.number = number
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    }

    /// Opens a file. A file that is opened for writing is created or truncated.
    package init(opening path: String, writing: Bool) throws {
        let flags = writing ? O_WRONLY | O_CREAT | O_TRUNC : O_RDONLY
        let opened = unsafe open(path, flags | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw SystemError(path) }
        self.init(opened)
    }

    deinit { Foundation.close(number) }

    package consuming func close() {}

    /// Appends the available bytes to `output`. Returns false at the end of the file.
    package func read(into output: inout [UInt8]) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = unsafe Foundation.read(number, &buffer, buffer.count)
        if count > 0 { output += buffer[..<count] }
        // Reading from a terminal whose other side is closed fails with EIO.
        return count > 0 || count < 0 && errno == EINTR
    }

    package func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let written = unsafe bytes.withUnsafeBytes {
                unsafe Foundation.write(number, $0.baseAddress, $0.count)
            }
            // Ignore errors. If the reader has exited, the test notices its exit status.
            guard written > 0 || errno == EINTR else { return }
            bytes = bytes.dropFirst(max(written, 0))
        }
    }
}

/// The two ends of a pipe.
package struct PipeEnds: ~Copyable {
    package let reader: Descriptor
    package let writer: Descriptor

    package init() throws {
        var numbers: [Int32] = [-1, -1]
        processStartLock.lock()
        defer { processStartLock.unlock() }
        guard unsafe process_pipe(&numbers) == 0 else { throw SystemError("pipe") }
        reader = Descriptor(numbers[0])
        writer = Descriptor(numbers[1])
    }

    /// Returns one end and closes the other end, which a child process has inherited.
    package consuming func keepingReader() -> Descriptor { reader }
    package consuming func keepingWriter() -> Descriptor { writer }
}

/// Waits until one of two descriptors is readable or at its end, but at most until `deadline`. Returns whether
/// each of them is. Returns false for both after `deadline`. A descriptor of -1 is ignored.
package func waitForInput(
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

package struct SystemError: Error, CustomStringConvertible {
    package let description: String

    package init(_ call: String) {
        description = unsafe "\(call): " + String(cString: strerror(errno))
    }
}
