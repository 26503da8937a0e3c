import Access
import Keyring
import LineIO
import Protocol

/// add: a contact, and the sync key to give them.
extension Command {
    static let add = Command(
        name: "add",
        forms: [
            ("NAME [--number N] [--yes]", "adds a contact and prints the sync key to give them"),
            ("- [--yes]", "adds NAME TAB NUMBER from stdin, prints NAME TAB KEY"),
        ],
        options: [Option("number", takesValue: true), Option("yes")] + tableOptions,
        mostOperands: 1, run: addContact)

    private static func addContact(_ context: Context) throws -> ExitStatus {
        try context.expectName(inTable: ["number"])
        return try context.forContact(fields: 2...2) { (keyring, fields, output, _) in
            var number = context.arguments.value("number")
            if context.isTable { number = ["", "-"].contains(fields[1]) ? nil : fields[1] }
            let key = try context.asking { (anyway) throws(KeyringError) in
                try keyring.add(name: fields[0], number: number, anyway: anyway)
            }
            context.append(key, of: fields[0], to: &output)
            if context.isAtTerminal, let kept = try keyring.contact(named: fields[0]).number,
                kept.hasPrefix("0")
            {
                context.parting = Words.national(kept)
            }
        }
    }
}

/// edit: another name or number.
extension Command {
    static let edit = Command(
        name: "edit",
        forms: [
            ("NAME [--name NEW] [--number N] [--yes]", "gives a contact another name or number"),
            ("- [--yes]", "reads NAME TAB NEW NAME TAB NEW NUMBER; empty: as it is, -: none"),
        ],
        options: [
            Option("name", takesValue: true), Option("number", takesValue: true), Option("yes"),
        ] + tableOptions,
        mostOperands: 1, run: editContact)

    private static func editContact(_ context: Context) throws -> ExitStatus {
        try context.expectName(inTable: ["name", "number"])
        var (name, number) = (context.arguments.value("name"), context.arguments.value("number"))
        if !context.isTable, name == nil, number == nil {
            throw Misuse("edit needs --name or --number")
        }
        return try context.forContact(fields: 3...3) { (keyring, fields, _, _) in
            if context.isTable {
                name = fields[1].isEmpty ? nil : fields[1]
                number = fields[2].isEmpty ? nil : fields[2] == "-" ? "" : fields[2]
            }
            let contact = try keyring.contact(named: fields[0])
            try context.asking { (anyway) throws(KeyringError) in
                try keyring.edit(contact, name: name, number: number, anyway: anyway)
            }
        }
    }
}

/// remove: contacts and their keys.
extension Command {
    static let remove = Command(
        name: "remove",
        forms: [("NAME ...", "removes contacts and their keys"), ("-", "reads NAME")],
        options: tableOptions,
        mostOperands: .max, run: removeContacts)

    private static func removeContacts(_ context: Context) throws -> ExitStatus {
        try context.expectName()
        if context.isTable {
            return try context.forContact(fields: 1...1) { (keyring, fields, _, _) in
                try keyring.remove(try keyring.contact(named: fields[0]))
            }
        }
        let keyring = try context.access().unlocked()
        var status = ExitStatus.done
        for name in context.operands {
            do {
                try keyring.remove(try keyring.contact(named: name))
            } catch {
                guard error.status == .rejected else { throw error }
                context.diagnostics.say(error.text)
                status = .rejected
            }
        }
        return status
    }
}
