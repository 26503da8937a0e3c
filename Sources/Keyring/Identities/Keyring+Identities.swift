internal import Crypto

/// Selects, adds, renames and removes identities. An identity cannot use the contacts of other identities.
extension Keyring {
    /// Selects the identity to use. If `name` is nil, selects the real identity.
    ///
    /// - Throws: `unknown`.
    package func act(as name: String?) throws(KeyringError) {
        try reading { (store) throws(KeyringError) in
            let identities = store.identities
            let id =
                if let name { try identities.identity(named: name).id } else {
                    try identities.real().id
                }
            store.keyring.ring = try identities.openRecord(id).ring
        }
    }

    /// Returns the file key of the identity in use.
    package func fileKey() throws(KeyringError) -> FileKey {
        try reading { (store) throws(KeyringError) in
            try store.identities.openRecord(store.keyring.ring.id).fileKey
        }
    }

    /// Returns all identities except transient identities of other sessions. The real identity is first. The
    /// other identities are sorted by name.
    package func identities() throws(KeyringError) -> [Identity] {
        try reading { (store) throws(KeyringError) in
            try store.identities.openRecords().map { $0.identity }
        }
    }

    /// Adds an identity without contacts.
    ///
    /// - Throws: `taken` or `secondReal`. For a transient identity, `noSession` if there is no session, or
    ///   `tooManyTransients`.
    package func addIdentity(_ name: String, _ kind: Identity.Kind) throws(KeyringError) {
        let name = try Identity.normalName(name)
        if kind == .real { throw .identity(.secondReal) }
        try change { (store) throws(KeyringError) in
            try store.identities.checkFree(name)
            let identity = Identity(id: try randomID(), kind: kind, name: name)
            let record = try IdentityRecord(new: identity, .drawn())
            guard kind == .transient else { return try store.identities.save(record) }
            let file = try store.identities.changeTransients { (list) throws(KeyringError) in
                guard list.count < Session.maximumTransients else {
                    throw .identity(.tooManyTransients)
                }
                list.append(record)
            }
            try store.identities.save(IdentityRecord(transient: identity.id, in: file))
        }
    }

    /// Renames an identity.
    package func renameIdentity(_ old: String, to new: String) throws(KeyringError) {
        let name = try Identity.normalName(new)
        try change { (store) throws(KeyringError) in
            let identity = try store.identities.identity(named: old)
            if identity.kind == .transient { throw .identity(.transientName) }
            if name != identity.name { try store.identities.checkFree(name) }
            try store.identities.save(try store.identities.record(identity.id).with(name: name))
        }
    }

    /// Removes an identity with all its contacts.
    ///
    /// - Throws: `realStays`.
    package func removeIdentity(_ name: String) throws(KeyringError) {
        try change { (store) throws(KeyringError) in
            let identity = try store.identities.identity(named: name)
            if identity.kind == .real { throw .identity(.realStays) }
            try store.identities.delete(identity.id)
            if identity.kind == .transient {
                _ = try store.identities.changeTransients { (list) in
                    list.removeAll { $0.id == identity.id }
                }
            }
        }
    }

    /// Removes the transient identities whose sessions have ended.
    package func purgeTransients() throws(KeyringError) {
        let ended = try reading { (store) throws(KeyringError) in
            try store.identities.records().filter { record in
                record.kind == .transient
                    && Session.hasEnded(at: record.name, clocks: clocks)
            }
        }
        guard !ended.isEmpty else { return }
        try change { (store) throws(KeyringError) in
            for record in ended where store.identities.exists(record.id) {
                try store.identities.delete(record.id)
            }
        }
    }
}
