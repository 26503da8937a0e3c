internal import CPlatform
internal import CProcess
internal import Foundation

/// A running tool. The test writes to its stdin, and its stdout and stderr are collected.
package final class ToolRun {
    package let process: Int32
    private var input: Descriptor?
    private let inputNumber: Int32
    private var output: Descriptor?
    private let outputNumber: Int32
    private let errors: Descriptor
    package private(set) var gathered: (output: [UInt8], errors: [UInt8]) = ([], [])
    private var isOpen = (input: true, output: true, errors: true)
    private var status: Int32?
    private var highest: Int?

    /// Maximum time to wait for the tool. This limit only prevents tests from hanging.
    private static let patience = Duration.seconds(120)
    private var deadline = ContinuousClock.now + patience

    /// Starts a tool.
    ///
    /// - Parameters:
    ///   - words: the path of the program, followed by its arguments.
    ///   - folder: the working directory.
    ///   - file: a file for stdout. If it is given, stdout is not collected.
    package init(
        _ words: [String], in folder: String, environment: [String: String],
        into file: String? = nil
    ) throws {
        _ = signal(SIGPIPE, SIG_IGN)
        let inputs = try PipeEnds()
        let outputs = try PipeEnds()
        let errors = try PipeEnds()
        let target = try Descriptor(opening: file ?? "/dev/null", writing: true)
        process = try spawn(
            words, environment: environment, in: folder,
            descriptors: [
                (inputs.reader.number, 0),
                (file == nil ? outputs.writer.number : target.number, 1),
                (errors.writer.number, 2),
            ])
        inputNumber = inputs.writer.number
        outputNumber = outputs.reader.number
        input = inputs.keepingWriter()
        output = outputs.keepingReader()
        self.errors = errors.keepingReader()
        _ = fcntl(inputNumber, F_SETFL, O_NONBLOCK)
        isOpen.output = file == nil
    }

    deinit {
        if status == nil { kill() }
        _ = wait()
    }

    /// Writes to the tool's stdin. Returns false if the tool no longer reads from it.
    @discardableResult
    package func write(_ bytes: [UInt8]) -> Bool {
        deadline = .now + Self.patience
        var written = 0
        while written < bytes.count {
            guard isOpen.input, step(wantsInput: true) else { return false }
            let count = unsafe bytes.withUnsafeBytes {
                unsafe Foundation.write(
                    inputNumber, $0.baseAddress.map { unsafe $0 + written }, bytes.count - written)
            }
            if count > 0 {
                written += count
            } else if errno != EAGAIN, errno != EINTR {
                return false
            }
        }
        return true
    }

    package func closeInput() {
        isOpen.input = false
        input = nil
    }

    /// Stops reading stdout, like `head`.
    package func closeOutput() {
        isOpen.output = false
        output = nil
    }

    /// Number of bytes that the tool has written to stdout and that have not been collected yet.
    package var unreadOutput: Int { unread(outputNumber) }

    private func unread(_ pipe: Int32) -> Int {
        var count: Int32 = 0
        return unsafe process_unread(pipe, &count) == 0 ? Int(count) : 0
    }

    /// Returns the peak resident memory of the tool so far in bytes (proc_pid_status(5)), or nil if the
    /// system does not report it.
    package func peakMemory() -> Int? {
        notePeakMemory()
        return highest
    }

    private func notePeakMemory() {
        guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
            let kibibytes = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { return }
        highest = max(highest ?? 0, kibibytes << 10)
    }

    /// Shrinks the pipe of stdout to one page, if the system supports that.
    package func narrowOutput() { platform_resize_pipe(outputNumber, 4096) }

    /// Sends SIGKILL to the tool.
    package func kill() { _ = Foundation.kill(process, SIGKILL) }

    /// Reads until the condition is true. Returns false if the tool's output ends first.
    package func wait(until condition: (ToolRun) -> Bool) -> Bool {
        deadline = .now + Self.patience
        while !condition(self) {
            guard isOpen.output || isOpen.errors, step(wantsInput: false) else { return false }
        }
        return true
    }

    /// Closes stdin and waits for the tool to end.
    package func finish() -> ToolResult {
        deadline = .now + Self.patience
        while isOpen.input, unread(inputNumber) > 0, !hasEnded, ContinuousClock.now < deadline {
            _ = step(wantsInput: false, milliseconds: 1)
        }
        // Read the peak memory now, because the system does not report it after the process has ended.
        notePeakMemory()
        closeInput()
        while isOpen.output || isOpen.errors, step(wantsInput: false) {}
        // A tool that hangs is killed, which is visible in its status.
        if ContinuousClock.now > deadline { kill() }
        return ToolResult(
            status: wait(), output: gathered.output, errors: gathered.errors, peakMemory: highest)
    }

    /// Does the same as `finish` for a tool with little output, but lets other tests run in the meantime.
    package func patientFinish() async throws -> ToolResult {
        closeInput()
        // Count turns instead of time, because this test may have to wait long for its turn.
        for _ in 0..<6000 where !hasEnded { try await Task.sleep(for: .milliseconds(20)) }
        return finish()
    }

    private var hasEnded: Bool {
        var facts = unsafe siginfo_t()
        let flags = WEXITED | WNOHANG | WNOWAIT
        return unsafe waitid(P_PID, id_t(process), &facts, flags) == 0 && facts.si_signo != 0
    }

    /// Collects output. Returns when stdin accepts input (if `wantsInput` is true), or after
    /// `milliseconds` without any event.
    private func step(wantsInput: Bool, milliseconds: Int32? = nil) -> Bool {
        var polled = [
            pollfd(fd: wantsInput ? inputNumber : -1, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: isOpen.output ? outputNumber : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: isOpen.errors ? errors.number : -1, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            guard ContinuousClock.now < deadline else { return false }
            let ready = unsafe poll(&polled, 3, milliseconds ?? 1000)
            if ready == 0, milliseconds != nil { return true }
            guard ready != 0, ready > 0 || errno == EINTR else { continue }
            if polled[1].revents != 0 {
                isOpen.output = output?.read(into: &gathered.output) ?? false
            }
            if polled[2].revents != 0 { isOpen.errors = errors.read(into: &gathered.errors) }
            if !wantsInput || polled[0].revents != 0 { return true }
            polled[1].fd = isOpen.output ? outputNumber : -1
            polled[2].fd = isOpen.errors ? errors.number : -1
        }
    }

    private func wait() -> Int32 {
        if let status { return status }
        let ending = exitStatus(of: process)
        status = ending
        return ending
    }
}
