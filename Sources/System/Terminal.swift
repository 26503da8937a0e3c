internal import CPlatform

/// The controlling terminal of this process. The controlling terminal can be used even if stdin and stdout
/// are redirected.
///
/// While a process asks the user a question, it holds a lock on the terminal. The other processes of a pipeline
/// wait for this lock before they ask their questions.
@safe
@usableFromInline
package struct Terminal: ~Copyable {
    private let file: File
    /// Descriptor of the terminal's own device, which is used for locking. /dev/tty cannot be used for this
    /// purpose, because it is the same file for all terminals. If the terminal's device is unknown, the
    /// descriptor is -1, and locking has no effect.
    private let lock: Int32

    /// Opens the terminal. Returns nil if the process has no controlling terminal.
    package init?() {
        guard let file = try? File(terminal: "/dev/tty") else { return nil }
        self.file = file
        lock = Self.name().map { unsafe platform_open($0, O_RDONLY | O_NOCTTY, 0) } ?? -1
    }

    @inlinable deinit { end() }

    @usableFromInline
    func end() { close(lock) }

    /// Waits until no other process is asking a question. Returns immediately if the terminal's device
    /// is unknown.
    package borrowing func lockForQuestion() { _ = uninterrupted { flock(lock, LOCK_EX) } }

    package borrowing func unlockAfterQuestion() { flock(lock, LOCK_UN) }

    /// Prints a text. Errors are ignored, because they could not be printed anywhere else.
    package borrowing func write(_ text: String) { try? file.writeAll(text.utf8.span) }

    /// Returns the next byte that the user typed, or nil if the terminal is closed.
    package borrowing func readByte() -> UInt8? {
        var byte: UInt8 = 0
        return unsafe withUnsafeMutableBytes(of: &byte) { try? unsafe file.read(into: $0) } == 1
            ? byte : nil
    }

    /// Turns off the echo of the terminal. The echo is turned on again when the result is destroyed.
    /// Returns nil if the terminal is closed.
    package borrowing func quiet() -> NoEchoTerminal? { NoEchoTerminal(file.number) }

    /// Returns the path of the terminal's device, or nil if the path is unknown. The path is unknown if no
    /// standard file is a terminal, and the controlling terminal is not a pseudo-terminal.
    private static func name() -> String? {
        for standard in [Int32(2), 0, 1] {
            if let name = unsafe ttyname(standard) { return unsafe String(cString: name) }
        }
        return pseudoTerminal()
    }

    /// Returns the path of the controlling terminal if it is a pseudo-terminal.
    ///
    /// Field 7 of proc_pid_stat(5) contains the device number of the controlling terminal.
    /// Pseudo-terminals have the major numbers 136 to 143.
    private static func pseudoTerminal() -> String? {
        guard let status = processStatus("self"), status.count > 4, let device = Int(status[4])
        else { return nil }
        let (major, minor) = (device >> 8 & 0xFFF, device & 0xFF | device >> 12 & 0xFFF00)
        return (136...143).contains(major) ? "/dev/pts/\((major - 136) << 8 | minor)" : nil
    }
}

/// A terminal that does not echo and that returns each key immediately. The previous mode is restored when
/// this value is destroyed. A `NoEchoTerminal` must be destroyed before its `Terminal`.
///
/// While the echo is off, signals are blocked, so no signal can terminate the process before the echo is on
/// again. Keys that normally send signals are returned as characters.
@safe
@usableFromInline
package struct NoEchoTerminal: ~Copyable {
    /// The result of waiting for a key press.
    package enum Key {
        case byte(UInt8)
        /// A blocked signal is pending.
        case signal(Int32)
        /// No key was pressed within a tenth of a second.
        case none
        /// The terminal was closed.
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
        var (blocked, before) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&blocked)
        for signal in Self.signals { unsafe sigaddset(&blocked, signal) }
        unsafe pthread_sigmask(SIG_BLOCK, &blocked, &before)
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

    /// Waits up to a tenth of a second for a key.
    package borrowing func next() -> Key {
        var pending = sigset_t()
        unsafe sigpending(&pending)
        for signal in Self.signals where unsafe sigismember(&pending, signal) == 1 {
            return .signal(signal)
        }
        var request = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&request, 1, 100) > 0 else { return .none }
        var byte: UInt8 = 0
        let count = unsafe read(file, &byte, 1)
        if count < 0, platform_errno() == EINTR { return .none }
        return count == 1 ? .byte(byte) : .gone
    }
}
