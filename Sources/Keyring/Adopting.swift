/// Answers of the owner to a keyring that found itself copied (PROTOCOL.md, section 7).
extension Keyring {
    /// It was moved, and the original is gone: all goes on.
    package func adoptMoved() throws(KeyringError) {
        let noted = try notedCommits()
        try commit(isAdoption: true) { (_, change) throws(KeyringError) in
            settleHere(&change.ledger, noted)
        }
    }

    /// It was restored: all chains are erased, and every contact must synchronise again.
    package func adoptRestored() throws(KeyringError) {
        let noted = try notedCommits()
        try commit(isAdoption: true) { (keys, change) throws(KeyringError) in
            settleHere(&change.ledger, noted)
            let rows = LinkRows(self, keys)
            var last: Int64 = 0
            while let contact = try nextContact(after: last) {
                last = contact
                guard let link = try rows.link(contact) else { continue }
                link.forget()
                try rows.clear(contact)
                try rows.save(stateOf: link)
            }
        }
    }

    private func nextContact(after id: Int64) throws(KeyringError) -> Int64? {
        try database.statement("SELECT id FROM contacts WHERE id > ? ORDER BY id LIMIT 1")
            .bind(id).first { $0.integer(0) }
    }
}
