package import System

/// Answers of the owner to a keyring that found itself copied (smsenc(7), State on disk).
extension Keyring {
    /// It was moved, and the original is gone: all goes on.
    ///
    /// - Throws: `behind` for one that was certainly restored: going on would use keys twice.
    package func adoptMoved() throws(KeyringError) {
        try commit(for: .adoption) { (transaction) throws(KeyringError) in
            try transaction.checkIsNotBehind()
            transaction.bringHere()
            // A copy was not tidied up.
            if let now = transaction.ledger.time.now(clocks) { try transaction.tidyKept(at: now) }
        }
    }

    /// It was restored: all chains are erased, and every contact must synchronise again.
    package func adoptRestored() throws(KeyringError) {
        try commit(for: .adoption) { (transaction) throws(KeyringError) in
            transaction.bringHere()
            for record in try transaction.ringRecords() {
                if let ring = transaction.held(record)?.ring {
                    try transaction.forgetAll(in: ring)
                } else {
                    // A transient identity whose session has ended: nobody can open its contacts.
                    try transaction.removeRing(record.id)
                }
            }
        }
    }
}

extension StandardPaths {
    /// The folder of the rollback notes, if it is gone after a restart and the keyring at `path` is not: the
    /// keyring is refused then.
    package func volatileState(besides path: String) -> String? {
        SafeFolder.isVolatile(state) && !SafeFolder.isVolatile(SafeFolder.of(path)) ? state : nil
    }
}

extension Transaction {
    /// Records that the keyring lives here, and is as new as any that was seen here.
    fileprivate func bringHere() {
        ledger.home = keyring.home
        ledger.commits = max(ledger.commits, noted ?? 0)
    }

    fileprivate func forgetAll(in ring: Ring) throws(KeyringError) {
        for contact in try contactIDs(inRing: ring.id) {
            guard let link = try link(contact, in: ring) else { continue }
            link.forget()
            link.isRestored = true
            try clear(link)
            try put(link)
        }
    }
}
