package import Protocol

/// Finding, adding, changing and removing contacts.
extension Keyring {
    /// Returns the contact with a name or a number. The name must match exactly.
    ///
    /// - Throws: `unknown`.
    package func contact(named text: String) throws(KeyringError) -> Contact {
        try reading { (store) throws(KeyringError) in try store.contact(named: text) }
    }

    /// Returns the state of a contact.
    ///
    /// - Throws: `unknown`.
    package func link(of contact: Contact) throws(KeyringError) -> ContactState {
        try reading { (store) throws(KeyringError) in
            try store.verify()
            return try store.link(of: contact)
        }
    }

    /// Adds a contact, and returns a new own sync key for it.
    ///
    /// - Parameter force: true to accept a number that belongs to a contact of another identity.
    /// - Throws: `badName`, `badNumber`, `nameTaken`, `numberTaken`, `knownAs`.
    package func add(
        name: String, number: String?, force: Bool = false
    ) throws(KeyringError) -> SyncKey {
        let name = try Contact.normalName(name)
        let number = try normalNumber(number)
        return try change { (store) throws(KeyringError) in
            try store.checkFree(name: name, number: number)
            if !force, let number { try store.checkUnknown(number) }
            let contact = store.newContact(name: name, number: number)
            let link = ContactState(contact: contact.id, in: store.keys.ring)
            let key = try store.newOwnKey(for: link)
            try store.put(contact, link)
            return key
        }
    }

    /// Removes a contact and all its keys.
    package func remove(_ contact: Contact) throws(KeyringError) {
        try change { (store) throws(KeyringError) in
            try store.remove(try store.link(of: contact))
        }
    }

    /// Changes a contact's name or number. Nil leaves it as it is, and an empty number removes the number.
    ///
    /// - Throws: the errors of `add`, and `unknown`.
    package func edit(
        _ contact: Contact, name: String?, number: String?, force: Bool = false
    ) throws(KeyringError) {
        let name = try Contact.normalName(name ?? contact.name)
        let isTakenAway = number == ""
        let number = try normalNumber(isTakenAway ? nil : number)
        let changed = Contact(
            id: contact.id, name: name, number: isTakenAway ? nil : number ?? contact.number)
        try change { (store) throws(KeyringError) in
            try store.checkFree(name: name, number: changed.number, except: contact.id)
            if !force, let number { try store.checkUnknown(number) }
            try store.put(changed, try store.link(of: contact))
        }
    }

    /// Sets whether a contact gets receipts.
    package func setReceipts(of contact: Contact, _ isOn: Bool) throws(KeyringError) {
        try change { (store) throws(KeyringError) in
            let link = try store.link(of: contact)
            store.isNeeded = link.getsReceipts != isOn
            guard store.isNeeded else { return }
            link.getsReceipts = isOn
            try store.put(link)
            try store.recordChange(of: contact.id, in: link.ring)
        }
    }

    private func normalNumber(_ text: String?) throws(KeyringError) -> String? {
        guard let text else { return nil }
        guard let number = PhoneNumber.normal(text, country: account.country) else {
            throw .contact(.badNumber(text))
        }
        return number
    }
}

extension KeyringStore {
    /// Returns a contact with a new id.
    func newContact(name: String, number: String?) -> Contact {
        ledger.lastContact += 1
        return Contact(id: ledger.lastContact, name: name, number: number)
    }

    /// Checks that no other contact of this identity has the name or the number.
    ///
    /// - Throws: `nameTaken`, `numberTaken`.
    fileprivate func checkFree(
        name: String, number: String?, except id: Int64 = 0
    ) throws(KeyringError) {
        let namesake = try contact(withName: name)
        if let namesake, namesake.id != id { throw .contact(.nameTaken(name)) }
        var free = namesake == nil ? [keys.ring.nameTag(name)] : []
        if let number {
            let holder = try contact(withNumber: number)
            if let holder, holder.id != id { throw .contact(.numberTaken(number, holder.name)) }
            if holder == nil { free.append(keys.ring.numberTag(number)) }
        }
        try checkContacts(without: free)
    }

    /// Checks that no other identity's contact has a number.
    ///
    /// - Throws: `knownAs`.
    fileprivate func checkUnknown(_ number: String) throws(KeyringError) {
        for identity in try identities() where identity.id != keys.ring.id {
            if try contact(withNumber: number, in: try unlockedRecord(identity.id).ring) != nil {
                throw .contact(.knownAs(number, identity))
            }
        }
    }
}

/// Converting numbers without a calling code after the country has changed.
extension KeyringStore {
    /// Normalises the numbers of all rings that can be opened for a country.
    ///
    /// - Throws: `numberTaken` if two contacts of a ring would have the same number.
    func renumber(country: String) throws(KeyringError) {
        for ring in try openRings() {
            for id in try contactIDs(inRing: ring.id) {
                guard let card = try database.first(.card, of: id) else { continue }
                let contact = try Contact(card, ring)
                guard let number = contact.number,
                    let fresh = PhoneNumber.normal(number, country: country), fresh != number,
                    let link = try link(id, in: ring)
                else { continue }
                if let holder = try self.contact(withNumber: fresh, in: ring) {
                    throw .contact(.numberTaken(fresh, holder.name))
                }
                try put(Contact(id: id, name: contact.name, number: fresh), link)
            }
        }
    }
}
