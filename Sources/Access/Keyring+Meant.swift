package import Keyring
package import LineIO

extension Keyring {
    /// The contact that a person names; for the rows of a table, where all contacts are not to be gone
    /// through again and again, there is `contact(named:)`.
    ///
    /// - Throws: what `contact(named:)` throws; for a name that is unknown, with one that is a slip away.
    package func contact(meant name: String) throws(Stop) -> Contact {
        do throws(KeyringError) {
            return try contact(named: name)
        } catch {
            guard case .contact(.unknown) = error else { throw error.stop }
            var names: [String] = []
            try orStop(eachCard { (contact) throws(KeyringError) in names.append(contact.name) })
            guard let like = Similar.word(to: name, among: names) else { throw error.stop }
            let text = "no contact named \(quoted(name)); do you mean \(quoted(like))?"
            throw Stop(.rejected, text, fate: .contact)
        }
    }

    /// Does what somebody wants of an identity that they name.
    ///
    /// - Throws: what `body` throws; for a name that is unknown, with one that is a slip away.
    package func withIdentity(
        _ body: @autoclosure () throws(KeyringError) -> Void
    ) throws(Stop) {
        do throws(KeyringError) {
            try body()
        } catch {
            guard case .identity(.unknown(let name)) = error else { throw error.stop }
            let names = try orStop(identities()).map { $0.name }
            guard let like = Similar.word(to: name, among: names) else { throw error.stop }
            throw Stop(
                .rejected, "no identity named \(quoted(name)); do you mean \(quoted(like))?")
        }
    }
}
