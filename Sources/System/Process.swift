internal import CPlatform

/// Functions for the memory, the arguments, the signals and the exit of the current process.
package enum Process {
    /// The signals that a user can send from a terminal, and the signal that a process receives if it
    /// writes to a pipe that nobody reads (signal(7)).
    package static let interrupt = SIGINT
    package static let quit = SIGQUIT
    package static let brokenPipe = SIGPIPE

    /// Disables core dumps and crash reports, which would contain memory of this process. Prevents other
    /// processes of the user from reading the memory.
    ///
    /// If the system does not permit this protection, the process continues without it.
    package static func hideMemory() {
        platform_hide_memory()
        // Embedded Swift has no crash handlers.
        #if !hasFeature(Embedded)
            platform_crash_silently()
        #endif
    }

    /// Opens /dev/null for each standard descriptor that is closed. If a standard descriptor remained closed,
    /// a file that is opened later could get its number.
    ///
    /// A tool that reads from a missing standard input, or writes to a missing standard output, still gets an
    /// error.
    package static func openMissingStandardFiles() {
        for (number, mode) in [(Int32(0), O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)]
        where platform_is_open(number) == 0 {
            _ = unsafe platform_open("/dev/null", mode, 0)
        }
    }

    /// Ignores SIGPIPE and SIGXFSZ, so these signals do not terminate the process. Instead, a write fails
    /// with an error if nobody reads the pipe, or if the file would become larger than permitted (`ulimit
    /// -f`).
    package static func ignoreFailedWrites() {
        platform_ignore(SIGPIPE)
        platform_ignore(SIGXFSZ)
    }

    /// Makes the process print a line on stderr and exit if a later write to a memory-mapped file fails.
    ///
    /// A write to a memory-mapped file fails if the file is sparse and its disk is full. After the exit, the
    /// files are in the same state as if the process had been killed.
    package static func exitIfMappedWriteFails(saying line: String, status: Int32) {
        unsafe platform_exit_if_mapped_write_fails(line, line.utf8.count, status)
    }

    /// Returns the name with which the process was started, followed by its arguments.
    ///
    /// The arguments are read from memory, because the standard library may read them from
    /// /proc/self/cmdline, and returns no arguments if it cannot read this file.
    package static func arguments() -> [String] {
        var next = unsafe platform_arguments()
        var words: [String] = []
        while let word = unsafe next.pointee {
            words.append(unsafe String(cString: word))
            unsafe next += 1
        }
        return words
    }

    /// Restores the default action of a signal, and terminates the process with this signal. If the process
    /// blocks the signal, the process continues and this function returns.
    package static func die(of signal: Int32) {
        platform_restore(signal)
        raise(signal)
    }

    package static func exit(_ status: Int32) -> Never { CPlatform.exit(status) }
}

/// The id of the machine.
package enum MachineID {
    /// Returns the machine id (machine-id(5)), or the host name if there is none.
    package static func read() -> String {
        read(from: ["/etc/machine-id", "/var/lib/dbus/machine-id", "/proc/sys/kernel/hostname"])
    }

    /// Returns the machine id from the first file that contains an id. A file that is empty or contains
    /// the word `uninitialized` contains no id (machine-id(5), First Boot Semantics).
    static func read(from paths: [String]) -> String {
        for path in paths {
            if let id = File.text(of: path), !["", "uninitialized"].contains(id) { return id }
        }
        return "unnamed"
    }
}
