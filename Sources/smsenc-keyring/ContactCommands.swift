import Access
import Keyring
import LineIO
import Protocol

/// Commands that add, change and remove contacts.
extension Command {
    static let add = Command(
        name: "add",
        forms: [
            ("NAME", "add a contact and print the sync key to give them"),
            ("-", "read NAME TAB NUMBER, print NAME TAB KEY"),
        ],
        options: [Option("number", value: "NUMBER", "the contact's telephone number"), .yes],
        mostOperands: 1, columns: ["number"], printsAgain: "resync"
    ) { (context) throws(Stop) in
        try context.forContact(fields: 2...2) { (keyring, fields, output) throws(Stop) in
            var number = context.arguments.value("number")
            if context.isTable { number = ["", "-"].contains(fields[1]) ? nil : fields[1] }
            let key = try context.asking { (anyway) throws(KeyringError) in
                try keyring.add(name: fields[0], number: number, anyway: anyway)
            }
            key.withShownForm { output.append($0) }
            if context.isAtTerminal, let kept = try context.contact(fields[0], of: keyring).number,
                kept.hasPrefix("0")
            {
                context.notes.append(Words.national(kept))
            }
            context.parting = Words.keyMade(for: fields[0])
        }
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
        mostOperands: 1, columns: ["name", "number"]
    ) { (context) throws(Stop) in
        let changes = ["name", "number"].map { context.arguments.value($0) }
        if !context.isTable, changes == [nil, nil] {
            throw .misuse("edit needs --name or --number")
        }
        try context.forContact(fields: 3...3) { (keyring, fields, _) throws(Stop) in
            var (name, number) = (changes[0], changes[1])
            if context.isTable {
                name = fields[1].isEmpty ? nil : fields[1]
                number = fields[2].isEmpty ? nil : fields[2] == "-" ? "" : fields[2]
            }
            let contact = try context.contact(fields[0], of: keyring)
            try context.asking { (anyway) throws(KeyringError) in
                try keyring.edit(contact, name: name, number: number, anyway: anyway)
            }
        }
    }

    static let remove = Command(
        name: "remove",
        forms: [
            ("CONTACT ...", "remove contacts and their keys, after asking"),
            ("-", "read NAME"),
        ],
        options: [.yes], mostOperands: .max, columns: []
    ) { (context) throws(Stop) in
        try context.expectConfirmation()
        if context.isTable {
            _ = try context.unlockedToChange()
            try context.confirm(Questions.removingTable, else: Words.nothingDeleted)
            return try context.forContact(fields: 1...1) { (keyring, fields, _) throws(Stop) in
                let contact = try context.contact(fields[0], of: keyring)
                try orStop(keyring.remove(contact))
            }
        }
        let keyring = try context.unlockedToChange()
        for name in context.operands {
            do throws(Stop) {
                let contact = try context.contact(name, of: keyring)
                if try orStop(keyring.link(of: contact)).hasConversation {
                    try context.confirm(
                        Questions.removing(contact), else: Words.notRemoved(contact))
                }
                try orStop(keyring.remove(contact))
            } catch {
                guard error.status == .rejected else { throw error }
                context.diagnostics.say(error.text)
                context.status = .rejected
            }
        }
    }
}
