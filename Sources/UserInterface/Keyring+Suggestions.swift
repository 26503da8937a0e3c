package import Keyring
package import ToolKit

extension Keyring {
    /// Returns the contact with a name that the user typed.
    ///
    /// Use `contact(named:)` for the rows of a table, because this function reads all contacts for every
    /// unknown name.
    ///
    /// - Throws: what `contact(named:)` throws. If the name is unknown, the error suggests a similar name.
    package func contact(suggestingFor name: String) throws(ExitError) -> Contact {
        try suggestingName { () throws(KeyringError) in try contact(named: name) }
    }

    /// Runs `body`, which looks up a contact by a name that the user typed.
    ///
    /// - Throws: what `body` throws. If the name is unknown, the error suggests a similar name.
    package func suggestingName<Result>(
        _ body: () throws(KeyringError) -> Result
    ) throws(ExitError) -> Result {
        do throws(KeyringError) {
            return try body()
        } catch {
            guard case .contact(.unknown(let name)) = error else { throw error.exitError }
            var names: [String] = []
            try throwingExitError(
                eachCard { (contact) throws(KeyringError) in names.append(contact.name) })
            guard let similar = SpellingSuggestion.word(to: name, among: names) else {
                throw error.exitError
            }
            let text = "no contact named \(quoted(name)); did you mean \(quoted(similar))?"
            throw ExitError(.rejected, text, recordStatus: .contact)
        }
    }

    /// Runs an operation on an identity whose name the user typed.
    ///
    /// - Throws: what `body` throws. If the name is unknown, the error suggests a similar name.
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
