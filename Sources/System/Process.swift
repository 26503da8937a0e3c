internal import CPlatform

/// The current process: its arguments, its signals, and its exit.
package enum Process {
    /// The signals that a user at a terminal sends, and the signal of a pipe without a reader (signal(7)).
    package static let interrupt = SIGINT
    package static let quit = SIGQUIT
    package static let brokenPipe = SIGPIPE

    /// Disables core dumps and crash reports that print memory, and prevents other processes of the user from
    /// reading the memory.
    ///
    /// If the system refuses, the process continues, and is as safe as any other program.
    package static func hideMemory() {
        platform_hide_memory()
        platform_crash_silently()
    }

    /// Opens /dev/null for each standard descriptor that is closed, so that no file opened later gets its
    /// number.
    ///
    /// Reading from or writing to such a descriptor still fails.
    package static func openMissingStandardFiles() {
        for (number, mode) in [(Int32(0), O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)]
        where platform_is_open(number) == 0 {
            _ = unsafe platform_open("/dev/null", mode, 0)
        }
    }

    /// Ignores SIGPIPE, so that a write to a pipe without a reader fails instead of ending the process.
    package static func ignoreBrokenPipes() { platform_ignore(SIGPIPE) }

    /// Makes the process print a line on stderr and exit if writing to a memory-mapped file fails.
    ///
    /// This happens if the file is sparse and its disk is full. The files are then in the same state as if
    /// the process had been killed at that point.
    package static func exitIfMappedWriteFails(saying line: String, status: Int32) {
        unsafe platform_exit_if_mapped_write_fails(line, line.utf8.count, status)
    }

    /// Returns the name by which the process was called, and its arguments.
    ///
    /// The arguments are read from memory, because the standard library may read them from /proc/self/cmdline
    /// and returns none if that fails.
    package static func arguments() -> [String] {
        var next = unsafe platform_arguments()
        var words: [String] = []
        while let word = unsafe next.pointee {
            words.append(unsafe String(cString: word))
            unsafe next += 1
        }
        return words
    }

    /// Ends the process by a signal, with the signal's default action. Returns if the signal is blocked.
    package static func die(of signal: Int32) {
        platform_restore(signal)
        raise(signal)
    }

    package static func exit(_ status: Int32) -> Never { CPlatform.exit(status) }
}

/// Identifies the machine.
package enum MachineID {
    /// Returns the machine ID (machine-id(5)), or the host name if there is none.
    package static func read() -> String {
        for path in ["/etc/machine-id", "/var/lib/dbus/machine-id"] {
            if let id = File.text(of: path), !id.isEmpty { return id }
        }
        return File.text(of: "/proc/sys/kernel/hostname") ?? "unnamed"
    }
}
