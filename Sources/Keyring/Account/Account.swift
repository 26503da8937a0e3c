internal import Crypto
internal import GSM7
internal import System

/// The account contains unencrypted data and the wrapped master key of a keyring. The master key is wrapped
/// (encrypted) with a key that scrypt derives from the password.
package struct Account: Sendable {
    /// The keyring's id, which consists of 16 random bytes.
    package let keyring: [UInt8]
    private static let idSize = 16
    package let user: String
    /// The calling code for numbers that are written without a calling code, or empty.
    package private(set) var country: String
    /// Number of consecutive wrong passwords after which the lockout begins.
    package private(set) var lockTries: Int
    package private(set) var lockSeconds: Int

    private static let saltSize = 16
    private static let masterSize = 32 + SealingKey.overhead

    private let salt: [UInt8]
    /// The master key, sealed under the key that scrypt derives from the password.
    private let master: [UInt8]
    /// SHA-256 of the other fields. The digest distinguishes a damaged file from a wrong password. An
    /// attacker could recompute the digest. To prevent this, the sealed keyring header contains a copy
    /// of the digest.
    private(set) var digest: [UInt8] = []

    /// Creates an account and wraps the master key with a password. Runs scrypt.
    init(
        keyring: [UInt8], user: String, country: String, lockTries: Int, lockSeconds: Int,
        master: borrowing SecretBytes, password: borrowing SecretBytes
    ) throws(KeyringError) {
        self.keyring = keyring
        self.user = user
        self.country = country
        self.lockTries = lockTries
        self.lockSeconds = lockSeconds
        salt = try randomBytes(Self.saltSize)
        let wrapping = try Self.wrapping(password, salt, user)
        self.master = try wrapping.seal(master, in: Self.context(keyring))
        digest = Digest.sha256(content)
    }

    /// Returns a copy of the account with another password. Also changes the keyring's id and the user name,
    /// if they are given. Runs scrypt.
    func changed(
        keyring: [UInt8]? = nil, user: String? = nil,
        master: borrowing SecretBytes, password: borrowing SecretBytes
    ) throws(KeyringError) -> Account {
        try Account(
            keyring: keyring ?? self.keyring, user: user ?? self.user, country: country,
            lockTries: lockTries, lockSeconds: lockSeconds, master: master, password: password)
    }

    /// Returns a copy of the account with another country or another lockout. The lockout consists of a
    /// number of attempts and a duration in seconds.
    func with(country: String?, lockout: (tries: Int, seconds: Int)?) -> Account {
        var changed = self
        if let country { changed.country = country }
        if let lockout { (changed.lockTries, changed.lockSeconds) = lockout }
        changed.digest = Digest.sha256(changed.content)
        return changed
    }

    /// Unwraps the master key. Returns nil if the password is wrong. Runs scrypt.
    func unwrap(_ password: borrowing SecretBytes) throws(KeyringError) -> SecretBytes? {
        let wrapping = try Self.wrapping(password, salt, user)
        return try? wrapping.open(master.span, in: Self.context(keyring))
    }

    /// Returns the associated data of the wrapped master key.
    private static func context(_ keyring: [UInt8]) -> [UInt8] {
        Array("smsenc keyring 1 master".utf8) + keyring
    }

    /// Reads the account of a keyring and checks it.
    init(from database: Database) throws(KeyringError) {
        let record = try database.statement("SELECT record FROM account WHERE id = 1").first {
            $0.bytes(0)
        }
        guard let record else { throw .store(.damaged("the account is missing")) }
        self = try parsing(
            Account(record: record), or: .store(.damaged("the account was altered")))
    }

    /// Replaces the account of a keyring.
    func write(to database: Database) throws(KeyringError) {
        try database.statement("UPDATE account SET record = ? WHERE id = 1").bind(record).run()
    }

    /// The account as it is stored in keyrings and backups (smsenc-keyring(5), Account).
    var record: [UInt8] { content + digest }

    /// The record without its digest.
    private var content: [UInt8] {
        var record = SecretWriter()
        record.put(keyring.span)
        record.put(UInt64(lockTries))
        record.put(UInt64(lockSeconds))
        record.put(Scrypt.account.cost)
        record.put(Scrypt.account.blockSize)
        record.put(Scrypt.account.parallelism)
        record.put(salt.span)
        record.put(master.span)
        record.put(user)
        record.put(country)
        return record.finish().withSpan { Array(copying: $0) }
    }

    /// Parses a record and checks its digest and its numbers.
    ///
    /// - Throws: `InvalidRecord`.
    init(record: [UInt8]) throws(InvalidRecord) {
        var reader = SecretReader(SecretBytes(copying: record.span))
        keyring = try reader.bytes(Self.idSize)
        lockTries = Int(clamping: try reader.integer() as UInt64)
        lockSeconds = Int(clamping: try reader.integer() as UInt64)
        let scrypt = Scrypt(
            cost: try reader.integer(), blockSize: try reader.integer(),
            parallelism: try reader.integer())
        salt = try reader.bytes(Self.saltSize)
        master = try reader.bytes(Self.masterSize)
        user = try reader.text()
        country = try reader.text()
        digest = try reader.bytes(Digest.size)
        // Other parameters of scrypt could require any amount of memory.
        guard reader.remaining == 0, digest == Digest.sha256(content), scrypt == .account,
            Self.lockTryLimits.contains(lockTries), Self.lockSecondLimits.contains(lockSeconds),
            !(user + country).unicodeScalars.contains(where: { CodePoint.isControl($0) })
        else { throw InvalidRecord() }
    }

    package static let lockTryLimits = 1...1000
    package static let lockSecondLimits = 1...86_400
    /// The lockout of a new keyring, unless the user chooses another lockout.
    package static let defaultLockout = (tries: 3, seconds: 300)

    private static func wrapping(
        _ password: borrowing SecretBytes, _ salt: [UInt8], _ user: String
    ) throws(KeyringError) -> SealingKey {
        let salt = salt + Array(user.utf8)
        let key = try cryptography(Scrypt.account.derive(password: password, salt: salt.span))
        return SealingKey(key: key)
    }
}
