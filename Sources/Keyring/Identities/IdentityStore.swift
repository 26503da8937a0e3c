internal import Crypto
internal import System

/// The identities in the rows of a keyring. The names and keys of transient identities are stored in the
/// session's file instead.
struct IdentityStore {
    let store: KeyringStore
    private var keys: UnlockedKeys { store.keys }

    /// Returns the records of all identities, in the order in which they were added.
    func records() throws(KeyringError) -> [IdentityRecord] {
        var found: [IdentityRecord] = []
        try store.forEachRow(.ring) { (stored) throws(KeyringError) in
            found.append(try .opened(stored, keys.masterKeys))
        }
        return found
    }

    /// Returns the record with its name and keys, or nil if it belongs to a transient identity of another
    /// session. For a transient identity of this session, the name and the keys are those in the session's
    /// file.
    func unlocked(_ record: IdentityRecord) -> IdentityRecord? {
        record.kind == .transient ? keys.transients[record.id] : record
    }

    /// Returns the record of an existing identity, with its name and keys.
    ///
    /// - Throws: `noSession` if it belongs to a transient identity of another session.
    func unlocked(_ id: Int64) throws(KeyringError) -> IdentityRecord {
        let record = try IdentityRecord.stored(id, in: store.database, keys.masterKeys)
        guard let unlocked = unlocked(record) else { throw .identity(.noSession) }
        return unlocked
    }

    /// Returns the rings of all identities, except transient identities of other sessions.
    func openRings() throws(KeyringError) -> [Ring] {
        try records().compactMap { unlocked($0)?.ring }
    }

    /// Returns all identities in the order in which they were added, except transient identities of other
    /// sessions.
    func all() throws(KeyringError) -> [Identity] {
        try records().compactMap { unlocked($0) }
            .map { Identity(id: $0.id, kind: $0.kind, name: $0.name) }
    }

    /// Returns the identity with the given name.
    ///
    /// - Throws: `unknown`.
    func identity(named name: String) throws(KeyringError) -> Identity {
        let normal = try Identity.normalName(name)
        guard let found = try all().first(where: { $0.name == normal }) else {
            throw .identity(.unknown(name))
        }
        return found
    }

    /// Checks that no identity has the given name.
    ///
    /// - Throws: `taken`.
    func checkFree(_ name: String) throws(KeyringError) {
        if try all().contains(where: { $0.name == name }) { throw .identity(.taken(name)) }
    }

    /// Writes the record of an identity with the next version number of the identity.
    func save(_ record: IdentityRecord) throws(KeyringError) {
        try store.save(record.encoded(), as: record.nextRow, under: keys.masterKeys.sealingKey)
    }

    /// Deletes an identity with all its contacts.
    func delete(_ id: Int64, _ kind: Identity.Kind) throws(KeyringError) {
        try store.contacts.deleteAll(inRing: id, areInBackups: kind != .transient)
        for row in try store.transit.unwrittenRows(inRing: id) { try store.delete(row) }
        try store.delete([.ring], of: id)
    }

    /// Changes the transient identities of the session, and returns the name of the session's file.
    ///
    /// - Throws: `noSession`.
    func changeTransients(
        _ change: (inout TransientIdentities) throws(KeyringError) -> Void
    ) throws(KeyringError) -> String {
        guard let session = keys.session else { throw .identity(.noSession) }
        let keyring = store.keyring
        try session.update(of: keyring.account.keyring, clocks: keyring.clocks) {
            (contents) throws(KeyringError) in
            try change(&contents.transients)
            keys.transients = contents.transients
            return true
        }
        return session.name
    }
}
