#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

internal import CPlatform

/// Where a tool begins and ends.
package enum ToolMain {
    /// Runs a tool and exits: the one place where errors become words and a status.
    ///
    /// `body` is handed the words after the tool's name. It returns before the process exits, so
    /// that everything it owns is cleansed and closed. All tools hold messages, or keys: no core is
    /// dumped, and no other process of the user reads their memory, as far as the system allows.
    package static func run(
        tool: String, _ body: ([String]) throws -> ExitStatus
    ) -> Never {
        hideMemory()
        holdStandardFiles()
        _ = signal(SIGPIPE, SIG_IGN)
        exit(status(of: tool, body).rawValue)
    }

    /// Ends the tool with a complaint where a file that is mapped into memory cannot be written to: SQLite
    /// maps a file with holes, and a disk that is full has nothing to fill them with. All that is on the
    /// disk then is what it was when the tool was killed there.
    package static func endWhereMappingFails(_ complaint: some Complaint, tool: String) {
        var line = "\(tool): \(complaint.text)\n"
        line.withUTF8 { utf8 in
            unsafe utf8.withMemoryRebound(to: CChar.self) { bytes in
                unsafe platform_end_where_mapping_fails(
                    bytes.baseAddress, bytes.count, complaint.status.rawValue)
            }
        }
    }

    /// Options that every tool has, and that outrank all others.
    package static let options = [Option("help"), Option("version")]

    /// Answers `--help` and `--version`; nil where neither was given.
    package static func answer(
        _ arguments: Arguments, tool: String, usage: String
    ) throws -> ExitStatus? {
        if arguments.has("help") { return try print(usage) }
        return arguments.has("version") ? try printVersion(of: tool) : nil
    }

    /// Prints a text on stdout.
    package static func print(_ text: String) throws -> ExitStatus {
        var output = Output(to: .standardOutput())
        output.append(text)
        try output.flush()
        return .done
    }

    /// Prints name and version.
    package static func printVersion(of tool: String) throws -> ExitStatus {
        try print("\(tool) \(version)\n")
    }

    /// The version of all tools.
    private static let version = "1.0"

    private static func status(
        of tool: String, _ body: ([String]) throws -> ExitStatus
    ) -> ExitStatus {
        let diagnostics = Diagnostics(tool: tool)
        do {
            return try body(Array(try words().dropFirst()))
        } catch IOError.readerLeft {
            return die(of: SIGPIPE)
        } catch let interruption as Interrupted {
            return die(of: interruption.signal)
        } catch let complaint as any Complaint {
            diagnostics.say(complaint.text)
            return complaint.status
        } catch {
            diagnostics.say("unexpected failure: \(error)")
            return .inputOutput
        }
    }

    /// The tool's name and the words after it.
    ///
    /// They are taken from memory where the C library allows it. The standard library may read them from
    /// a file instead (/proc/self/cmdline), and has none at all when it cannot.
    private static func words() throws(NoArguments) -> [String] {
        var words: [String] = []
        if var next = unsafe platform_arguments() {
            while let word = unsafe next.pointee {
                words.append(unsafe String(cString: word))
                unsafe next += 1
            }
        } else {
            words = CommandLine.arguments
        }
        guard !words.isEmpty else { throw NoArguments() }
        return words
    }

    private static func die(of number: Int32) -> ExitStatus {
        _ = signal(number, SIG_DFL)
        raise(number)
        return .inputOutput
    }

    /// Where the system refuses, the tool goes on: it is no less safe than any other program.
    private static func hideMemory() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        #if canImport(Darwin)
            _ = unsafe setrlimit(RLIMIT_CORE, &none)
        #else
            _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        #endif
        _ = platform_hide_memory()
        platform_crash_silently()
    }

    /// Fills in closed standard descriptors so that no file opened later takes their number; reading
    /// or writing them still fails.
    private static func holdStandardFiles() {
        for (number, mode) in [(Int32(0), O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)]
        where fcntl(number, F_GETFD) < 0 {
            _ = unsafe open("/dev/null", mode)
        }
    }
}

/// The system does not say with which arguments the tool was called: what to do is not known.
private struct NoArguments: Complaint {
    let status = ExitStatus.inputOutput
    let text =
        "the arguments cannot be read; see that /proc is mounted and that files can be opened"
}
