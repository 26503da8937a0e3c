/// Numbers under another country: those without a calling code are read again.
extension Transaction {
    /// Brings the numbers of all rings that can be opened into the spelling that a country gives.
    ///
    /// - Throws: `numberTaken` when two contacts of a ring would have one number.
    func renumber(country: String) throws(KeyringError) {
        for ring in try openRings() {
            for contact in try contactIDs(inRing: ring.id) {
                try renumber(contact, country: country, in: ring)
            }
        }
    }

    private func renumber(_ id: Int64, country: String, in ring: Ring) throws(KeyringError) {
        guard let card = try database.first(.card, of: id) else { return }
        let contact = try Contact(card, ring)
        guard let number = contact.number,
            let fresh = PhoneNumber.normal(number, country: country), fresh != number,
            let link = try link(id, in: ring)
        else { return }
        if let holder = try self.contact(withNumber: fresh, in: ring) {
            throw .contact(.numberTaken(fresh, holder.name))
        }
        try put(Contact(id: id, name: contact.name, number: fresh), link)
    }
}
