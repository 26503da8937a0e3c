import Access
import Keyring
import LineIO
import Protocol
import System

/// add: a contact, and the sync key to give them.
extension Command {
    static let add = Command(
        "add",
        [
            ("NAME [--number N] [--yes]", "adds a contact and prints the sync key to give them"),
            ("- [--yes]", "adds NAME TAB NUMBER from stdin, prints NAME TAB KEY"),
        ],
        options: [Option("number", takesValue: true), Option("yes")] + tableOptions,
        run: addContact)

    private static func addContact(_ context: Context) throws -> ExitStatus {
        try context.expect(1...1, "a name, or - for a table,")
        if context.isTable { return try addTable(context) }
        try context.refuseTableOptions()
        let keyring = try context.access().unlocked()
        try print(
            try context.asking { (anyway) throws(KeyringError) in
                try keyring.add(
                    name: context.operands[0], number: context.arguments.value("number"),
                    anyway: anyway)
            })
        let number = try keyring.contact(named: context.operands[0]).number
        if let number, number.hasPrefix("0") { context.tell(Words.national(number)) }
        return .done
    }

    private static func addTable(_ context: Context) throws -> ExitStatus {
        try context.refuseWithTable("number", because: "with - numbers stand in the table")
        let table = try Table(context, fields: 2...2)
        let keyring = try context.access().unlocked()
        let anyway = context.arguments.has("yes")
        return try table.run { (fields, output, _) in
            let isNone = fields[1].isEmpty || fields[1] == "-"
            let key = try keyring.add(
                name: fields[0], number: isNone ? nil : fields[1], anyway: anyway)
            output.append(fields[0] + "\t")
            append(key, to: &output)
        }
    }

    /// Prints a sync key alone on a line.
    static func print(_ key: borrowing SyncKey) throws(IOError) {
        var output = Output(to: .standardOutput())
        append(key, to: &output)
        output.append(UInt8(ascii: "\n"))
        try output.flush()
    }

    static func append(_ key: borrowing SyncKey, to output: inout Output) {
        key.withShownForm { output.append($0) }
    }
}

/// edit: another name or number.
extension Command {
    static let edit = Command(
        "edit",
        [
            ("NAME [--name NEW] [--number N] [--yes]", "gives a contact another name or number"),
            ("- [--yes]", "reads NAME TAB NEW NAME TAB NEW NUMBER; empty: as it is, -: none"),
        ],
        options: [
            Option("name", takesValue: true), Option("number", takesValue: true), Option("yes"),
        ] + tableOptions,
        run: editContact)

    private static func editContact(_ context: Context) throws -> ExitStatus {
        try context.expect(1...1, "a name, or - for a table,")
        if context.isTable { return try editTable(context) }
        try context.refuseTableOptions()
        let (name, number) = (context.arguments.value("name"), context.arguments.value("number"))
        if name == nil, number == nil { throw Misuse("edit needs --name or --number") }
        let keyring = try context.access().unlocked()
        let contact = try keyring.contact(named: context.operands[0])
        try context.asking { (anyway) throws(KeyringError) in
            try keyring.edit(contact, name: name, number: number, anyway: anyway)
        }
        return .done
    }

    private static func editTable(_ context: Context) throws -> ExitStatus {
        for option in ["name", "number"] {
            try context.refuseWithTable(
                option, because: "with - names and numbers stand in the table")
        }
        let table = try Table(context, fields: 3...3)
        let keyring = try context.access().unlocked()
        let anyway = context.arguments.has("yes")
        return try table.run { (fields, _, _) in
            let (name, number) = (fields[1], fields[2])
            try keyring.edit(
                try keyring.contact(named: fields[0]),
                name: name.isEmpty ? nil : name,
                number: number.isEmpty ? nil : number == "-" ? "" : number,
                anyway: anyway)
        }
    }
}

/// remove: contacts and their keys.
extension Command {
    static let remove = Command(
        "remove",
        [("NAME ...", "removes contacts and their keys"), ("-", "reads NAME")],
        options: tableOptions,
        run: removeContacts)

    private static func removeContacts(_ context: Context) throws -> ExitStatus {
        try context.expect(1...Int.max, "a name, or - for a table,")
        if context.isTable {
            let table = try Table(context, fields: 1...1)
            let keyring = try context.access().unlocked()
            return try table.run { (fields, _, _) in
                try keyring.remove(try keyring.contact(named: fields[0]))
            }
        }
        try context.refuseTableOptions()
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
