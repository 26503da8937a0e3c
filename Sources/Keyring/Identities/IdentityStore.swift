internal import Crypto
internal import System

/// The store for the identities of a keyring. The names and keys of transient identities are not in the
/// keyring, but in the session file.
struct IdentityStore {
    let store: KeyringStore
    private var keyring: Keyring { store.keyring }

    func exists(_ id: Int64) -> Bool { store.tag(of: RecordName(.identity, id)) != nil }

    /// Returns the stored record of an identity. For a transient identity, the stored record contains
    /// neither the name nor the keys.
    func record(_ id: Int64) throws(KeyringError) -> IdentityRecord {
        try keyring.identityCache.value(
            RecordName(.identity, id), in: store, under: keyring.masterKeys.sealingKey,
            ifMissing: "an identity is missing", IdentityRecord.init(from:))
    }

    /// Returns the stored records of all identities.
    func records() throws(KeyringError) -> [IdentityRecord] {
        try store.ids(of: .identity).map(record)
    }

    func real() throws(KeyringError) -> IdentityRecord {
        guard let real = try records().first(where: { $0.kind == .real }) else {
            throw .store(.damaged("the real identity is missing"))
        }
        return real
    }

    /// Completes a stored record. If the record belongs to a transient identity, takes the name and the
    /// keys from the session file. Returns nil for a transient identity of another session.
    func opened(_ record: IdentityRecord) -> IdentityRecord? {
        guard record.kind == .transient else { return record }
        return keyring.transients.first { $0.id == record.id }?.with(addresses: record.addresses)
    }

    /// Returns the record of an existing identity, with its name and keys.
    ///
    /// - Throws: `noSession` for a transient identity of another session.
    func openRecord(_ id: Int64) throws(KeyringError) -> IdentityRecord {
        guard let open = opened(try record(id)) else { throw .identity(.noSession) }
        return open
    }

    /// Returns the records of all identities with their names and keys, except transient identities of other
    /// sessions. The real identity is first. The other identities are sorted by name.
    func openRecords() throws(KeyringError) -> [IdentityRecord] {
        try records().compactMap(opened).sorted { (one, other) in
            one.kind == .real || (other.kind != .real && one.name < other.name)
        }
    }

    /// Returns the ring of an identity, or nil for a transient identity of another session.
    func openRing(_ id: Int64) throws(KeyringError) -> Ring? {
        id == keyring.ring.id ? keyring.ring : opened(try record(id))?.ring
    }

    /// Returns the identity with the given name.
    ///
    /// - Throws: `unknown`.
    func identity(named name: String) throws(KeyringError) -> Identity {
        let normal = try Identity.normalName(name)
        guard let found = try openRecords().first(where: { $0.name == normal }) else {
            throw .identity(.unknown(name))
        }
        return found.identity
    }

    /// Checks that no identity has the given name.
    ///
    /// - Throws: `taken`.
    func checkFree(_ name: String) throws(KeyringError) {
        if try openRecords().contains(where: { $0.name == name }) { throw .identity(.taken(name)) }
    }

    func save(_ record: IdentityRecord) throws(KeyringError) {
        let name = RecordName(.identity, record.id)
        try store.save(name, under: keyring.masterKeys.sealingKey, record.write(to:))
    }

    /// Deletes an identity with all its contacts, even if its ring key is not known.
    func delete(_ id: Int64) throws(KeyringError) {
        let blocks = Set(try record(id).addresses)
        for kind in [RecordKind.contact, .past] {
            for contact in store.ids(of: kind)
            where blocks.contains(AddressBlock.id(of: ContactID(contact))) {
                try store.delete(RecordName(kind, contact))
            }
        }
        for block in blocks { try store.delete(RecordName(.addresses, block)) }
        try store.runs.deleteUnwritten(of: id)
        try store.delete(RecordName(.identity, id))
    }

    /// Changes the transient identities of the session, and returns the path of the session file.
    ///
    /// - Throws: `noSession`.
    func changeTransients(
        _ change: (inout [IdentityRecord]) throws(KeyringError) -> Void
    ) throws(KeyringError) -> String {
        guard let session = keyring.session else { throw .identity(.noSession) }
        try session.update(of: keyring.account.keyring, clocks: keyring.clocks) {
            (contents) throws(KeyringError) in
            try change(&contents.transients)
            keyring.transients = contents.transients
        }
        return session.path
    }
}
