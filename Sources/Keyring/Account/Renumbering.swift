internal import Crypto

/// Numbers under another country: those without a calling code are read again.
extension Keyring {
    /// Brings the numbers of all rings that can be opened into the spelling that a country gives.
    ///
    /// - Throws: `numberTaken` when two contacts of a ring would have one number.
    func renumber(
        country: String, _ keys: Keys, _ ledger: Ledger
    ) throws(KeyringError) {
        try Audit(database, keys.vault, ledger).contacts()
        for id in try ringIDs() {
            guard let ring = try openRing(id, keys) else { continue }
            var last: Int64 = 0
            while let contact = try nextContact(inRing: ring.id, after: last) {
                last = contact
                try renumber(
                    contact, country: country, LinkRows(self, keys, ledger, ring: ring))
            }
        }
    }

    private func renumber(
        _ id: Int64, country: String, _ links: LinkRows
    ) throws(KeyringError) {
        let rows = ContactRows(database: database)
        guard let contact = try rows.contact(id, in: links.ring), let number = contact.number,
            let fresh = PhoneNumber.normal(number, country: country), fresh != number
        else { return }
        if let holder = try rows.contact(numbered: fresh, in: links.ring) {
            throw .contact(.numberTaken(fresh, holder.name))
        }
        try links.update(contact, name: contact.name, number: fresh)
    }
}
