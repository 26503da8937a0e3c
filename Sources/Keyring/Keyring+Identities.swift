internal import Crypto
internal import System

/// Identities. The contacts of one identity are not visible under another.
extension Keyring {
    /// Selects the identity in use: the one with a name, or the real identity if `name` is nil.
    ///
    /// - Throws: `unknown`.
    package func act(as name: String?) throws(KeyringError) {
        try reading { (store) throws(KeyringError) in
            let id = try name.map(store.identity(named:))?.id ?? Identity.realID
            store.keys.ring = try store.unlockedRecord(id).ring
        }
    }

    /// Returns all identities in the order in which they were added, except transient identities of other
    /// sessions.
    package func identities() throws(KeyringError) -> [Identity] {
        try reading { (store) throws(KeyringError) in
            try Verification(store).rings()
            return try store.identities()
        }
    }

    /// Adds an identity with an empty ring.
    ///
    /// - Throws: `taken`, `secondReal`, and `noSession` if a transient identity is added without a session.
    package func addIdentity(_ name: String, _ kind: Identity.Kind) throws(KeyringError) {
        let name = try Identity.normalName(name)
        if kind == .real { throw .identity(.secondReal) }
        try change { (store) throws(KeyringError) in
            try store.checkFree(identity: name)
            store.ledger.lastRing += 1
            let id = store.ledger.lastRing
            let record = RingRecord(
                id: id, kind: kind, key: try randomSecret(32), name: name, fileKey: try .drawn())
            guard kind == .transient else { return try store.put(record) }
            let file = try store.changeTransients { (list) throws(KeyringError) in
                try list.append(record)
            }
            try store.put(RingRecord(transient: id, in: file))
        }
    }

    /// Renames an identity.
    package func renameIdentity(_ old: String, to new: String) throws(KeyringError) {
        let name = try Identity.normalName(new)
        try change { (store) throws(KeyringError) in
            let identity = try store.identity(named: old)
            if identity.kind == .transient { throw .identity(.transientName) }
            if name != identity.name { try store.checkFree(identity: name) }
            let record = try store.ringRecord(identity.id)
            record.name = name
            try store.put(record)
        }
    }

    /// Removes an identity with all its contacts.
    ///
    /// - Throws: `realStays`.
    package func removeIdentity(_ name: String) throws(KeyringError) {
        try change { (store) throws(KeyringError) in
            let identity = try store.identity(named: name)
            if identity.kind == .real { throw .identity(.realStays) }
            try store.removeRing(identity.id)
            if identity.kind == .transient {
                _ = try store.changeTransients { $0.remove(ring: identity.id) }
            }
        }
    }

    /// Removes the rings of transient identities whose sessions have ended.
    package func purgeTransients() throws(KeyringError) {
        let ended = try reading { (store) throws(KeyringError) in
            try store.ringRecords().filter { record in
                record.kind == .transient
                    && !Session.isOpen(
                        name: record.name, folder: file.places.sessions, clocks: clocks)
            }
        }
        guard !ended.isEmpty else { return }
        try change { (store) throws(KeyringError) in
            for ring in ended { try store.removeRing(ring.id) }
        }
    }
}

extension KeyringStore {
    fileprivate func identity(named name: String) throws(KeyringError) -> Identity {
        let normal = try Identity.normalName(name)
        guard let found = try identities().first(where: { $0.name == normal }) else {
            throw .identity(.unknown(name))
        }
        return found
    }

    fileprivate func checkFree(identity name: String) throws(KeyringError) {
        if try identities().contains(where: { $0.name == name }) { throw .identity(.taken(name)) }
    }
}
