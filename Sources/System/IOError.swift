// This target contains wrappers for the operating system. The wrappers concern files and folders, clocks,
// processes, threads, the terminal, environment variables, standard paths, and memory that is overwritten
// after use.
//
// Only this target calls the C library. There is one wrapper for each call. The wrapper repeats the call
// if a signal interrupts it, and continues an incomplete write. No other target imports Glibc or Musl.
// This target imports CPlatform, which hides the differences between C libraries. This target also
// contains some functions for bytes, because almost all other targets depend on System.
//
// An error contains the name of the file and errno, but no message text. The message texts are in ToolKit and
// UserInterface. This target does not depend on records, keys or keyrings. This target leaves decisions to
// the caller. For example, the caller decides whether to refuse a folder that other users can write to.

internal import CPlatform

/// An error of the operating system. The associated values are the file name as the user entered it, and
/// errno.
package enum IOError: Error, Equatable {
    case open(String, Int32)
    case read(String, Int32)
    case create(String, Int32)
    case write(String, Int32)
    /// Standard output is a pipe, and no process reads from it any more (EPIPE).
    case readerLeft
    case folder(String)
    /// The same regular file is both input and output, so the file would grow without end.
    case sameFile(String)
    /// The status file is also standard output or standard error, so statuses would be mixed with other
    /// output.
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

/// The error numbers (errno(3)) for which other targets need special treatment.
package enum ErrorNumber {
    package static let exists = EEXIST
    package static let missing = ENOENT
    package static let diskFull = ENOSPC
    package static let notPermitted = EPERM
    package static let nameTooLong = ENAMETOOLONG
    /// Error numbers that mean that a file cannot be opened because the file or its folder does not exist.
    package static let missingPath = [ENOENT, ENOTDIR]
    package static let tooManyOpen = [EMFILE, ENFILE]
    /// Error numbers of open(2) whose cause is not the file, such as the number for too many open files.
    package static let unrelatedToFile = tooManyOpen + [ENOMEM, EIO]
}

/// Returns the system's text for an error number, beginning with a lowercase letter.
///
/// If C libraries have different texts for an error number, the result is always the same text.
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
