internal import PhoneNumbers
package import Protocol

extension Keyring {
    /// Looks up a contact by its name, number or id. A name must match exactly.
    ///
    /// - Throws: `unknown`.
    package func contact(named text: String) throws(KeyringError) -> Contact {
        try reading { (store) throws(KeyringError) in try store.contacts.contact(named: text) }
    }

    /// Returns the state of a contact.
    ///
    /// - Throws: `unknown`.
    package func state(of contact: Contact) throws(KeyringError) -> ContactState {
        try reading { (store) throws(KeyringError) in
            try store.checkCanBeRead()
            return try store.contacts.state(of: contact)
        }
    }

    /// Passes each contact of the identity in use to `body`, in the order in which the contacts were added.
    ///
    /// - Throws: `behind`, `damaged`.
    package func eachContact(
        _ body: (Contact, ContactState) throws(KeyringError) -> Void
    ) throws(KeyringError) {
        try reading { (store) throws(KeyringError) in
            try store.checkCanBeRead()
            try store.contacts.forEachState(body)
        }
    }

    /// Passes each contact of the identity in use to `body`, without opening the contact's state.
    ///
    /// - Throws: `behind`, `damaged`.
    package func eachCard(
        _ body: (Contact) throws(KeyringError) -> Void
    ) throws(KeyringError) {
        try reading { (store) throws(KeyringError) in
            try store.checkCanBeRead()
            try store.contacts.forEach(body)
        }
    }

    /// Adds a contact. Generates the user's sync key for this contact, and returns the sync key.
    ///
    /// - Parameter force: true to accept a number that belongs to a contact of another identity.
    /// - Throws: `badName`, `badNumber`, `unclearNumber`, `nameTaken`, `numberTaken`, `knownAs`.
    package func add(
        name: String, number: String?, force: Bool = false
    ) throws(KeyringError) -> SyncKey {
        let name = try Contact.normalName(name)
        let number = try normalNumber(number)
        return try change { (store) throws(KeyringError) in
            let contacts = store.contacts
            try contacts.checkFree(name: name, number: number)
            if !force, let number { try contacts.checkUnknown(number) }
            return try contacts.newSyncKey(for: contacts.add(name: name, number: number))
        }
    }

    /// Removes a contact and all its keys.
    package func remove(_ contact: Contact) throws(KeyringError) {
        try change { (store) throws(KeyringError) in
            guard try store.contacts.state(contact.id) != nil else {
                throw .contact(.unknown(contact.name))
            }
            try store.contacts.delete(contact.id)
        }
    }

    /// Changes a contact's name or number. If `name` is nil, the name remains unchanged. If `number` is nil,
    /// the number remains unchanged. An empty `number` removes the contact's number.
    ///
    /// - Throws: the errors of `add`, and `unknown`.
    package func edit(
        _ contact: Contact, name: String?, number: String?, force: Bool = false
    ) throws(KeyringError) {
        let name = try Contact.normalName(name ?? contact.name)
        let removesNumber = number == ""
        let number = try normalNumber(removesNumber ? nil : number)
        let changed = Contact(
            id: contact.id, name: name, number: removesNumber ? nil : number ?? contact.number)
        try change { (store) throws(KeyringError) in
            let contacts = store.contacts
            try contacts.checkFree(name: name, number: changed.number, except: contact.id)
            if !force, let number { try contacts.checkUnknown(number) }
            _ = try contacts.state(of: contact)
            try contacts.update { $0.id == contact.id ? changed : $0 }
        }
    }

    /// Sets whether receipts are sent to a contact.
    package func setReceipts(of contact: Contact, _ isOn: Bool) throws(KeyringError) {
        try change { (store) throws(KeyringError) in
            let state = try store.contacts.state(of: contact)
            guard state.getsReceipts != isOn else { return }
            state.getsReceipts = isOn
            try store.contacts.save(state)
        }
    }

    private func normalNumber(_ text: String?) throws(KeyringError) -> String? {
        guard let text else { return nil }
        switch PhoneNumber(text, country: account.country) {
        case .complete(let number), .national(let number): return number
        case .unclear(let readings): throw .contact(.unclearNumber(text, readings))
        case .invalid: throw .contact(.badNumber(text))
        }
    }
}
