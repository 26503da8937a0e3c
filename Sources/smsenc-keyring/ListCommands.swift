import Access
import Keyring
import LineIO
import System

/// list and show: what is known of contacts, never a key.
extension Command {
    static let list = Command(
        "list", [("", "name, number, state, sent, received, last use of each contact")],
        run: listContacts)

    private static func listContacts(_ context: Context) throws -> ExitStatus {
        try context.expect(0...0, "")
        let keyring = try context.access().unlocked()
        var output = Output(to: .standardOutput())
        try write(keyring, to: &output)
        try output.flush()
        return .done
    }

    static let show = Command("show", [("NAME", "the same of one contact")], run: showContact)

    private static func showContact(_ context: Context) throws -> ExitStatus {
        try context.expect(1...1, "a name")
        let keyring = try context.access().unlocked()
        let contact = try keyring.contact(named: context.operands[0])
        try context.print([row(contact, try keyring.link(of: contact))])
        return .done
    }

    private static func write(_ keyring: Keyring, to output: inout Output) throws {
        try keyring.eachContact { (contact, link) in
            output.append(row(contact, link).joined(separator: "\t") + "\n")
            try output.flushBlock()
        }
    }

    private static func row(_ contact: Contact, _ link: Link) -> [String] {
        [
            contact.name, contact.number ?? "-", link.state.rawValue, String(link.sent),
            String(link.received), link.lastUse == 0 ? "-" : Timestamp.text(link.lastUse),
        ]
    }
}
