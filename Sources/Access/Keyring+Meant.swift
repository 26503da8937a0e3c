package import Keyring
package import LineIO

/// There is no contact of that name, and one that is a slip away.
package struct UnknownContact: Complaint {
    let name: String
    let like: String

    package var status: ExitStatus { .rejected }

    package var text: String {
        "there is no contact \(quoted(name)); do you mean \(quoted(like))?"
    }
}

extension Keyring {
    /// The contact that a person names; for the rows of a table, where all contacts are not to be gone
    /// through again and again, there is `contact(named:)`.
    ///
    /// - Throws: `UnknownContact`, and what `contact(named:)` throws.
    package func contact(meant name: String) throws -> Contact {
        do throws(KeyringError) {
            return try contact(named: name)
        } catch {
            guard case .contact(.unknown) = error else { throw error }
            var names: [String] = []
            try eachContact { (contact, _) throws(KeyringError) in names.append(contact.name) }
            guard let like = Similar.word(to: name, among: names) else { throw error }
            throw UnknownContact(name: name, like: like)
        }
    }
}
