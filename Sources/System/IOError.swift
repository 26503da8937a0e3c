// Wrappers for the operating system: files and folders, clocks, processes, threads, the terminal, environment
// variables, standard paths, and memory that is overwritten after use.
//
// This target makes all calls of the C library. Each call has one wrapper, which repeats a call that a signal
// interrupted and continues a write that was incomplete. No other target imports Glibc or Musl. This one
// imports CPlatform, which hides the differences between C libraries. Some helpers for bytes are here because
// all other targets depend on this one.
//
// Errors hold facts (the file's name and errno) and no text. ToolKit and UserInterface have the texts. This target
// knows nothing of records, keys or keyrings, and sets no policy. For example, the caller decides whether to
// refuse a folder that others can write to.

internal import CPlatform

/// An error of the operating system, with the file's name as the user gave it, and errno.
package enum IOError: Error, Equatable {
    case open(String, Int32)
    case read(String, Int32)
    case create(String, Int32)
    case write(String, Int32)
    /// The reader of standard output has gone (EPIPE).
    case readerLeft
    case folder(String)
    /// A regular file is both input and output, and would grow without end.
    case sameFile(String)
    /// The status file is also standard output or standard error, so other lines would mix with it.
    case shared(String)

    /// The error number (errno(3)).
    package var code: Int32 {
        switch self {
        case .open(_, let code), .read(_, let code), .create(_, let code), .write(_, let code): code
        case .readerLeft: EPIPE
        case .folder: EISDIR
        case .sameFile, .shared: EINVAL
        }
    }
}

/// Error numbers that other targets distinguish (errno(3)).
package enum ErrorNumber {
    package static let exists = EEXIST
    package static let missing = ENOENT
    package static let diskFull = ENOSPC
    package static let notPermitted = EPERM
    /// Opening a file fails with these numbers if the file or its folder does not exist.
    package static let missingPath = [ENOENT, ENOTDIR]
    package static let tooManyOpen = [EMFILE, ENFILE]
    /// Opening a file can fail with these numbers for reasons that have nothing to do with the file.
    package static let unrelatedToFile = tooManyOpen + [ENOMEM, EIO]
}

/// Returns the system's text for an error number, beginning in lower case.
///
/// Texts that differ between C libraries are replaced.
package func systemText(_ code: Int32) -> String {
    switch code {
    case EBUSY: return "device or resource busy"
    case EDQUOT: return "disk quota exceeded"
    case EIO: return "input/output error"
    case ELOOP: return "too many levels of symbolic links"
    case EMFILE: return "too many open files"
    case ENAMETOOLONG: return "file name too long"
    case ENOMEM: return "cannot allocate memory"
    default: break
    }
    let text = unsafe String(cString: strerror(code))
    guard let first = text.first else { return "error \(code)" }
    return first.lowercased() + text.dropFirst()
}

/// Repeats a system call as long as signals interrupt it.
func uninterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result >= 0 || platform_errno() != EINTR { return result }
    }
}
