/// How a tool ends, after sysexits(3).
package enum ExitStatus: Int32, Equatable, Sendable {
    /// Everything went through.
    case done = 0
    /// Some records were rejected, or what was named is unknown, double, refused or wrong.
    case rejected = 1
    /// The command line makes no sense (EX_USAGE).
    case usage = 64
    /// A keyring, session or backup is damaged (EX_DATAERR).
    case damaged = 65
    /// An input or keyring is not there or cannot be read (EX_NOINPUT).
    case noInput = 66
    /// A file cannot be made, or is there already (EX_CANTCREAT).
    case cannotCreate = 73
    /// Reading or writing failed (EX_IOERR).
    case inputOutput = 74
    /// Locked out or busy: try again later (EX_TEMPFAIL).
    case tryLater = 75
    /// Wrong password, locked with nobody to ask, or a copied keyring (EX_NOPERM).
    case noPermission = 77

    /// Takes in what else happened: anything above 1 outranks 1, and the first of those stays.
    package mutating func note(_ other: ExitStatus) {
        if rawValue <= ExitStatus.rejected.rawValue { self = max(self, other) }
    }

    private func max(_ one: ExitStatus, _ other: ExitStatus) -> ExitStatus {
        one.rawValue >= other.rawValue ? one : other
    }
}
