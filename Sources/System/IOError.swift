// What the operating system gives, and the only way to it: files and folders, clocks, processes,
// threads, the terminal, the environment, where things lie, and memory that is overwritten.
//
// It owns every call of the C library: one wrapper for each, which repeats what a signal cut short
// and never takes a short write for a whole one. No other target imports Glibc or Musl; here
// too they come through CPlatform alone, which holds what differs from one to the other. Some bytes
// helpers that everybody shares are here because nothing lies below.
//
// It owns no words: what a call refuses is thrown as facts (the file's name, errno), and LineIO and
// Access say it. It knows nothing of records, keys or keyrings, and decides nothing: whether a folder
// that others can write to is refused, and how, is up to whoever asks.

internal import CPlatform

/// What the system refused: the file's name as the user gave it, and errno.
package enum IOError: Error, Equatable {
    case open(String, Int32)
    case read(String, Int32)
    case create(String, Int32)
    case write(String, Int32)
    /// The reader of standard output has gone away (EPIPE).
    case readerLeft
    case folder(String)
    /// A regular file that is read and written at once, and would grow without end.
    case sameFile(String)
    /// A file that is to be for one kind of lines alone, and takes others as well.
    case shared(String)

    /// The number of the error, as in errno(3).
    package var code: Int32 {
        switch self {
        case .open(_, let code), .read(_, let code), .create(_, let code), .write(_, let code): code
        case .readerLeft: EPIPE
        case .folder: EISDIR
        case .sameFile, .shared: EINVAL
        }
    }
}

/// Numbers of errors that others tell apart (errno(3)).
package enum ErrorNumber {
    package static let exists = EEXIST
    package static let missing = ENOENT
    package static let diskFull = ENOSPC
    package static let notPermitted = EPERM
    /// Those of opening a file that is not there, or whose folder is not.
    package static let meanMissing = [ENOENT, ENOTDIR]
    package static let tooManyOpen = [EMFILE, ENFILE]
    /// Those of opening a file that are not about the file.
    package static let sayNothingOfAFile = tooManyOpen + [ENOMEM, EIO]
}

/// The system's words for an errno, in the tools' voice: lower case at the beginning. Those in which
/// one C library differs from another are ours.
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

/// Repeats a system call for as long as signals interrupt it.
func uninterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result >= 0 || platform_errno() != EINTR { return result }
    }
}
