#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What the system refused: the file's name as the user gave it, and errno.
package enum IOError: Complaint, Equatable {
    case open(String, Int32)
    case read(String, Int32)
    case create(String, Int32)
    case write(String, Int32)
    /// The reader of standard output has gone away (EPIPE).
    case readerLeft
    case folder(String)

    package var status: ExitStatus {
        switch self {
        case .open, .folder: .noInput
        case .create: .cannotCreate
        case .read, .write, .readerLeft: .inputOutput
        }
    }

    package var text: String {
        switch self {
        case .open(let name, let code): "cannot open \(quoted(name)): \(systemText(code))"
        case .read(let name, let code): "cannot read \(quoted(name)): \(systemText(code))"
        case .create(let name, EEXIST):
            "\(quoted(name)) is there already; name a new file, or move that one away"
        case .create(let name, let code): "cannot make \(quoted(name)): \(systemText(code))"
        case .write(let name, let code): "cannot write \(quoted(name)): \(systemText(code))"
        case .readerLeft: "the reader of the output has gone away"
        case .folder(let name): "cannot read \(quoted(name)): it is a folder"
        }
    }
}

/// The system's words for an errno, in the tools' voice: lower case at the beginning.
package func systemText(_ code: Int32) -> String {
    let text = unsafe String(cString: strerror(code))
    guard let first = text.first else { return "error \(code)" }
    return first.lowercased() + text.dropFirst()
}

/// A name in a diagnostic: control and bidirectional formatting characters escaped, `-` as stdin.
package func quoted(_ name: String) -> String {
    TerminalText.escaped(name)
}
