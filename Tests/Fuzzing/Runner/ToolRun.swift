import CProcess
import Foundation

/// The executables: those in the folder that SMSENC_TOOLS names, else those built beside the tests.
enum Tools {
    static let filters = ["gsm7-check", "smsenc-frame", "smsenc-pad"]

    static var folder: URL {
        if let folder = ProcessInfo.processInfo.environment["SMSENC_TOOLS"] {
            return URL(fileURLWithPath: folder)
        }
        #if canImport(Darwin)
            let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
            return (bundle ?? .main).bundleURL.deletingLastPathComponent()
        #else
            return Bundle.main.bundleURL
        #endif
    }

    /// The statuses that the manual knows.
    static let statuses: Set<Int32> = [0, 1, 64, 65, 66, 73, 74, 75, 77]
}

/// What a tool did.
struct ToolResult {
    /// The exit status, or 128 and the signal that ended it.
    let status: Int32
    let output: [UInt8]
    let errors: [UInt8]

    var outputText: String { String(decoding: output, as: UTF8.self) }
    var errorText: String { String(decoding: errors, as: UTF8.self) }
    /// The lines on stderr.
    var complaints: [ArraySlice<UInt8>] { errors.split(separator: UInt8(ascii: "\n")) }
}

/// A running tool: the test writes to its stdin; stdout and stderr are gathered.
final class ToolRun {
    let process: pid_t
    private var input: Int32
    private let output: Int32
    private let errors: Int32
    private(set) var gathered: (output: [UInt8], errors: [UInt8]) = ([], [])
    private var isOpen = (output: true, errors: true)
    private var status: Int32?

    /// A guard against hanging, not a measure.
    private static let patience = Duration.seconds(120)
    private let deadline = ContinuousClock.now + patience

    /// - Parameters:
    ///   - folder: the tool's working directory.
    ///   - discardsOutput: true to send stdout to /dev/null.
    init(
        _ tool: String, _ arguments: [String], in folder: String, environment: [String: String],
        discardsOutput: Bool = false
    ) throws {
        _ = signal(SIGPIPE, SIG_IGN)
        let path = Tools.folder.appendingPathComponent(tool).path
        let (inputs, outputs, errors) = (try Pipe(), try Pipe(), try Pipe())
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, inputs.reader, 0)
        if discardsOutput {
            unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        } else {
            unsafe posix_spawn_file_actions_adddup2(&actions, outputs.writer, 1)
        }
        unsafe posix_spawn_file_actions_adddup2(&actions, errors.writer, 2)
        _ = unsafe process_start_alone(&actions, folder)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        // A session of its own: there is no terminal to ask on.
        let flags = Int(POSIX_SPAWN_SETSIGDEF) | Int(POSIX_SPAWN_SETSIGMASK) | newSession
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        var process: pid_t = 0
        let failure = unsafe withCStrings([path] + arguments) { words in
            unsafe withCStrings(environment.map { "\($0)=\($1)" }) { variables in
                unsafe posix_spawn(&process, path, &actions, &attributes, words, variables)
            }
        }
        guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EINVAL) }
        self.process = process
        input = inputs.keep(inputs.writer)
        output = outputs.keep(outputs.reader)
        self.errors = errors.keep(errors.reader)
        _ = fcntl(input, F_SETFL, O_NONBLOCK)
        isOpen.output = !discardsOutput
    }

    deinit {
        if status == nil {
            kill(process, SIGKILL)
            _ = wait()
        }
        if input >= 0 { close(input) }
        close(output)
        close(errors)
    }

    /// Writes to the tool's stdin; false when the tool no longer reads.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
        var written = 0
        while written < bytes.count {
            guard input >= 0, step(wantsInput: true) else { return false }
            let count = unsafe bytes.withUnsafeBytes {
                unsafe Foundation.write(
                    input, $0.baseAddress.map { unsafe $0 + written }, bytes.count - written)
            }
            if count > 0 {
                written += count
            } else if errno != EAGAIN, errno != EINTR {
                return false
            }
        }
        return true
    }

    func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    /// Reads until the condition holds; false at the end of the tool's output.
    func wait(until condition: (ToolRun) -> Bool) -> Bool {
        while !condition(self) {
            guard isOpen.output || isOpen.errors, step(wantsInput: false) else { return false }
        }
        return true
    }

    /// Ends the input and waits for the tool.
    func finish() -> ToolResult {
        closeInput()
        while isOpen.output || isOpen.errors, step(wantsInput: false) {}
        // A tool that hangs is killed, and its status says so.
        if ContinuousClock.now > deadline { kill(process, SIGKILL) }
        return ToolResult(status: wait(), output: gathered.output, errors: gathered.errors)
    }

    /// Takes what the tool has written. With `wantsInput` it returns when stdin takes more.
    private func step(wantsInput: Bool) -> Bool {
        var polled = [
            pollfd(fd: wantsInput ? input : -1, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: isOpen.output ? output : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: isOpen.errors ? errors : -1, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            guard ContinuousClock.now < deadline else { return false }
            let ready = unsafe poll(&polled, 3, 1000)
            guard ready != 0, ready > 0 || errno == EINTR else { continue }
            if polled[1].revents != 0 { isOpen.output = read(output, into: &gathered.output) }
            if polled[2].revents != 0 { isOpen.errors = read(errors, into: &gathered.errors) }
            if !wantsInput || polled[0].revents != 0 { return true }
            polled[1].fd = isOpen.output ? output : -1
            polled[2].fd = isOpen.errors ? errors : -1
        }
    }

    private func read(_ file: Int32, into bytes: inout [UInt8]) -> Bool {
        var block = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe Foundation.read(file, &block, block.count)
        if count > 0 { bytes += block[..<count] }
        return count > 0 || count < 0 && errno == EINTR
    }

    private func wait() -> Int32 {
        if let status { return status }
        var raw: Int32 = 0
        while unsafe waitpid(process, &raw, 0) < 0, errno == EINTR {}
        let ending = raw & 0x7F == 0 ? raw >> 8 & 0xFF : 128 + (raw & 0x7F)
        status = ending
        return ending
    }
}

/// A pipe whose ends are closed with it, and no other process inherits.
private final class Pipe {
    let reader: Int32
    let writer: Int32
    private var kept: Int32?

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard unsafe process_pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
        (reader, writer) = (ends[0], ends[1])
    }

    /// Leaves one end open when this goes.
    func keep(_ end: Int32) -> Int32 {
        kept = end
        return end
    }

    deinit {
        for end in [reader, writer] where end != kept { close(end) }
    }
}

#if canImport(Glibc)
    /// POSIX_SPAWN_SETSID of <spawn.h>, which Swift's Glibc module lacks.
    private let newSession = 0x80
#else
    private let newSession = Int(POSIX_SPAWN_SETSID)
#endif

private func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let copies = unsafe strings.map { unsafe strdup($0) } + [nil]
    defer { unsafe copies.forEach { unsafe free($0) } }
    return unsafe body(copies)
}
