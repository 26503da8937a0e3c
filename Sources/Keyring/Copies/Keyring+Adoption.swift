package import System

/// The user's decisions about a keyring that was copied or restored (smsenc-keyring(1), adopt).
extension Keyring {
    /// Accepts a keyring that was moved, so that the original no longer exists.
    ///
    /// - Throws: `behind` for a keyring that was certainly restored, since continuing would use keys twice.
    package func adoptMoved() throws(KeyringError) {
        try adopt { (store) throws(KeyringError) in
            try store.checkIsNotBehind()
            store.bindToThisFile()
            // Clean up now, because a copy is not cleaned up when it is unlocked.
            if let now = store.ledger.time.now(clocks) { try store.eraseExpiredKeys(at: now) }
        }
    }

    /// Accepts a keyring that was restored. All chains are erased, and every contact must synchronise again.
    package func adoptRestored() throws(KeyringError) {
        try adopt { (store) throws(KeyringError) in
            store.bindToThisFile()
            for record in try store.ringRecords() {
                if let ring = store.unlockedRecord(record)?.ring {
                    try store.requireSynchronisation(in: ring)
                } else {
                    // Nobody can open the contacts of a transient identity whose session has ended.
                    try store.removeRing(record.id)
                }
            }
        }
    }
}

extension StandardPaths {
    /// Returns the folder of the rollback notes if a restart erases it, but not the keyring at `path`. The
    /// keyring is then refused after a restart.
    package func volatileState(besides path: String) -> String? {
        PathChecks.isInMemory(state) && !PathChecks.isInMemory(PathChecks.of(path)) ? state : nil
    }
}

extension KeyringStore {
    /// Binds the keyring to this machine and file, and raises its count to the rollback note's.
    fileprivate func bindToThisFile() {
        ledger.home = keyring.file.home
        ledger.commits = max(ledger.commits, noted ?? 0)
    }

    fileprivate func requireSynchronisation(in ring: Ring) throws(KeyringError) {
        for contact in try contactIDs(inRing: ring.id) {
            guard let link = try link(contact, in: ring) else { continue }
            link.eraseConversation()
            link.isRestored = true
            try clear(link)
            try put(link)
        }
    }
}
