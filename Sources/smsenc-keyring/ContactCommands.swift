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
        if context.operands[0] == "-" { return try addTable(context) }
        try context.refuseTableOptions()
        let keyring = try context.access().unlocked()
        try print(
            try context.askingAbout(keyring) { (anyway) throws(KeyringError) in
                try keyring.add(
                    name: context.operands[0], number: context.arguments.value("number"),
                    anyway: anyway)
            })
        return .done
    }

    private static func addTable(_ context: Context) throws -> ExitStatus {
        if context.arguments.has("number") { throw Misuse("with - numbers stand in the table") }
        let options = try FilterOptions(context.arguments, payloadField: 2, inputs: ["-"])
        let keyring = try context.access().unlocked()
        let anyway = context.arguments.has("yes")
        let filter = try Filter(tool: SmsencKeyring.name, options: options)
        return try filter.run { (fields, number, output) in
            do throws(KeyringError) {
                let name = try Table.text(fields.extracting(..<(fields.count - 1)))
                let number = try Table.text(number)
                let isNone = number.isEmpty || number == "-"
                let key = try keyring.add(
                    name: name, number: isNone ? nil : number, anyway: anyway)
                output.append(fields)
                append(key, to: &output)
                output.append(options.terminator)
                return .good
            } catch {
                return try Table.verdict(error)
            }
        }
    }

    /// Prints a sync key alone on a line.
    static func print(_ key: borrowing SyncKey) throws(IOError) {
        var output = Output(to: .standardOutput())
        append(key, to: &output)
        output.append(UInt8(ascii: "\n"))
        try output.flush()
    }

    private static func append(_ key: borrowing SyncKey, to output: inout Output) {
        key.withShownForm { output.append($0) }
    }
}

/// edit and remove.
extension Command {
    static let edit = Command(
        "edit",
        [("NAME [--name NEW] [--number N] [--yes]", "gives a contact another name or number")],
        options: [
            Option("name", takesValue: true), Option("number", takesValue: true), Option("yes"),
        ],
        run: editContact)

    private static func editContact(_ context: Context) throws -> ExitStatus {
        try context.expect(1...1, "a name")
        let (name, number) = (context.arguments.value("name"), context.arguments.value("number"))
        if name == nil, number == nil { throw Misuse("edit needs --name or --number") }
        let keyring = try context.access().unlocked()
        let contact = try keyring.contact(named: context.operands[0])
        try context.askingAbout(keyring) { (anyway) throws(KeyringError) in
            try keyring.edit(contact, name: name, number: number, anyway: anyway)
        }
        return .done
    }

    static let remove = Command(
        "remove", [("NAME ...", "removes contacts and their keys")],
        run: removeContacts)

    private static func removeContacts(_ context: Context) throws -> ExitStatus {
        try context.expect(1...Int.max, "a name")
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

extension Context {
    /// Does something with a number; when another identity knows it, asks whether to go on.
    fileprivate func askingAbout<Result: ~Copyable>(
        _ keyring: Keyring, _ body: (Bool) throws(KeyringError) -> Result
    ) throws -> Result {
        let fault: KeyringError
        do {
            return try body(arguments.has("yes"))
        } catch {
            fault = error
        }
        guard case .contact(.knownAs(_, let identity)) = fault, let terminal = Terminal() else {
            throw fault
        }
        let answer = try terminal.ask(
            "the identity \(quoted(identity.name)) knows that number: this person knows you under another name. Go on? Type yes: "
        )
        guard answer == "yes" else { throw fault }
        return try body(true)
    }
}
