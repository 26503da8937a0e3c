import UserInterface
import Crypto
import Keyring
import ToolKit
import Protocol
import System

/// Commands that create and enter sync keys.
extension Command {
    /// Creates and prints a new sync key.
    static let resync = Command(
        name: "resync",
        forms: [
            ("CONTACT", "print a new sync key, or the pending sync key again"),
            ("-", "read NAME, print NAME TAB KEY"),
        ],
        options: [
            Option("new", "replace the pending sync key with a new one"),
            Option("cancel", "withdraw the pending sync key or offer"),
            Option(
                "lost",
                "erase the contact's keys, because the contact's phone was lost or seized"),
            Option("all", "with --lost, erase the keys of all contacts, and print NAME TAB KEY"),
            .yes,
        ],
        maximumOperands: 1, hint: "; enter the contact's sync key with sync", columns: [],
        reprintCommand: "resync"
    ) { (context) throws(ExitError) in
        try context.arguments.refuse(
            "new", with: "cancel", because: "--new creates a key, and --cancel withdraws a key")
        if context.arguments.has("lost") { return try markKeysLost(context) }
        if context.arguments.has("all") { throw .misuse("--all needs --lost") }
        try context.forContact(fields: 1...1) { (keyring, fields, output) throws(ExitError) in
            let contact = try context.contact(fields[0], of: keyring)
            if context.arguments.has("cancel") {
                try throwingExitError(keyring.cancelResynchronisation(with: contact))
                context.closingNote = DiagnosticText.cancelled(contact)
                return
            }
            try context.confirmBeginningAgain(with: contact, by: .syncKey, keyring)
            let renews = context.arguments.has("new")
            let key = try throwingExitError(keyring.resynchronise(contact, renew: renews))
            key.withShownForm { output.append($0) }
            context.closingNote = DiagnosticText.keyMade(for: contact.name)
        }
    }

    /// Erases the keys that may be on a lost phone, and prints new sync keys (`resync --lost`).
    private static func markKeysLost(_ context: CommandContext) throws(ExitError) {
        try context.arguments.refuse(
            "lost", with: "cancel", because: "erased keys cannot be restored")
        try context.arguments.refuse(
            "lost", with: "new", because: "--lost always creates a new key")
        if context.isTable || context.arguments.has("all") { try context.checkCanConfirm() }
        guard context.arguments.has("all") else {
            if context.isTable {
                _ = try context.unlockedForChange()
                try confirmLoss(context, "the contacts of this table")
            }
            return try context.forContact(fields: 1...1) {
                (keyring, fields, output) throws(ExitError) in
                let contact = try context.contact(fields[0], of: keyring)
                if !context.isTable { try confirmLoss(context, quoted(contact.name)) }
                if let loss = DiagnosticText.loss(
                    of: contact, in: try throwingExitError(keyring.state(of: contact)).status)
                {
                    context.notes.append(loss)
                }
                try throwingExitError(
                    keyring.loseKeys(of: [contact]) { (_, key) in
                        key.withShownForm { output.append($0) }
                    })
                context.closingNote = DiagnosticText.keyMade(for: contact.name)
            }
        }
        let keyring = try context.unlockedForChange()
        try confirmLoss(context, "all contacts")
        var contacts: [Contact] = []
        try throwingExitError(
            keyring.eachContact { (contact, _) throws(KeyringError) in contacts.append(contact) })
        var output = Output(to: .standardOutput())
        try throwingExitError(
            keyring.loseKeys(of: contacts) { (contact, key) in
                output.append(contact.name + "\t")
                key.withShownForm { output.append($0) }
                output.append(UInt8(ascii: "\n"))
            })
        do throws(IOError) { try output.flush() } catch {
            throw context.printError(error, of: "CONTACT")
        }
    }

    private static func confirmLoss(_ context: CommandContext, _ whom: String) throws(ExitError) {
        try context.confirm(Questions.losing(keysOf: whom), else: DiagnosticText.nothingChanged)
    }

    /// Reads a contact's sync key from the user, and synchronises with the contact.
    static let sync = Command(
        name: "sync",
        forms: [
            ("CONTACT", "read the contact's sync key and print both verification codes"),
            ("-", "read NAME TAB KEY, print NAME TAB YOURS TAB THEIRS"),
        ],
        maximumOperands: 1, hint: "; sync asks for the key", columns: [], reprintCommand: "verify"
    ) { (context) throws(ExitError) in
        try context.synchronise(by: "sync key", endingIn: UInt8(ascii: "\n")) {
            (keyring, contact, text) throws(ExitError) in
            let key = try KeyEntryError.syncKey(in: text)
            do throws(KeyringError) {
                return .success(try keyring.prepare(contact, with: key))
            } catch {
                // If the user has not created a sync key for this contact, entering a different key does
                // not help.
                guard case .sync(.noOwnKey) = error else { throw error.exitError }
                return .failure(error.exitError)
            }
        }
    }
}
