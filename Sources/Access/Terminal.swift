internal import Keyring
internal import LineIO
package import Primitives

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Questions to the person at the terminal: on /dev/tty, since stdin is data.
///
/// The tools of one pipeline take turns: whoever asks holds a lock on the terminal.
@safe
package struct Terminal: ~Copyable {
    private let file: Int32
    private let turn: Int32

    /// Opens the terminal, or gives nil where there is none.
    package init?() {
        let opened = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard opened >= 0 else { return nil }
        file = opened
        turn = Self.turnFile()
    }

    deinit {
        close(file)
        if turn >= 0 { close(turn) }
    }

    /// Asks for something secret; nothing is echoed. The terminal is as before when this returns, or
    /// when the process is ended by a signal that can be caught.
    ///
    /// - Throws: `noAnswer` when the terminal goes away or the answer is cancelled.
    package borrowing func askSecret(_ prompt: String) throws -> SecretBytes {
        takeTurn()
        defer { endTurn() }
        let quiet = try Quiet(file)
        write(prompt)
        defer { write("\n") }
        return try quiet.readLine()
    }

    /// Asks a question whose answer may be seen; the line without its end.
    package borrowing func ask(_ prompt: String) throws(AccessError) -> String {
        takeTurn()
        defer { endTurn() }
        write(prompt)
        var line: [UInt8] = []
        while true {
            var byte: UInt8 = 0
            guard uninterrupted({ unsafe read(file, &byte, 1) }) == 1 else { throw .noAnswer }
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
    }

    private borrowing func write(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            var rest = UnsafeRawBufferPointer(utf8)
            while unsafe !rest.isEmpty {
                let count = uninterrupted { unsafe systemWrite(file, rest) }
                // A terminal that went away: the answer tells.
                guard count > 0 else { return }
                unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }

    private borrowing func takeTurn() {
        if turn >= 0 { _ = uninterrupted { flock(turn, LOCK_EX) } }
    }

    private borrowing func endTurn() {
        if turn >= 0 { flock(turn, LOCK_UN) }
    }

    /// The terminal under its own name, to be locked: /dev/tty is one file for all terminals.
    private static func turnFile() -> Int32 {
        for standard in [Int32(2), 0, 1] {
            guard let name = unsafe ttyname(standard) else { continue }
            return unsafe open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        }
        return pseudoTerminal().map { unsafe open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY) } ?? -1
    }

    #if os(Linux)
        /// The name of the controlling terminal, where it is a pseudo-terminal: field 7 of
        /// proc_pid_stat(5) is its device, of which majors 136 to 143 are pseudo-terminals.
        private static func pseudoTerminal() -> String? {
            guard let stat = SmallFile.text("/proc/self/stat"), let end = stat.lastIndex(of: ")")
            else { return nil }
            let fields = stat[stat.index(after: end)...].split(separator: " ")
            guard fields.count > 4, let device = Int(fields[4]) else { return nil }
            let (major, minor) = (device >> 8 & 0xFFF, device & 0xFF | device >> 12 & 0xFFF00)
            return (136...143).contains(major) ? "/dev/pts/\((major - 136) << 8 | minor)" : nil
        }
    #else
        private static func pseudoTerminal() -> String? { nil }
    #endif
}

/// A terminal that echoes nothing and hands over every key, until this goes.
@safe
private struct Quiet: ~Copyable {
    private let file: Int32
    private var before = termios()
    private var mask = sigset_t()

    /// Bytes in an answer at most.
    private static let longest = 1024

    init(_ file: Int32) throws(AccessError) {
        self.file = file
        var now = termios()
        guard unsafe tcgetattr(file, &now) == 0 else { throw .noAnswer }
        before = now
        // Signals wait, so that none ends the process while the terminal is quiet; keys that would
        // send one arrive as characters.
        var held = sigset_t()
        unsafe sigemptyset(&held)
        for signal in Self.signals { unsafe sigaddset(&held, signal) }
        unsafe pthread_sigmask(SIG_BLOCK, &held, &mask)
        now.c_lflag &= ~tcflag_t(ECHO | ECHOE | ECHOK | ECHONL | ICANON | ISIG)
        unsafe tcsetattr(file, TCSAFLUSH, &now)
    }

    deinit {
        var state = before
        _ = uninterrupted { unsafe tcsetattr(file, TCSAFLUSH, &state) }
        var mask = mask
        unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
    }

    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
}

extension Quiet {
    /// Reads up to the end of the line; backspace and ^U work, ^C and ^\ send their signals.
    borrowing func readLine() throws -> SecretBytes {
        var line = SecretBytes(count: Self.longest)
        var count = 0
        while true {
            guard let byte = try next() else { continue }
            switch byte {
            case 0x0A, 0x0D:
                return line.withSpan { SecretBytes(copying: $0.extracting(..<count)) }
            case 0x03: throw Interrupted(signal: SIGINT)
            case 0x1C: throw Interrupted(signal: SIGQUIT)
            case 0x04 where count == 0: throw AccessError.noAnswer
            case 0x08, 0x7F:
                // A character of UTF-8 goes as a whole.
                while count > 0 {
                    count -= 1
                    let place = count
                    if line.withSpan({ $0[place] & 0xC0 != 0x80 }) { break }
                }
            case 0x15: count = 0
            case _ where byte >= 0x20 && count < Self.longest:
                let place = count
                line.withMutableSpan { $0[place] = byte }
                count += 1
            default: break
            }
        }
    }

    /// The next byte; nil when there was none for a moment.
    private borrowing func next() throws -> UInt8? {
        var pending = sigset_t()
        unsafe sigpending(&pending)
        for signal in Self.signals where unsafe sigismember(&pending, signal) == 1 {
            throw Interrupted(signal: signal)
        }
        var question = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&question, 1, 100) > 0 else { return nil }
        var byte: UInt8 = 0
        let count = unsafe read(file, &byte, 1)
        if count < 0, errno == EINTR { return nil }
        guard count == 1 else { throw AccessError.noAnswer }
        return byte
    }
}

private func systemWrite(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    unsafe write(file, bytes.baseAddress, bytes.count)
}
