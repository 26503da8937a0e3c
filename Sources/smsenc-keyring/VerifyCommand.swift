import Access
import Crypto
import Keyring
import LineIO
import Protocol

/// verify: the codes, shown or compared.
extension Command {
    static let verify = Command(
        "verify",
        [
            ("NAME [CODE ...]", "shows the codes, or compares with the contact's"),
            ("-", "reads NAME TAB CODE, or NAME and prints NAME TAB YOURS TAB THEIRS"),
        ],
        options: tableOptions,
        run: compareCodes)

    private static func compareCodes(_ context: Context) throws -> ExitStatus {
        try context.expect(1...Int.max, "a name, or - for a table,")
        if context.operands[0] == "-" {
            if context.operands.count > 1 { throw Misuse("with - codes stand in the table") }
            return try compareTable(context)
        }
        try context.refuseTableOptions()
        let keyring = try context.access().unlocked()
        let contact = try keyring.contact(named: context.operands[0])
        let words = context.operands.dropFirst()
        let link = try linkInStep(with: contact, keyring)
        if words.isEmpty {
            try context.print(codeLines(link.codes))
            context.tell(
                link.state == .verified ? Words.verified(contact) : Words.inStep(contact))
            return .done
        }
        try context.askingAgain("the code that \(quoted(contact.name)) reads out: ") {
            try compare(words.joined(), with: contact, keyring)
        } again: { (typed) in
            try compare(text(of: typed), with: contact, keyring)
        }
        context.tell(Words.verified(contact))
        return .done
    }

    private static func compareTable(_ context: Context) throws -> ExitStatus {
        let table = try Table(context, fields: 1...2)
        let keyring = try context.access().unlocked()
        return try table.run { (fields, output, _) in
            let contact = try keyring.contact(named: fields[0])
            if fields.count == 1 {
                output.append(codeRow(fields[0], try linkInStep(with: contact, keyring).codes))
            } else {
                try compare(fields[1], with: contact, keyring)
            }
        }
    }

    private static func linkInStep(with contact: Contact, _ keyring: Keyring) throws -> Link {
        let link = try keyring.link(of: contact)
        guard link.hasConversation else { throw CodeComplaint.notInStep(contact, link.state) }
        return link
    }

    /// Compares a code with the contact's, and marks the contact verified if it is right.
    ///
    /// - Throws: `CodeComplaint`; the mark stays as it was.
    private static func compare(
        _ text: String, with contact: Contact, _ keyring: Keyring
    ) throws {
        let link = try linkInStep(with: contact, keyring)
        let (code, theirs) = (bare(text), bare(link.codes.theirsShown))
        guard code.allSatisfy(\.isASCIIDigit) else {
            throw CodeComplaint.noCode(expected: theirs.count)
        }
        guard code.count == theirs.count else {
            throw CodeComplaint.length(code.count, expected: theirs.count)
        }
        if code == bare(link.codes.yoursShown) { throw CodeComplaint.own(contact) }
        guard code == theirs else { throw CodeComplaint.wrong(contact, link.codes.kind) }
        try keyring.markVerified(contact, having: link.codes)
    }

    /// A code without the blanks and hyphens that people put in.
    private static func bare(_ code: String) -> String {
        code.filter { $0 != "-" && !$0.isWhitespace }
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
