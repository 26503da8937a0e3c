internal import Crypto
internal import Protocol
internal import System

/// The records of an unlocked keyring within one transaction (smsenc-keyring(5), Records).
///
/// This store has the keys that open records, the header, and the verified list of records. It reads and
/// writes records of all kinds. `ContactStore`, `IdentityStore`, `RunStore` and `UsedKeyStore` use it to read
/// and write the kinds of records that they own. Any transaction can read, but only a `WriteTransaction` may
/// write.
package final class KeyringStore {
    let keyring: Keyring
    let database: Database
    var header: KeyringHeader
    /// The count in the rollback note when the transaction began, or nil if the note is missing. Other
    /// processes may raise the count later, without an effect on this transaction.
    let countInNote: UInt64?
    /// The list of records and the header, as they were when the transaction began. Only the command
    /// `check` opens a keyring whose list is damaged.
    let verified: VerifiedList
    /// Contacts whose keys this transaction deletes. The commit also deletes the keys for rereading these
    /// contacts' messages from the session file.
    var contactsToForget: Set<ContactID> = []
    /// The records that this transaction has changed. The value for a written record is its new tag, and
    /// the value for a deleted record is nil.
    private var changes: [RecordName: RecordTag?] = [:]

    /// Reads the header and verifies the list of records. The caller must have begun a transaction. The
    /// list of records is read only if the header has changed since the last transaction of this process.
    ///
    /// - Throws: `damaged` if records are missing, were added, or were replaced with older copies.
    init(_ keyring: Keyring, countInNote: UInt64? = nil) throws(KeyringError) {
        self.keyring = keyring
        self.countInNote = countInNote
        database = keyring.database
        let sealed = try KeyringHeader.sealed(in: database)
        if let known = keyring.verified, known.headerTag == RecordTag(of: sealed) {
            verified = known
        } else {
            verified = try VerifiedList(sealed, in: database, keyring.masterKeys)
            if verified.isDamaged, !keyring.file.isChecked {
                throw .store(.damaged(VerifiedList.mismatch))
            }
            keyring.verified = verified
        }
        header = verified.header
    }

    /// The contacts of the identity in use.
    package var contacts: ContactStore { contacts(in: keyring.ring) }
    var identities: IdentityStore { IdentityStore(store: self) }
    var runs: RunStore { RunStore(store: self) }
    var usedKeys: UsedKeyStore { UsedKeyStore(store: self) }

    func contacts(in ring: Ring) -> ContactStore { ContactStore(store: self, ring: ring) }

    /// The current time, which is stored when a message is encrypted or decrypted. The time is -1 if the
    /// clock is certainly wrong.
    private(set) lazy var time: Int64 = keyring.clocks.plausibleWallTime ?? -1

    // MARK: Records

    /// The tag of a record, or nil if the record does not exist.
    func tag(of name: RecordName) -> RecordTag? {
        if let changed = changes[name] { return changed }
        return verified.list[name]
    }

    /// The ids of all records of a kind, in ascending order.
    func ids(of kind: RecordKind) -> [Int64] {
        let changed = changes.filter { $0.key.kind == kind }
        let ids = verified.list.ids(of: kind)
        if changed.isEmpty { return ids }
        let all = Set(ids).union(changed.keys.map { $0.id })
        return all.filter { tag(of: RecordName(kind, $0)) != nil }.sorted()
    }

    /// Opens a record and passes it to `body`. Returns nil if the record does not exist.
    ///
    /// - Throws: `damaged` if the record was altered, or if its tag differs from the tag in the list.
    func read<Result: ~Copyable>(
        _ name: RecordName, under key: borrowing SealingKey,
        _ body: (inout SecretReader) throws(InvalidRecord) -> Result
    ) throws(KeyringError) -> Result? {
        guard let sealed = try sealedRecord(name) else { return nil }
        return try key.read(sealed.bytes, name, body)
    }

    /// Returns a record in sealed form, or nil if the record does not exist.
    ///
    /// - Throws: `damaged` if the tag of the record differs from the tag in the list.
    func sealedRecord(
        _ name: RecordName
    ) throws(KeyringError) -> (bytes: [UInt8], tag: RecordTag)? {
        guard let tag = tag(of: name) else { return nil }
        guard let sealed = try database.sealedRecord(name), RecordTag(of: sealed) == tag else {
            throw .store(.damaged("a record is missing or was replaced with an older copy"))
        }
        return (sealed, tag)
    }

    /// Seals a record and writes it.
    ///
    /// - Parameter write: writes the content of the record.
    func save(
        _ name: RecordName, under key: borrowing SealingKey, _ write: (inout SecretWriter) -> Void
    ) throws(KeyringError) {
        let sealed = try key.seal(name, write)
        guard let tag = RecordTag(of: sealed) else { preconditionFailure("sealing adds a tag") }
        try database.write(sealed, as: name)
        try database.writeTag(tag, of: name)
        changes[name] = tag
    }

    /// Deletes a record if it exists.
    func delete(_ name: RecordName) throws(KeyringError) {
        guard tag(of: name) != nil else { return }
        try database.delete(name)
        changes[name] = .some(nil)
    }

    // MARK: Commits

    /// True if the transaction has changed anything.
    var hasChanges: Bool { !changes.isEmpty || header != verified.header }

    /// Writes the header with the next count of commits and the digest of the changed list.
    func writeHeader() throws(KeyringError) -> VerifiedList {
        header.commits += 1
        let changed = verified.list.applying(changes)
        header.listDigest = changed.digest
        let tag = try header.write(to: database, keyring.masterKeys)
        return VerifiedList(header: header, headerTag: tag, list: changed, isDamaged: false)
    }

    // MARK: Checks

    /// Checks that the keyring may be read. The keyring must not be in the state `leaving`, and must not
    /// have been restored from an older copy.
    ///
    /// - Throws: `leaving`, `behind`.
    func checkCanBeRead() throws(KeyringError) {
        try checkIsNotLeaving()
        try checkIsNotBehind()
    }

    /// Checks that the keyring was neither copied nor restored.
    ///
    /// - Throws: `moved`, `machineChanged`, `leaving`, `arrived`, `behind`.
    ///
    /// - Parameter isMoving: true if the keyring may be leaving.
    func checkIsOriginal(isMoving: Bool = false) throws(KeyringError) {
        if !isMoving {
            try checkIsNotLeaving()
            if header.move == .arriving { throw .copy(.arrived) }
        }
        // The new keyring may already have been adopted and used. This old keyring is then behind the
        // rollback note, because both keyrings use the same note.
        if isMoving, case .leaving(_, isPublished: true) = header.move { return }
        let found = keyring.file.hostBinding
        let noteAgrees = countInNote == header.commits
        if let fault = header.home.fault(whenFound: found, noteAgrees: noteAgrees) {
            throw .copy(fault)
        }
        try checkIsNotBehind()
    }

    /// Checks that the keyring is not being moved to another file.
    ///
    /// - Throws: `leaving` with the new path.
    func checkIsNotLeaving() throws(KeyringError) {
        if case .leaving(let path, _) = header.move { throw .copy(.leaving(path)) }
    }

    /// Checks that the rollback note exists.
    ///
    /// - Throws: `noteMissing`, or `moved` if the keyring was copied without its note.
    func checkHasNote() throws(KeyringError) {
        if countInNote != nil { return }
        if header.home != keyring.file.hostBinding { throw .copy(.moved) }
        throw .copy(.noteMissing(keyring: keyring.path, folder: keyring.file.note.folder))
    }

    /// Checks that the keyring was not restored from an older copy. Without this check, new commits could
    /// raise the count of a restored keyring to the count in the note. The restored keyring would then
    /// look like the newest copy.
    ///
    /// If the check fails, the write-ahead log is not checkpointed, because it may be older than the
    /// database file. The log is older if the file was changed later under another name.
    ///
    /// - Throws: `behind`.
    func checkIsNotBehind() throws(KeyringError) {
        database.keepsLog = header.commits < countInNote ?? 0
        if database.keepsLog { throw .copy(.behind) }
    }
}

/// A header and a list of records. The list has been compared with the digest in the header.
struct VerifiedList {
    let header: KeyringHeader
    let headerTag: RecordTag?
    let list: RecordList
    /// True if the digest of the list differs from the digest in the header.
    let isDamaged: Bool

    static let mismatch = "records are missing, were added or were replaced with older copies"
}

extension VerifiedList {
    /// Opens a header, reads the list, and sets `isDamaged` if the digests differ.
    ///
    /// - Throws: `damaged` if the header was altered, or if the list is malformed.
    init(
        _ sealed: [UInt8], in database: Database, _ masterKeys: borrowing MasterKeys
    ) throws(KeyringError) {
        let header = try KeyringHeader(sealed, masterKeys)
        let list = try RecordList(of: database)
        self.init(
            header: header, headerTag: RecordTag(of: sealed), list: list,
            isDamaged: list.digest != header.listDigest)
    }
}

extension SealingKey {
    /// Seals the record that `write` writes. Pads the record with zeros to a multiple of 256 bytes, so that
    /// its length reveals little about its content.
    func seal(
        _ name: RecordName, _ write: (inout SecretWriter) -> Void
    ) throws(KeyringError) -> [UInt8] {
        var record = SecretWriter(capacity: 1024)
        write(&record)
        return try seal(record.finish(paddedTo: 256), in: name.context)
    }

    /// Opens a sealed record and passes it to `body`.
    ///
    /// - Throws: `damaged` if the record was altered, or was sealed under another name.
    func read<Result: ~Copyable>(
        _ sealed: [UInt8], _ name: RecordName,
        _ body: (inout SecretReader) throws(InvalidRecord) -> Result
    ) throws(KeyringError) -> Result {
        var reader = SecretReader(try open(sealed.span, in: name.context))
        return try parsing(body(&reader))
    }
}

/// The statements that read and write records (smsenc-keyring(5), Tables).
extension Database {
    func sealedRecord(_ name: RecordName) throws(KeyringError) -> [UInt8]? {
        try statement("SELECT sealed FROM records WHERE kind = ? AND id = ?").bind(name)
            .first { $0.bytes(0) }
    }

    func write(_ sealed: [UInt8], as name: RecordName) throws(KeyringError) {
        try statement(
            """
            INSERT INTO records (kind, id, sealed) VALUES (?, ?, ?)
                ON CONFLICT (kind, id) DO UPDATE SET sealed = excluded.sealed
            """
        ).bind(name).bind(sealed).run()
    }

    func writeTag(_ tag: RecordTag, of name: RecordName) throws(KeyringError) {
        try statement("REPLACE INTO tags (kind, id, tag) VALUES (?, ?, ?)").bind(name)
            .bind(tag.bytes).run()
    }

    func delete(_ name: RecordName) throws(KeyringError) {
        try statement("DELETE FROM records WHERE kind = ? AND id = ?").bind(name).run()
        try statement("DELETE FROM tags WHERE kind = ? AND id = ?").bind(name).run()
    }
}

extension Statement {
    fileprivate func bind(_ name: RecordName) -> Statement {
        bind(Int64(name.kind.rawValue)).bind(name.id)
    }
}
