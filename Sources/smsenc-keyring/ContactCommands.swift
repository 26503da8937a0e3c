import UserInterface
import Keyring
import PhoneNumbers
import ToolKit
import Protocol

/// Commands that add, change and remove contacts.
extension Command {
    static let add = Command(
        name: "add",
        forms: [
            ("NAME", "add a contact, and print a sync key for the contact"),
            ("-", "read NAME TAB NUMBER, print NAME TAB KEY"),
        ],
        options: [Option("number", value: "NUMBER", "the contact's telephone number"), .yes],
        maximumOperands: 1,
        hint:
            "; write the telephone number after --number, and a name with spaces in quotation marks",
        columns: ["number"], reprintCommand: "resync"
    ) { (context) throws(ExitError) in
        try context.forContact(fields: 1...2) { (keyring, fields, output) throws(ExitError) in
            var number = context.arguments.value("number")
            if context.isTable, fields.count == 2 {
                number = ["", "-"].contains(fields[1]) ? nil : fields[1]
            }
            if context.isTable, HeadingGuess.isHeading(fields) {
                throw ExitError(.rejected, DiagnosticText.heading, recordStatus: .number)
            }
            if !context.isTable, number == nil { try checkHasNoNumber(fields[0]) }
            let key = try context.confirmingIfRefused { (force) throws(KeyringError) in
                try keyring.add(name: fields[0], number: number, force: force)
            }
            key.withShownForm { output.append($0) }
            context.noteNational(number, of: fields[0], in: keyring)
            context.closingNote = DiagnosticText.keyMade(for: fields[0])
        }
    }

    /// Refuses a name that contains a telephone number, such as `Chidi,0821234567`.
    private static func checkHasNoNumber(_ name: String) throws(ExitError) {
        guard let separator = name.lastIndex(where: { ",;\t".contains($0) }) else { return }
        let number = name[name.index(after: separator)...]
        let digits = number.utf8.filter { (48...57).contains($0) }
        guard digits.count > 5, !number.contains(where: { $0.isLetter }) else { return }
        throw .misuse("\(quoted(name)) contains a number; write it after --number")
    }

    static let edit = Command(
        name: "edit",
        forms: [
            ("CONTACT", "change a contact's name or number"),
            ("-", "read NAME TAB NEW NAME TAB NEW NUMBER (empty: keep, -: no number)"),
        ],
        options: [
            Option("name", value: "NAME", "the new name"),
            Option("number", value: "NUMBER", "the new telephone number"), .yes,
        ],
        maximumOperands: 1,
        hint: "; write the new name after --name, or the new telephone number after --number",
        columns: ["name", "number"]
    ) { (context) throws(ExitError) in
        let changes = try ["name", "number"].map { (option) throws(ExitError) in
            try context.arguments.value(option).map { (text) throws(ExitError) in
                try Table.text(text.utf8.span)
            }
        }
        if !context.isTable, changes == [nil, nil] {
            throw .misuse("edit needs --name or --number")
        }
        try context.forContact(fields: 3...3) { (keyring, fields, _) throws(ExitError) in
            var (name, number) = (changes[0], changes[1])
            if context.isTable {
                name = fields[1].isEmpty ? nil : fields[1]
                number = fields[2].isEmpty ? nil : fields[2] == "-" ? "" : fields[2]
            }
            let contact = try context.contact(fields[0], of: keyring)
            try context.confirmingIfRefused { (force) throws(KeyringError) in
                try keyring.edit(contact, name: name, number: number, force: force)
            }
            context.noteNational(number, of: name ?? contact.name, in: keyring)
            if context.isAtTerminal {
                let changed = try context.contact(name ?? contact.name, of: keyring)
                context.closingNote = DiagnosticText.edited(changed)
            }
        }
    }

    static let remove = Command(
        name: "remove",
        forms: [
            ("CONTACT ...", "remove contacts and their keys after confirmation"),
            ("-", "read NAME, and remove these contacts after confirmation"),
        ],
        options: [.yes], maximumOperands: .max, columns: []
    ) { (context) throws(ExitError) in
        if context.isTable {
            try context.checkCanConfirm()
            _ = try context.unlockedForChange()
            try context.confirm(Questions.removingTable, else: DiagnosticText.nothingDeleted)
            return try context.forContact(fields: 1...1) { (keyring, fields, _) throws(ExitError) in
                let contact = try context.contact(fields[0], of: keyring)
                try throwingExitError(keyring.remove(contact))
            }
        }
        let keyring = try context.unlockedForChange()
        for name in context.operands {
            do throws(ExitError) {
                let contact = try context.contact(name, of: keyring)
                try context.checkCanConfirm()
                if try throwingExitError(keyring.state(of: contact)).hasConversation {
                    try context.confirm(
                        Questions.removing(contact), else: DiagnosticText.notRemoved(contact))
                }
                try throwingExitError(keyring.remove(contact))
                if context.isAtTerminal { context.diagnostics.say(DiagnosticText.removed(contact)) }
            } catch {
                guard error.status == .rejected else { throw error }
                context.diagnostics.say(error.text)
                context.status = .rejected
            }
        }
    }
}

extension CommandContext {
    /// Adds a note if the keyring stores the new number of a contact without a calling code.
    fileprivate func noteNational(_ number: String?, of name: String, in keyring: Keyring) {
        let country = keyring.account.country
        guard let number, case .national(let stored) = PhoneNumber(number, country: country) else {
            return
        }
        notes.append(
            country.isEmpty
                ? DiagnosticText.national(stored) : DiagnosticText.unknownNational(stored, of: name)
        )
    }
}
