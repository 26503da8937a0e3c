internal import Crypto
internal import System

/// The header of a keyring. It contains digests of the account, the machine, the file's identity and all
/// other records. Every commit rewrites the header, except commits that change only the lockout.
///
///     offset  bytes  content
///     0       8      count of commits
///     8       32     home: the machine and the file (`HostBinding`)
///     40      32     digest of the account
///     72      8      time of the last backup, in seconds since 1970; 0 for none
///     80      32     digest of the list of all other records (`RecordList`)
///     112     1      state of a move: 0 none, 1 leaving, 2 arriving, 3 leaving, and the new file may exist
///     113     16     random number of the last move, or zeros
///     129     2      length of the path of the new place, or 0
///     131     n      the path, UTF-8
struct KeyringHeader: Equatable {
    var commits: UInt64 = 0
    var home: HostBinding
    var accountDigest: [UInt8]
    var lastBackup: Int64 = 0
    var listDigest = RecordList().digest
    var move = KeyringMove.none
    /// The random number of the move that brought the keyring here, or zeros.
    var lastMove = [UInt8](repeating: 0, count: KeyringMove.numberSize)

    init(home: HostBinding, _ account: Account) {
        self.home = home
        accountDigest = account.digest
    }

    /// Returns the sealed header.
    ///
    /// - Throws: `damaged` if it is missing.
    static func sealed(in database: Database) throws(KeyringError) -> [UInt8] {
        guard let sealed = try database.sealedRecord(.header) else {
            throw .store(.damaged("the header is missing"))
        }
        return sealed
    }

    /// Opens a sealed header.
    init(_ sealed: [UInt8], _ masterKeys: borrowing MasterKeys) throws(KeyringError) {
        self = try masterKeys.sealingKey.read(sealed, .header) { (record) throws(InvalidRecord) in
            try KeyringHeader(from: &record)
        }
    }

    private init(from record: inout SecretReader) throws(InvalidRecord) {
        commits = try record.integer()
        home = HostBinding(stored: try record.bytes(HostBinding.size))
        accountDigest = try record.bytes(Digest.size)
        lastBackup = try record.integer()
        listDigest = try record.bytes(Digest.size)
        (move, lastMove) = try KeyringMove.read(from: &record)
    }

    func write(
        to database: Database, _ masterKeys: borrowing MasterKeys
    ) throws(KeyringError) -> RecordTag? {
        let sealed = try masterKeys.sealingKey.seal(.header) { (record) in
            record.put(commits)
            record.put(home.bytes.span)
            record.put(accountDigest.span)
            record.put(lastBackup)
            record.put(listDigest.span)
            move.write(to: &record, last: lastMove)
        }
        try database.write(sealed, as: .header)
        return RecordTag(of: sealed)
    }
}

/// A move of the keyring to another file (smsenc-keyring(1), move). The random number of a move is stored in
/// the old and in the new keyring.
enum KeyringMove: Equatable {
    static let numberSize = 16

    case none
    /// The keyring is being moved to the file at `path`. If `isPublished` is true, this file may exist. The
    /// keyring must not be used here any more.
    case leaving(number: [UInt8], path: String, isPublished: Bool)
    /// The keyring was moved here, but the user has not adopted it yet.
    case arriving(number: [UInt8])

    fileprivate static func read(
        from record: inout SecretReader
    ) throws(InvalidRecord) -> (KeyringMove, number: [UInt8]) {
        let state = try record.byte()
        let number = try record.bytes(numberSize)
        let path = try record.text()
        switch state {
        case 0: return (.none, number)
        case 1, 3:
            return (.leaving(number: number, path: path, isPublished: state == 3), number)
        case 2: return (.arriving(number: number), number)
        default: throw InvalidRecord()
        }
    }

    fileprivate func write(to record: inout SecretWriter, last: [UInt8]) {
        let (state, number, path): (UInt8, [UInt8], String) =
            switch self {
            case .none: (0, last, "")
            case .leaving(let number, let path, let isPublished):
                (isPublished ? 3 : 1, number, path)
            case .arriving(let number): (2, number, "")
            }
        record.put(state)
        record.put(number.span)
        record.put(path)
    }
}
