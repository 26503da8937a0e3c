internal import CPlatform

/// The process itself: how it begins, what signals do to it, how it ends.
package enum Process {
    /// Signals that somebody at a terminal sends, and that of a pipe without a reader (signal(7)).
    package static let interrupt = SIGINT
    package static let quit = SIGQUIT
    package static let brokenPipe = SIGPIPE

    /// Sees that no core is dumped, that nothing prints what memory holds, and that no other process
    /// of the user reads it. Where the system refuses, the process goes on: it is no less safe than
    /// any other program.
    package static func hideMemory() {
        platform_hide_memory()
        platform_crash_silently()
    }

    /// Fills in closed standard descriptors so that no file opened later takes their number; reading
    /// or writing them still fails.
    package static func holdStandardFiles() {
        for (number, mode) in [(Int32(0), O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)]
        where platform_is_open(number) == 0 {
            _ = unsafe platform_open("/dev/null", mode, 0)
        }
    }

    /// Writing to a pipe without a reader fails from now on, instead of ending the process.
    package static func ignoreBrokenPipes() { platform_ignore(SIGPIPE) }

    /// Ends the process with a line on stderr and a status where memory that stands for a file cannot be
    /// written to: a file with holes, on a disk that has nothing to fill them with. All that is on the
    /// disk is then what it would be had the process been killed there.
    package static func endWhereMappingFails(saying line: String, status: Int32) {
        unsafe platform_end_where_mapping_fails(line, line.utf8.count, status)
    }

    /// The name that the process was called by, and the words after it.
    ///
    /// They are taken from memory: the standard library may read them from a file (/proc/self/cmdline), and
    /// has none at all when it cannot.
    package static func arguments() -> [String] {
        var next = unsafe platform_arguments()
        var words: [String] = []
        while let word = unsafe next.pointee {
            words.append(unsafe String(cString: word))
            unsafe next += 1
        }
        return words
    }

    /// Ends the process as a signal does that nothing catches. Returns where the signal is blocked.
    package static func die(of signal: Int32) {
        platform_restore(signal)
        raise(signal)
    }

    package static func exit(_ status: Int32) -> Never { CPlatform.exit(status) }
}

/// The machine's name for itself.
package enum Machine {
    /// machine-id(5), or the name of the host where there is none.
    package static func id() -> String {
        for path in ["/etc/machine-id", "/var/lib/dbus/machine-id"] {
            if let id = File.text(of: path), !id.isEmpty { return id }
        }
        return File.text(of: "/proc/sys/kernel/hostname") ?? "unnamed"
    }
}
