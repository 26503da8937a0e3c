package import System

/// Calls `body`, and converts an `IOError` that `body` throws to an `ExitError`.
package func throwingExitError<Result: ~Copyable>(
    io body: @autoclosure () throws(IOError) -> Result
) throws(ExitError) -> Result {
    do throws(IOError) { return try body() } catch { throw error.exitError }
}

/// The exit status and the diagnostic of each `IOError`.
extension IOError: UserFacingError {
    /// True if the error affects only one input. If an error affects only one input, the tool skips this
    /// input and processes the other inputs.
    var isOfInput: Bool {
        if case .sameFile = self { return true }
        return status == .noInput
    }

    /// True if a file does not exist.
    var isMissingFile: Bool {
        if case .open(_, ErrorNumber.missing) = self { return true }
        return false
    }

    package var status: ExitStatus {
        switch self {
        case .open, .folder: .noInput
        case .create, .shared: .cannotCreate
        case .read, .write, .readerLeft, .sameFile: .inputOutput
        }
    }

    package var exitError: ExitError {
        if case .readerLeft = self { return ExitError(signal: Process.brokenPipe) }
        return ExitError(status, text)
    }

    package var text: String {
        switch self {
        case .open(let name, let code): "cannot open \(quoted(name)): \(systemText(code))"
        case .read(let name, let code): "cannot read \(quoted(name)): \(systemText(code))"
        case .create(let name, ErrorNumber.exists):
            "\(quoted(name)) already exists; choose another name, or move the existing file"
        case .create(let name, let code): "cannot create \(quoted(name)): \(systemText(code))"
        case .write(let name, let code): "cannot write \(quoted(name)): \(systemText(code))"
        case .readerLeft: "the program that reads the output has closed the pipe"
        case .folder(let name):
            "cannot read \(quoted(name)): it is a folder; specify a file instead"
        case .shared(let name):
            "\(quoted(name)) is already used as standard output or standard error; choose another file for --status"
        case .sameFile(let name):
            "\(quoted(name)) is both input and output; write the output to another file"
        }
    }
}
