import Access
import Crypto
import Keyring
import LineIO
import System

/// file-key: what opens the files of an identity.
extension Command {
    static let fileKey = Command(
        name: "file-key",
        forms: [
            ("[--yes]", "prints the key of the identity's files, after asking at a terminal"),
            ("--public", "prints what files are sealed for"),
        ],
        options: [Option("public"), Option("yes")],
        run: printFileKey)

    private static func printFileKey(_ context: Context) throws -> ExitStatus {
        try context.arguments.refuse("public", with: "yes", because: "it is no secret")
        let keyring = try context.access().unlocked()
        if context.arguments.has("public") {
            try context.print([[try keyring.fileKey().recipient()]])
            return .done
        }
        let question = "show the key that opens all files of this identity"
        if File.standardOutput().isTerminal,
            try !context.confirm(question, else: Words.nothingShown)
        {
            return .rejected
        }
        var output = Output(to: .standardOutput())
        try keyring.fileKey().identity.withSpan { output.append($0) }
        output.append(UInt8(ascii: "\n"))
        try output.flush()
        return .done
    }
}

/// identity: the identities that the account acts under.
extension Command {
    static let identity = Command(
        name: "identity",
        forms: [
            ("list", "name and kind of each identity"),
            ("add NAME --kind KIND", "adds one: partial, fictitious or transient"),
            ("rename OLD NEW", "gives one another name"),
            ("remove NAME", "removes one with all its contacts"),
        ],
        options: [Option("kind", takesValue: true)],
        mostOperands: .max, run: changeIdentities)

    private static func changeIdentities(_ context: Context) throws -> ExitStatus {
        guard let verb = context.operands.first else {
            throw Misuse("identity needs list, add, rename or remove")
        }
        let names = Array(context.operands.dropFirst())
        let counts = ["list": 0, "add": 1, "rename": 2, "remove": 1]
        guard let count = counts[verb] else { throw Misuse("there is no command identity \(verb)") }
        guard names.count == count else {
            throw Misuse("identity \(verb) takes \(count) \(count == 1 ? "name" : "names")")
        }
        let kind = try kind(of: context, verb)
        let keyring = try context.access().unlocked(actsAsIdentity: false)
        switch verb {
        case "list":
            try context.print(try keyring.identities().map { [$0.name, $0.kind.rawValue] })
        case "add": try keyring.addIdentity(names[0], kind)
        case "rename": try keyring.renameIdentity(names[0], to: names[1])
        default: try keyring.removeIdentity(names[0])
        }
        return .done
    }

    private static func kind(of context: Context, _ verb: String) throws(Misuse) -> Identity.Kind {
        let text = context.arguments.value("kind")
        guard verb == "add" else {
            if text != nil { throw Misuse("--kind goes with identity add") }
            return .real
        }
        guard let text, let kind = Identity.Kind(rawValue: text) else {
            throw Misuse("identity add needs --kind partial, fictitious or transient")
        }
        return kind
    }
}
