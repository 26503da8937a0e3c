package import Keyring
internal import Protocol
package import ToolKit

/// Suggests a similar name if a contact is unknown. Use the same object for a whole run of a tool.
package final class NameSuggestions {
    /// The names of all contacts, which are read from the keyring when a contact is unknown for the first
    /// time.
    private var names: [String]?
    /// Number of similar names that may still be suggested. For each suggestion, a name is compared with
    /// the names of all contacts. Without a limit on suggestions, a tool would need minutes for a table
    /// with many unknown names.
    private var remaining = 100

    package init() {}

    /// Looks up a contact by a name that the user typed or wrote in a table.
    ///
    /// - Throws: the errors of `Keyring.contact(named:)`. If the name is unknown, the error suggests a
    ///   similar name.
    package func contact(_ name: String, of keyring: Keyring) throws(ExitError) -> Contact {
        do throws(KeyringError) {
            return try keyring.contact(named: name)
        } catch {
            let text = try throwingExitError(text(for: error, keyring.eachCard))
            throw ExitError(error.status, text, recordStatus: error.recordStatus)
        }
    }

    /// Returns the diagnostic for a contact that could not be looked up. If the name is unknown, the text
    /// suggests a similar name.
    ///
    /// - Parameter eachCard: calls its argument with each contact of the keyring.
    package func text(
        for error: KeyringError,
        _ eachCard: ((Contact) throws(KeyringError) -> Void) throws(KeyringError) -> Void
    ) throws(KeyringError) -> String {
        guard case .contact(.unknown(let name)) = error, remaining > 0 else { return error.text }
        remaining -= 1
        if names == nil {
            var all: [String] = []
            try eachCard { (contact) throws(KeyringError) in all.append(contact.name) }
            names = all
        }
        let reason = "no contact named \(quoted(name))"
        if let similar = SpellingSuggestion.word(to: name, among: names ?? []) {
            return "\(reason); did you mean \(quoted(similar))?"
        }
        if (try? SyncKey(reading: name.utf8.span)) != nil {
            return
                "\(quoted(name)) is a sync key, not a contact; give the name of the contact, and enter the key when the command asks for it"
        }
        if let first = name.split(separator: ",").first.map(String.init), first != name,
            names?.contains(first) == true
        {
            return "\(reason); give each contact separately, such as \(quoted(first))"
        }
        return HeadingGuess.containsWord(name)
            ? "\(reason); if this is the heading of a table, remove this line" : error.text
    }
}

extension Keyring {
    /// Calls `body`, which looks up an identity by a name that the user typed.
    ///
    /// - Throws: the errors of `body`. If the name is unknown, the error suggests a similar name.
    package func withIdentity(
        _ body: @autoclosure () throws(KeyringError) -> Void
    ) throws(ExitError) {
        do throws(KeyringError) {
            try body()
        } catch {
            guard case .identity(.unknown(let name)) = error else { throw error.exitError }
            let names = try throwingExitError(identities()).map { $0.name }
            guard let similar = SpellingSuggestion.word(to: name, among: names) else {
                throw error.exitError
            }
            throw ExitError(
                .rejected, "no identity named \(quoted(name)); did you mean \(quoted(similar))?")
        }
    }
}
