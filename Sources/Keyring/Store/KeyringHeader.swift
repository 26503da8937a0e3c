internal import Crypto
internal import System

/// The header of a keyring. The header contains digests of the account, the machine, the file's identity
/// and all other records. Every commit rewrites the header, except commits that change only the lockout.
///
///     offset  bytes  content
///     0       8      count of commits
///     8       32     home: the machine and the file (`HostBinding`)
///     40      32     digest of the account
///     72      8      time of the last backup, in seconds since 1970; 0 for none
///     80      32     digest of the list of all other records (`RecordList`)
///     112     1      state of a move: 0 none, 1 leaving, 2 arriving, 3 leaving, and the new file may exist
///     113     16     random number of the last move, or zeros
///     129     2 + n  the path of the new place as text, or an empty text
struct KeyringHeader: Equatable {
    var commits: UInt64 = 0
    var home: HostBinding
    var accountDigest: [UInt8]
    var lastBackup: Int64 = 0
    var listDigest: [UInt8]
    var move = KeyringMove.none
    /// The random number of the last move, or zeros. After a move, the old and the new keyring contain the
    /// same random number.
    var moveNumber = [UInt8](repeating: 0, count: moveNumberSize)
    static let moveNumberSize = 16

    init(home: HostBinding, _ account: Account) {
        self.home = home
        accountDigest = account.digest
        listDigest = RecordList().digest
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
        self = try masterKeys.sealingKey.read(sealed, .header, KeyringHeader.init(from:))
    }

    private init(from record: inout SecretReader) throws(InvalidRecord) {
        commits = try record.integer()
        home = HostBinding(stored: try record.bytes(HostBinding.size))
        accountDigest = try record.bytes(Digest.size)
        lastBackup = try record.integer()
        listDigest = try record.bytes(Digest.size)
        let state = try record.byte()
        moveNumber = try record.bytes(Self.moveNumberSize)
        move = try KeyringMove(state, try record.text())
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
            record.put(move.content.state)
            record.put(moveNumber.span)
            record.put(move.content.path)
        }
        try database.write(sealed, as: .header)
        return RecordTag(of: sealed)
    }
}

/// A move of the keyring to another file (smsenc-keyring(1), move).
enum KeyringMove: Equatable {
    case none
    /// The keyring is being moved to the file at `path`. If `isPublished` is true, the file at `path` may
    /// already exist. The keyring must not be used here any more.
    case leaving(path: String, isPublished: Bool)
    /// The keyring is the result of a move, but the user has not adopted it yet.
    case arriving

    fileprivate init(_ state: UInt8, _ path: String) throws(InvalidRecord) {
        switch state {
        case 0: self = .none
        case 1, 3: self = .leaving(path: path, isPublished: state == 3)
        case 2: self = .arriving
        default: throw InvalidRecord()
        }
    }

    fileprivate var content: (state: UInt8, path: String) {
        switch self {
        case .none: (0, "")
        case .leaving(let path, let isPublished): (isPublished ? 3 : 1, path)
        case .arriving: (2, "")
        }
    }
}
