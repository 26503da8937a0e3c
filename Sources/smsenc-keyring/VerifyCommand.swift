import Access
import Crypto
import Keyring
import LineIO
import Protocol

/// The codes, shown or compared.
extension Command {
    static let verify = Command(
        name: "verify",
        forms: [
            ("NAME [CODE ...]", "shows the codes, or compares with the contact's"),
            ("-", "reads NAME TAB CODE, or NAME and prints NAME TAB YOURS TAB THEIRS"),
        ],
        mostOperands: .max, columns: []
    ) { (context) throws(Stop) in
        if context.operands.count > 1, context.operands[0] == "-" {
            throw .misuse("with - codes stand in the table")
        }
        try context.forContact(fields: 1...2) { (keyring, fields, output) throws(Stop) in
            let contact = try context.contact(fields[0], of: keyring)
            let link = try linkInStep(with: contact, keyring)
            if fields.count == 1 {
                context.append(link.codes, to: &output)
                context.parting =
                    link.state == .verified ? Words.verified(contact) : Words.inStep(contact)
                return
            }
            try context.askingAgain("the code that \(quoted(contact.name)) reads out: ") {
                SecretBytes(copying: fields.dropFirst().joined().utf8.span)
            } read: { (code) throws(Stop) in
                try compare(text(of: code), with: contact, keyring)
            }
            context.parting = Words.verified(contact)
        }
    }

    private static func linkInStep(with contact: Contact, _ keyring: Keyring) throws(Stop) -> Link {
        let link = try orStop(keyring.link(of: contact))
        guard link.hasConversation else { throw CodeComplaint.notInStep(contact, link.out).stop }
        return link
    }

    /// Compares a code with the contact's, and marks the contact verified if it is right.
    ///
    /// - Throws: `CodeComplaint`; the mark stays as it was.
    private static func compare(
        _ text: String, with contact: Contact, _ keyring: Keyring
    ) throws(Stop) {
        let link = try linkInStep(with: contact, keyring)
        let (code, theirs) = (bare(text), bare(link.codes.theirsShown))
        guard code.utf8.allSatisfy({ (48...57).contains($0) }) else {
            throw CodeComplaint.noCode(expected: theirs.count).stop
        }
        guard code.count == theirs.count else {
            throw CodeComplaint.length(code.count, expected: theirs.count).stop
        }
        if code == bare(link.codes.yoursShown) { throw CodeComplaint.own(contact).stop }
        guard code == theirs else { throw CodeComplaint.wrong(contact, link.codes.kind).stop }
        try orStop(keyring.markVerified(contact, having: link.codes))
    }

    /// A code without the blanks and hyphens that people put in.
    private static func bare(_ code: String) -> String {
        code.filter { $0 != "-" && !$0.isWhitespace }
    }
}
