internal import CPlatform

/// The terminal of this process, whatever its standard files are.
///
/// The processes of one pipeline take turns at it: whoever asks holds a lock.
@safe
@usableFromInline
package struct Terminal: ~Copyable {
    private let file: File
    /// The terminal under its own name, to be locked: /dev/tty is one file for all terminals. -1, which
    /// nothing can be done with, where it has none.
    private let lock: Int32

    /// Opens the terminal, or gives nil where there is none.
    package init?() {
        guard let file = try? File(terminal: "/dev/tty") else { return nil }
        self.file = file
        lock = Self.name().map { unsafe platform_open($0, O_RDONLY | O_NOCTTY, 0) } ?? -1
    }

    @inlinable deinit { end() }

    @usableFromInline
    func end() { close(lock) }

    /// Waits until no other process asks; does not wait where the terminal has no name.
    package borrowing func takeTurn() { _ = uninterrupted { flock(lock, LOCK_EX) } }

    package borrowing func endTurn() { flock(lock, LOCK_UN) }

    /// Shows a text. What the terminal does not take cannot be shown elsewhere.
    package borrowing func write(_ text: String) { try? file.writeAll(text.utf8.span) }

    /// The next byte that was typed; nil when the terminal goes away.
    package borrowing func readByte() -> UInt8? {
        var byte: UInt8 = 0
        return unsafe withUnsafeMutableBytes(of: &byte) { try? unsafe file.read(into: $0) } == 1
            ? byte : nil
    }

    /// The terminal without echo; nil when it goes away.
    package borrowing func quiet() -> QuietTerminal? { QuietTerminal(file.number) }

    /// The terminal's name, where a standard file is a terminal or it is a pseudo-terminal.
    private static func name() -> String? {
        for standard in [Int32(2), 0, 1] {
            if let name = unsafe ttyname(standard) { return unsafe String(cString: name) }
        }
        return pseudoTerminal()
    }

    /// The name of the controlling terminal, where it is a pseudo-terminal: field 7 of
    /// proc_pid_stat(5) is its device, of which majors 136 to 143 are pseudo-terminals.
    private static func pseudoTerminal() -> String? {
        guard let status = processStatus("self"), status.count > 4, let device = Int(status[4])
        else { return nil }
        let (major, minor) = (device >> 8 & 0xFFF, device & 0xFF | device >> 12 & 0xFFF00)
        return (136...143).contains(major) ? "/dev/pts/\((major - 136) << 8 | minor)" : nil
    }
}

/// A terminal that echoes nothing and hands over every key, until this goes. It must not outlive the
/// device.
///
/// Signals wait until then, so that none ends the process while the terminal is quiet; keys that would
/// send one arrive as characters.
@safe
@usableFromInline
package struct QuietTerminal: ~Copyable {
    /// What came.
    package enum Key {
        case byte(UInt8)
        /// A signal that waits.
        case signal(Int32)
        /// Nothing for a tenth of a second.
        case none
        /// The terminal went away.
        case gone
    }

    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    private let file: Int32
    private let stateBefore: termios
    private let signalsBefore: sigset_t

    fileprivate init?(_ file: Int32) {
        var state = termios()
        guard unsafe tcgetattr(file, &state) == 0 else { return nil }
        self.file = file
        stateBefore = state
        var (held, before) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&held)
        for signal in Self.signals { unsafe sigaddset(&held, signal) }
        unsafe pthread_sigmask(SIG_BLOCK, &held, &before)
        signalsBefore = before
        state.c_lflag &= ~tcflag_t(ECHO | ECHOE | ECHOK | ECHONL | ICANON | ISIG)
        unsafe tcsetattr(file, TCSAFLUSH, &state)
    }

    @inlinable deinit { end() }

    @usableFromInline
    func end() {
        var (state, signals) = (stateBefore, signalsBefore)
        _ = uninterrupted { unsafe tcsetattr(file, TCSAFLUSH, &state) }
        unsafe pthread_sigmask(SIG_SETMASK, &signals, nil)
    }

    /// Waits a moment for a key.
    package borrowing func next() -> Key {
        var pending = sigset_t()
        unsafe sigpending(&pending)
        for signal in Self.signals where unsafe sigismember(&pending, signal) == 1 {
            return .signal(signal)
        }
        var question = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&question, 1, 100) > 0 else { return .none }
        var byte: UInt8 = 0
        let count = unsafe read(file, &byte, 1)
        if count < 0, platform_errno() == EINTR { return .none }
        return count == 1 ? .byte(byte) : .gone
    }
}
