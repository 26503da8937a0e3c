import Access
import Crypto
import Keyring
import LineIO
import Protocol
import System

/// Commands that make and enter sync keys.
extension Command {
    /// Prints a new sync key.
    static let resync = Command(
        name: "resync",
        forms: [
            ("CONTACT", "print a new sync key, or the one not answered yet"),
            ("-", "read NAME, print NAME TAB KEY"),
        ],
        options: [
            Option("new", "replace the sync key not answered yet"),
            Option("cancel", "withdraw the sync key or offer not answered yet"),
            Option("lost", "erase the contact's keys at once: their phone was lost or seized"),
            Option("all", "with --lost, do that for all contacts, and print NAME TAB KEY"), .yes,
        ],
        mostOperands: 1, columns: [], printsAgain: "resync"
    ) { (context) throws(Stop) in
        try context.arguments.refuse("new", with: "cancel", because: "one makes, one takes back")
        if context.arguments.has("lost") { return try loseKeys(context) }
        if context.arguments.has("all") { throw .misuse("--all goes with --lost") }
        try context.forContact(fields: 1...1) { (keyring, fields, output) throws(Stop) in
            let contact = try context.contact(fields[0], of: keyring)
            if context.arguments.has("cancel") {
                return try orStop(keyring.cancelResynchronisation(with: contact))
            }
            try context.confirmBeginningAgain(with: contact, by: .syncKey, keyring)
            let renews = context.arguments.has("new")
            let key = try orStop(keyring.resynchronise(contact, renew: renews))
            key.withShownForm { output.append($0) }
            context.parting = Words.keyMade(for: contact.name)
        }
    }

    /// Erases the keys that a lost phone may reveal, and prints new sync keys (`resync --lost`).
    private static func loseKeys(_ context: Context) throws(Stop) {
        try context.arguments.refuse(
            "lost", with: "cancel", because: "erased keys do not come back")
        try context.arguments.refuse("lost", with: "new", because: "--lost always makes a new key")
        try context.expectConfirmation()
        guard context.arguments.has("all") else {
            if context.isTable {
                _ = try context.unlockedToChange()
                try confirmLoss(context, "the contacts of this table")
            }
            return try context.forContact(fields: 1...1) {
                (keyring, fields, output) throws(Stop) in
                let contact = try context.contact(fields[0], of: keyring)
                if !context.isTable { try confirmLoss(context, quoted(contact.name)) }
                if let loss = Words.loss(
                    of: contact, in: try orStop(keyring.link(of: contact)).state)
                {
                    context.notes.append(loss)
                }
                try orStop(
                    keyring.loseKeys(of: [contact]) { (_, key) in
                        key.withShownForm { output.append($0) }
                    })
                context.parting = Words.keyMade(for: contact.name)
            }
        }
        let keyring = try context.unlockedToChange()
        try confirmLoss(context, "all contacts")
        var contacts: [Contact] = []
        try orStop(
            keyring.eachContact { (contact, _) throws(KeyringError) in contacts.append(contact) })
        var output = Output(to: .standardOutput())
        try orStop(
            keyring.loseKeys(of: contacts) { (contact, key) in
                output.append(contact.name + "\t")
                key.withShownForm { output.append($0) }
                output.append(UInt8(ascii: "\n"))
            })
        do throws(IOError) { try output.flush() } catch {
            throw context.stop(notPrinting: error, of: "CONTACT")
        }
    }

    private static func confirmLoss(_ context: Context, _ whom: String) throws(Stop) {
        try context.confirm(Questions.losing(keysOf: whom), else: Words.nothingChanged)
    }

    /// Synchronises with a contact whose sync key is entered.
    static let sync = Command(
        name: "sync",
        forms: [
            ("CONTACT", "read the contact's sync key and print both verification codes"),
            ("-", "read NAME TAB KEY, print NAME TAB YOURS TAB THEIRS"),
        ],
        mostOperands: 1, hint: ": the key is asked for", columns: [], printsAgain: "verify"
    ) { (context) throws(Stop) in
        try context.synchronise(by: "sync key", endingIn: UInt8(ascii: "\n")) {
            (keyring, contact, text) throws(Stop) in
            let key = try KeyComplaint.key(in: text)
            do throws(KeyringError) {
                return .success(try keyring.prepare(contact, with: key))
            } catch {
                // If the user has no sync key pending for this contact, asking for another key does not help.
                guard case .sync(.noOwnKey) = error else { throw error.stop }
                return .failure(error.stop)
            }
        }
    }
}
