internal import CPlatform

/// What tells one process from all others of this machine: number, time of its start, boot.
///
/// Written into the keyring beside what a process holds, so that others can see when it has died.
/// A process in another container has numbers of its own and looks dead; the manual says so.
package struct ProcessMark: Equatable {
    package let text: String

    package init(text: String) { self.text = text }

    /// The mark of this process.
    package static func own(_ clocks: Clocks) -> ProcessMark {
        let number = getpid()
        guard case .at(let time) = start(of: number) else {
            return ProcessMark(text: "\(number) - \(clocks.bootID)")
        }
        return ProcessMark(text: "\(number) \(time) \(clocks.bootID)")
    }

    private enum Start {
        case at(String)
        /// A zombie.
        case ended
        /// The system does not say, as to others' processes under hidepid.
        case hidden
    }

    /// False when the process that made the mark has certainly ended.
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

    /// In clock ticks since the boot. A zombie counts as ended.
    private static func start(of number: pid_t) -> Start {
        guard let status = processStatus("\(number)"), status.count > 19 else { return .hidden }
        return status[0] == "Z" || status[0] == "X" ? .ended : .at(status[19])
    }
}

/// The fields of proc_pid_stat(5) from the third on, the state; nil where the system does not say.
///
/// - Parameter process: a number, or `self`.
func processStatus(_ process: String) -> [String]? {
    // The second, the name in parentheses, may hold anything.
    guard let text = File.text(of: "/proc/\(process)/stat"), let end = text.lastIndex(of: ")")
    else { return nil }
    return text[text.index(after: end)...].split(separator: " ").map(String.init)
}
