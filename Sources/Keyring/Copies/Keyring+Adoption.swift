package import System

/// The user's decisions about a keyring that was copied or restored (smsenc-keyring(1), adopt).
extension Keyring {
    /// Accepts a keyring that was moved, so that the original no longer exists.
    ///
    /// - Throws: `behind` for a keyring that was certainly restored, because continuing would use keys twice.
    package func adoptMoved() throws(KeyringError) {
        try change(.adoption) { (store) throws(KeyringError) in
            try store.checkIsNotBehind()
            store.bindToThisFile()
            // Erase expired keys now, because they are not erased when a copied keyring is unlocked.
            if let now = store.header.time.now(clocks) { try store.eraseExpiredKeys(at: now) }
        }
    }

    /// Accepts a keyring that was restored. All chains are erased, and the user must synchronise with every
    /// contact again.
    package func adoptRestored() throws(KeyringError) {
        try change(.adoption) { (store) throws(KeyringError) in
            store.bindToThisFile()
            for record in try store.identities.records() {
                if let ring = store.identities.unlocked(record)?.ring {
                    try store.contacts.requireSynchronisation(in: ring)
                } else {
                    // The contacts of this transient identity cannot be opened here, because it belongs to
                    // another session.
                    try store.identities.delete(record.id)
                }
            }
        }
    }
}

extension StandardPaths {
    /// Returns the folder of the rollback notes if a reboot erases this folder but keeps the keyring at
    /// `path`, otherwise nil. After such a reboot, the keyring is refused, because its note is missing.
    package func volatileState(besides path: String) -> String? {
        PathChecks.isInMemory(state) && !PathChecks.isInMemory(PathChecks.folder(of: path))
            ? state : nil
    }
}

extension KeyringStore {
    /// Binds the keyring to this machine and file, and raises its count of commits to the count in the
    /// rollback note.
    fileprivate func bindToThisFile() {
        header.hostBinding = keyring.file.hostBinding
        header.commits = max(header.commits, countInNote ?? 0)
    }
}
