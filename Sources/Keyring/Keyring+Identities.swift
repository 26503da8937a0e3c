internal import Crypto

/// Identities: rings of contacts unknown to each other.
extension Keyring {
    /// Acts under an identity from here on; the real one where none is named.
    ///
    /// - Throws: `unknown`.
    package func act(as name: String?) throws(KeyringError) {
        let keys = try unlocked()
        guard let name else { return keys.ring = try ring(Identity.realID, keys) }
        keys.ring = try ring(try identity(named: name).id, keys)
    }

    /// All identities, in the order in which they were made; transient ones of this session only.
    package func identities() throws(KeyringError) -> [Identity] {
        let keys = try unlocked()
        return try database.reading { () throws(KeyringError) in
            let ledger = try Ledger(from: database, keys.vault)
            try Audit(database, keys.vault, ledger).rings()
            return try identities(keys)
        }
    }

    private func identities(_ keys: Keys) throws(KeyringError) -> [Identity] {
        var found: [Identity] = []
        let rows = try database.statement("SELECT id, version, record FROM rings ORDER BY id")
        while try rows.step() {
            let record = try RingRecord(in: rows, keys.vault)
            if record.kind != .transient {
                found.append(Identity(id: record.id, kind: record.kind, name: record.name))
            } else if let transient = keys.transients[record.id] {
                found.append(Identity(id: record.id, kind: .transient, name: transient.name))
            }
        }
        return found
    }

    /// Adds an identity with an empty ring.
    ///
    /// - Throws: `taken`, `secondReal`, `noSession` for a transient one without a session.
    package func addIdentity(_ name: String, _ kind: Identity.Kind) throws(KeyringError) {
        let name = try Identity.normalName(name)
        if kind == .real { throw .identity(.secondReal) }
        try commit { (keys, commit) throws(KeyringError) in
            try checkFree(identity: name)
            commit.ledger.lastRing += 1
            let id = commit.ledger.lastRing
            let key = try randomSecret(32)
            guard kind == .transient else {
                let record = RingRecord(
                    id: id, kind: kind, key: key, name: name, fileKey: try .drawn())
                return try record.write(to: database, keys.vault, commit.ledger)
            }
            let transient = Transient(ring: id, key: key, name: name, fileKey: try .drawn())
            let file = try changeTransients(keys) { (list) throws(KeyringError) in
                try list.append(transient)
            }
            let record = RingRecord(
                id: id, kind: kind, key: SecretBytes(count: 32), name: file, fileKey: nil)
            try record.write(to: database, keys.vault, commit.ledger)
        }
    }

    /// Gives an identity another name.
    package func renameIdentity(_ old: String, to new: String) throws(KeyringError) {
        let name = try Identity.normalName(new)
        try commit { (keys, commit) throws(KeyringError) in
            let identity = try identity(named: old)
            if identity.kind == .transient { throw KeyringError.identity(.transientName) }
            if name != identity.name { try checkFree(identity: name) }
            var record = try ringRecord(identity.id, keys)
            record.name = name
            try record.write(to: database, keys.vault, commit.ledger)
        }
    }

    /// Removes an identity with all its contacts.
    ///
    /// - Throws: `realStays`.
    package func removeIdentity(_ name: String) throws(KeyringError) {
        try commit { (keys, commit) throws(KeyringError) in
            let identity = try identity(named: name)
            if identity.kind == .real { throw KeyringError.identity(.realStays) }
            try removeRing(identity.id, commit.ledger, keys)
            if identity.kind == .transient {
                _ = try changeTransients(keys) { $0.remove(ring: identity.id) }
            }
        }
    }

    /// Removes the rings of transient identities whose sessions have ended.
    package func purgeTransients() throws(KeyringError) {
        let keys = try unlocked()
        var ended: [Int64] = []
        let rows = try database.statement("SELECT id, version, record FROM rings ORDER BY id")
        while try rows.step() {
            let record = try RingRecord(in: rows, keys.vault)
            if record.kind == .transient, !isOpen(session: record.name) { ended.append(record.id) }
        }
        guard !ended.isEmpty else { return }
        try commit { (keys, commit) throws(KeyringError) in
            for ring in ended { try removeRing(ring, commit.ledger, keys) }
        }
    }

    /// Another identity whose ring holds a number; nil where there is none.
    func identity(
        knowing number: String, beside present: Int64, _ keys: Keys
    ) throws(KeyringError) -> Identity? {
        for identity in try identities() where identity.id != present {
            let ring = try ring(identity.id, keys)
            let tag = ring.numberTag(number)
            let isThere = try database.statement("SELECT 1 FROM contacts WHERE number_tag = ?")
                .bind(tag).first { _ in true }
            if isThere == true { return identity }
        }
        return nil
    }

    /// The keys of a ring.
    func ring(_ id: Int64, _ keys: Keys) throws(KeyringError) -> Ring {
        guard let ring = try openRing(id, keys) else { throw .identity(.noSession) }
        return ring
    }

    /// The ids of all rings.
    func ringIDs() throws(KeyringError) -> [Int64] {
        var ids: [Int64] = []
        let rows = try database.statement("SELECT id FROM rings ORDER BY id")
        while try rows.step() { ids.append(rows.integer(0)) }
        return ids
    }

    /// The next contact of a ring, in the order of ids.
    func nextContact(inRing ring: Int64, after id: Int64) throws(KeyringError) -> Int64? {
        try database.statement(
            "SELECT id FROM contacts WHERE ring = ? AND id > ? ORDER BY id LIMIT 1"
        ).bind(ring).bind(id).first { $0.integer(0) }
    }

    /// The keys of a ring; nil for a transient identity's of another session.
    func openRing(_ id: Int64, _ keys: Keys) throws(KeyringError) -> Ring? {
        try ring(of: try ringRecord(id, keys), keys)
    }

    /// The same by its record.
    func ring(of record: borrowing RingRecord, _ keys: Keys) throws(KeyringError) -> Ring? {
        guard record.kind == .transient else {
            return try Ring(id: record.id, key: record.key.duplicate())
        }
        guard let held = keys.transients[record.id] else { return nil }
        return try Ring(id: record.id, key: held.key.duplicate())
    }

    private func identity(named name: String) throws(KeyringError) -> Identity {
        let normal = try Identity.normalName(name)
        guard let found = try identities().first(where: { $0.name == normal }) else {
            throw .identity(.unknown(name))
        }
        return found
    }

    private func checkFree(identity name: String) throws(KeyringError) {
        if try identities().contains(where: { $0.name == name }) { throw .identity(.taken(name)) }
    }

    /// Removes an identity's ring with all its contacts.
    func removeRing(
        _ ring: Int64, _ ledger: Ledger, _ keys: Keys
    ) throws(KeyringError) {
        // None may be another's that only seems to be in this ring, and none be left out.
        try Audit(database, keys.vault, ledger).contacts()
        let rows = LinkRows(self, keys, ledger)
        var last: Int64 = 0
        while let contact = try nextContact(inRing: ring, after: last) {
            last = contact
            try rows.remove(contact)
        }
        try ringRecord(ring, keys).remove(from: database, ledger)
    }
}
