package import Protocol

/// Looks up what is known about sent messages. The contact of the last call remains loaded, because the next
/// call is usually about the same contact.
package struct SentQuery: ~Copyable {
    private let contacts: ContactStore
    private var name = ""
    private var state: ContactState?
    private var past = ConversationPast()

    /// - Throws: `leaving`, `behind`.
    package init(_ store: KeyringStore) throws(KeyringError) {
        try store.checkCanBeRead()
        contacts = store.contacts
    }

    /// Returns what is known about a message to a contact.
    ///
    /// - Parameter name: name, number or id of the contact.
    /// - Throws: `unknown`, `unclearNumber`.
    package mutating func state(
        of position: Position, to name: String
    ) throws(KeyringError) -> SentState {
        if state == nil || name != self.name {
            let contact: Contact
            do throws(KeyringError) { contact = try contacts.contact(named: name) } catch {
                // If the contact was removed, the message will never be confirmed. If the contact belongs to
                // another identity, the message may still be confirmed.
                guard case .contact(.unknown) = error, let id = ContactID(name),
                    contacts.store.tag(of: RecordName(.contact, id.number)) == nil
                else { throw error }
                return .ended
            }
            let found = try contacts.state(of: contact)
            past = try contacts.past(of: found)
            if let current = found.sendingName {
                past.sent.insert(&found.recentlySent, in: current)
            }
            (state, self.name) = (found, name)
        }
        guard let state else { return .unknown }
        return past.sent.state(of: position, current: state.sendingName)
    }
}

extension Keyring {
    /// Returns a contact's state, and the number of sent messages that the contact's receipts list as
    /// missing.
    ///
    /// - Throws: `unknown` if the contact no longer exists, `behind`, `damaged`.
    package func stateAndMissing(
        of contact: Contact
    ) throws(KeyringError) -> (state: ContactState, missing: Int) {
        try reading { (store) throws(KeyringError) in
            try store.checkCanBeRead()
            let state = try store.contacts.state(of: contact)
            guard let name = state.sendingName else { return (state, 0) }
            return (state, try store.contacts.past(of: state).sent.missing(in: name))
        }
    }
}
