internal import Crypto

/// The names and numbers of the contacts of one identity. They are stored in address records (`AddressBlock`)
/// of up to 256 contacts. The record of the identity lists the ids of its address records.
extension ContactStore {
    /// Returns the contact with the given id, name or number, or nil if no contact matches.
    func first(_ key: AddressKey) throws(KeyringError) -> Contact? {
        var blocks = try identity().addresses
        if case .id(let contact) = key {
            blocks = blocks.filter { $0 == AddressBlock.id(of: contact) }
        }
        for id in blocks {
            if let found = try block(id).first(key) { return found }
        }
        return nil
    }

    /// Passes all contacts to `body`, in the order in which they were added.
    func forEach(_ body: (Contact) throws(KeyringError) -> Void) throws(KeyringError) {
        for id in try identity().addresses {
            for contact in try block(id, isKept: false).contacts() { try body(contact) }
        }
    }

    /// Adds a contact with a new id at the end. Returns the contact's state, which the caller must save.
    func add(name: String, number: String?) throws(KeyringError) -> ContactState {
        if let last = try identity().addresses.last {
            let block = try block(last)
            if block.usedIDs < AddressBlock.maximum {
                let id = ContactID(last + block.usedIDs)
                let contact = Contact(id: id, name: name, number: number)
                try save(try block.contacts() + [contact], last, usedIDs: block.usedIDs + 1)
                return ContactState(contact: id, in: ring)
            }
        }
        let id = AddressBlock.id(of: ContactID(try randomID()))
        try save([Contact(id: ContactID(id), name: name, number: number)], id, usedIDs: 1)
        try append(id)
        return ContactState(contact: ContactID(id), in: ring)
    }

    /// Adds contacts from a backup. All contacts must belong to the address record `block`. Contacts that are
    /// added later are stored in other address records. In the record `block`, a later contact could get the
    /// id of a removed contact, because the backup does not contain the ids of removed contacts.
    func add(_ contacts: [Contact], as block: Int64) throws(KeyringError) {
        try save(contacts, block, usedIDs: AddressBlock.maximum)
        try append(block)
    }

    private func append(_ block: Int64) throws(KeyringError) {
        let identity = try identity()
        try store.identities.save(identity.with(addresses: identity.addresses + [block]))
    }

    /// Changes contacts. Calls `change` with each contact. `change` returns the changed contact, or nil to
    /// remove the contact.
    func update(
        _ change: (Contact) throws(KeyringError) -> Contact?
    ) throws(KeyringError) {
        let identity = try identity()
        var removed: Set<Int64> = []
        for id in identity.addresses {
            let block = try block(id, isKept: false)
            let contacts = try block.contacts()
            var changed: [Contact] = []
            for contact in contacts {
                if let contact = try change(contact) { changed.append(contact) }
            }
            if changed == contacts { continue }
            if changed.isEmpty {
                try store.delete(RecordName(.addresses, id))
                removed.insert(id)
            } else {
                try save(changed, id, usedIDs: block.usedIDs)
            }
        }
        guard !removed.isEmpty else { return }
        try store.identities.save(
            identity.with(addresses: identity.addresses.filter { !removed.contains($0) }))
    }

    private func identity() throws(KeyringError) -> IdentityRecord {
        try store.identities.record(ring.id)
    }

    /// - Parameter isKept: false if the record should not be added to the cache.
    private func block(_ id: Int64, isKept: Bool = true) throws(KeyringError) -> AddressBlock {
        try store.keyring.addressCache.value(
            RecordName(.addresses, id), in: store, under: ring.sealingKey, isKept: isKept,
            ifMissing: "addresses are missing", AddressBlock.init(from:))
    }

    private func save(
        _ contacts: [Contact], _ id: Int64, usedIDs: Int64
    ) throws(KeyringError) {
        try store.save(RecordName(.addresses, id), under: ring.sealingKey) {
            AddressBlock.write(contacts, usedIDs: usedIDs, to: &$0)
        }
    }
}
