import UserInterface
import Crypto
import Keyring
import ToolKit
import Protocol

/// The command that shows verification codes, or compares them.
extension Command {
    static let verify = Command(
        name: "verify",
        forms: [
            ("CONTACT [CODE ...]", "show both verification codes, or compare the contact's code"),
            ("-", "read NAME TAB CODE [TAB both]; or read NAME, print NAME TAB YOURS TAB THEIRS"),
        ],
        options: [
            Option("both", "confirm that the contact has compared your code too")
        ], maximumOperands: .max, columns: []
    ) { (context) throws(ExitError) in
        if context.operands.count > 1, context.operands[0] == "-" {
            throw .misuse("with -, put codes in a column of the table")
        }
        if context.arguments.has("both"), context.isTable || context.operands.count == 1 {
            throw .misuse(
                context.isTable
                    ? "with -, put both in a column of the table" : "--both needs a code")
        }
        if context.operands.count == 2,
            withoutSeparators(context.operands[0]).utf8.allSatisfy({ (48...57).contains($0) }),
            context.operands[1].contains(where: { $0.isLetter })
        {
            throw .misuse("write the code after the name of the contact")
        }
        let comparesCode = !context.isTable && context.operands.count > 1
        try context.forContact(fields: 1...3, changes: comparesCode) {
            (keyring, fields, output) throws(ExitError) in
            let contact = try context.contact(fields[0], of: keyring)
            if fields.count == 1 {
                let state = try synchronisedState(of: contact, keyring)
                context.append(state.codes, to: &output)
                context.closingNote =
                    state.status == .verified
                    ? DiagnosticText.verified(contact)
                    : DiagnosticText.inStep(contact, by: state.codes.kind)
                return
            }
            var (entered, hasBoth) = (fields.dropFirst().joined(), context.arguments.has("both"))
            if context.isTable {
                (entered, hasBoth) = (fields[1], fields.count == 3)
                if hasBoth, fields[2] != "both" { throw CodeEntryError.noBoth(fields[2]).exitError }
            }
            let codes = try context.parsingUntilValid(
                "the code that \(quoted(contact.name)) reads out: "
            ) {
                SecretBytes(copying: entered.utf8.span)
            } read: { (code) throws(ExitError) in
                try compare(text(of: code), with: contact, keyring)
            }
            if codes.kind == .offers, !hasBoth {
                try context.confirmContactHasCompared(contact, codes)
            }
            try throwingExitError(keyring.markVerified(contact, having: codes))
            context.closingNote = DiagnosticText.verified(contact)
        }
    }

    private static func synchronisedState(
        of contact: Contact, _ keyring: Keyring
    ) throws(ExitError) -> ContactState {
        let state = try throwingExitError(keyring.state(of: contact))
        guard state.hasConversation else {
            throw CodeEntryError.notInStep(contact, state.pending).exitError
        }
        return state
    }

    /// Checks whether a code that the user entered is the contact's code.
    ///
    /// - Returns: both codes of the conversation.
    /// - Throws: `CodeEntryError`.
    private static func compare(
        _ text: String, with contact: Contact, _ keyring: Keyring
    ) throws(ExitError) -> VerificationCodes {
        let codes = try synchronisedState(of: contact, keyring).codes
        let (code, theirs) = (withoutSeparators(text), withoutSeparators(codes.theirsShown))
        guard code.utf8.allSatisfy({ (48...57).contains($0) }) else {
            throw CodeEntryError.noCode(expected: theirs.count).exitError
        }
        guard code.count == theirs.count else {
            throw CodeEntryError.length(code.count, expected: theirs.count).exitError
        }
        if code == withoutSeparators(codes.yoursShown) {
            throw CodeEntryError.own(contact).exitError
        }
        guard code == theirs else { throw CodeEntryError.wrong(contact, codes.kind).exitError }
        return codes
    }

    /// Returns a verification code without the spaces and hyphens that a user may have entered.
    private static func withoutSeparators(_ code: String) -> String {
        code.filter { $0 != "-" && !$0.isWhitespace }
    }
}
