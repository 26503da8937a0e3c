internal import CPlatform

/// Identifies a process on this machine by its PID, its start time and the boot id.
///
/// A keyring stores this identity with the locks and keys of a process. With the stored identity, other
/// processes can detect whether the process has died. A process in another container has a different PID
/// namespace, so it appears to be dead (smsenc-security(7)).
package struct ProcessIdentity: Equatable {
    package let text: String

    package init(text: String) { self.text = text }

    /// Returns the identity of the current process.
    package static func own(_ clocks: Clocks) -> ProcessIdentity {
        let number = getpid()
        guard case .at(let time) = start(of: number) else {
            return ProcessIdentity(text: "\(number) - \(clocks.bootID)")
        }
        return ProcessIdentity(text: "\(number) \(time) \(clocks.bootID)")
    }

    private enum Start {
        case at(String)
        /// The process is a zombie.
        case ended
        /// The start time of the process cannot be read. One possible cause is that another user runs the
        /// process, and /proc is mounted with hidepid.
        case hidden
    }

    /// Returns false if the process has certainly terminated.
    package func isAlive(_ clocks: Clocks) -> Bool {
        let parts = text.split(separator: " ", maxSplits: 2).map(String.init)
        guard parts.count == 3, parts[2] == clocks.bootID, let number = pid_t(parts[0]), number > 0
        else { return false }
        if kill(number, 0) != 0, platform_errno() == ESRCH { return false }
        switch Self.start(of: number) {
        case .at(let time): return time == parts[1]
        case .ended: return false
        case .hidden: return true
        }
    }

    /// Returns the start time of a process, in clock ticks since the machine started.
    private static func start(of number: pid_t) -> Start {
        guard let status = processStatus("\(number)"), status.count > 19 else { return .hidden }
        return status[0] == "Z" || status[0] == "X" ? .ended : .at(status[19])
    }
}

/// Returns the fields of proc_pid_stat(5), beginning with the third field (the state), or nil if the fields
/// cannot be read.
///
/// - Parameter process: a PID, or `self`.
func processStatus(_ process: String) -> [String]? {
    // The second field is the name in parentheses, which may contain any character.
    guard let text = File.text(of: "/proc/\(process)/stat")?.utf8,
        let end = text.lastIndex(of: UInt8(ascii: ")"))
    else { return nil }
    return text[end...].dropFirst().split(separator: UInt8(ascii: " ")).map {
        String(Substring($0))
    }
}
