import UserInterface
import Crypto
import Keyring
import ToolKit
import System

/// Commands for the identities of the account and for their file keys.
extension Command {
    static let fileKey = Command(
        name: "file-key",
        forms: [("", "print the secret key of the identity's files")],
        options: [Option("public", "print the public key, which seals files"), .yes],
        hint: "; to use another identity, write its name after -i"
    ) { (context) throws(ExitError) in
        try context.arguments.refuse("public", with: "yes", because: "the public key is not secret")
        let keyring = try context.access().unlocked()
        if context.arguments.has("public") {
            return try context.print([[try throwingExitError(keyring.fileKey().recipient)]])
        }
        if File.standardOutput().isTerminal {
            let question =
                "show the secret key? It can decrypt all files that are sealed for this identity."
            try context.confirm(question, else: DiagnosticText.nothingShown)
        }
        var output = Output(to: .standardOutput())
        try throwingExitError(keyring.fileKey()).identity.withSpan { output.append($0) }
        output.append(UInt8(ascii: "\n"))
        try throwingExitError(io: output.flush())
    }

    static let identity = Command(
        name: "identity",
        forms: [
            ("list", "list the identities and their kinds"),
            ("add NAME", "add an identity"),
            ("rename IDENTITY NAME", "rename an identity"),
            ("remove IDENTITY", "remove an identity with its contacts and file key"),
        ],
        options: [
            Option(
                "kind", value: "partial|fictitious|transient",
                "the kind of the new identity (required for add)"),
            .yes,
        ],
        maximumOperands: .max, isForAccount: true
    ) { (context) throws(ExitError) in
        guard let verb = context.operands.first else {
            throw .misuse("identity needs list, add, rename or remove")
        }
        let names = Array(context.operands.dropFirst())
        let counts = ["list": 0, "add": 1, "rename": 2, "remove": 1]
        guard let count = counts[verb] else {
            throw .misuse("there is no command identity \(verb)")
        }
        guard names.count == count else {
            throw .misuse("identity \(verb) takes \(count) \(count == 1 ? "name" : "names")")
        }
        let kind = context.arguments.value("kind")
        if kind != nil, verb != "add" { throw .misuse("--kind needs identity add") }
        if context.arguments.has("yes"), verb != "remove" {
            throw .misuse("--yes needs identity remove")
        }
        let added = Identity.Kind(rawValue: kind ?? "")
        if added == nil, verb == "add" {
            throw .misuse("identity add needs --kind partial, fictitious or transient")
        }
        if verb == "list" {
            let keyring = try context.access().unlocked()
            let lines = try throwingExitError(keyring.identities()).map {
                [$0.name, $0.kind.rawValue]
            }
            return try context.print(lines)
        }
        let keyring = try context.unlockedForChange()
        switch verb {
        case "add":
            if let added { try throwingExitError(keyring.addIdentity(names[0], added)) }
            context.closingNote = DiagnosticText.identityAdded(names[0])
        case "rename":
            try keyring.withIdentity(keyring.renameIdentity(names[0], to: names[1]))
            context.closingNote = DiagnosticText.identityRenamed(names[1])
        default:
            let found = try throwingExitError(keyring.identities()).first { $0.name == names[0] }
            if let found, found.kind != .real {
                let question = Questions.removing(identity: found.name)
                try context.confirm(question, else: DiagnosticText.nothingDeleted)
            }
            try keyring.withIdentity(keyring.removeIdentity(names[0]))
            context.closingNote = DiagnosticText.identityRemoved(names[0])
        }
    }
}
