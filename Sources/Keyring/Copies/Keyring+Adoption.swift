/// Answers of the owner to a keyring that found itself copied (smsenc(7), State on disk).
extension Keyring {
    /// It was moved, and the original is gone: all goes on.
    ///
    /// - Throws: `behind` for one that was certainly restored: going on would use keys twice.
    package func adoptMoved() throws(KeyringError) {
        let noted = try notedCommits()
        try commit(isAdoption: true) { (_, commit) throws(KeyringError) in
            if commit.ledger.commits < noted { throw KeyringError.copy(.behind) }
            bringHere(commit.ledger, noted)
        }
    }

    /// It was restored: all chains are erased, and every contact must synchronise again.
    package func adoptRestored() throws(KeyringError) {
        let noted = try notedCommits()
        try commit(isAdoption: true) { (keys, commit) throws(KeyringError) in
            bringHere(commit.ledger, noted)
            try Audit(database, keys.vault, commit.ledger).contacts()
            for id in try ringIDs() {
                if let ring = try openRing(id, keys) {
                    try forgetAll(LinkRows(self, keys, commit.ledger, ring: ring))
                } else {
                    // A transient identity whose session has ended: nobody can open its contacts.
                    try removeRing(id, commit.ledger, keys)
                }
            }
        }
    }

    private func forgetAll(_ rows: LinkRows) throws(KeyringError) {
        var last: Int64 = 0
        while let contact = try nextContact(inRing: rows.ring.id, after: last) {
            last = contact
            guard let link = try rows.link(contact) else { continue }
            link.forget()
            try rows.clear(contact)
            try rows.save(stateOf: link)
        }
    }
}
