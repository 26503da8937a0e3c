import Access
import Keyring
import LineIO
import System

/// The account: made, changed, deleted.
extension Command {
    static let initialise = Command(
        name: "init",
        forms: [("--user NAME [--country CODE] [--lockout N/SECONDS]", "makes the keyring")],
        options: [
            Option("user", takesValue: true), Option("country", takesValue: true),
            Option("lockout", takesValue: true),
        ]
    ) { (context) throws(Stop) in
        guard let user = context.arguments.value("user") else {
            throw .misuse("init needs --user NAME")
        }
        let (tries, seconds) =
            try context.arguments.value("lockout").map(Options.lockout) ?? (3, 300)
        let name = try Options.userName(user)
        let country = try context.arguments.value("country").map(Options.country) ?? ""
        let access = try context.access()
        try orStop(Keyring.checkAbsent(access.path))
        let password = try access.newPassword(
            from: access.passwordFile, option: "--password-file", for: name)
        try orStop(
            Keyring.create(
                at: access.path, user: name, country: country, lockTries: tries,
                lockSeconds: seconds, password: password.bytes, places: access.places))
        context.parting = Words.made
    }

    static let passwd = Command(
        name: "passwd",
        forms: [
            (
                "[--user NEW] [--country CODE] [--new-password-file FILE]",
                "changes them and the password; the old password first"
            )
        ],
        options: [
            Option("user", takesValue: true), Option("country", takesValue: true),
            Option("new-password-file", takesValue: true),
        ]
    ) { (context) throws(Stop) in
        let newUser = try context.arguments.value("user").map(Options.userName)
        let newCountry = try context.arguments.value("country").map(Options.country)
        let file = context.arguments.value("new-password-file")
        let access = try context.access()
        let keyring = try access.open()
        let old = try access.unlockWithPassword(keyring)
        let user = newUser ?? keyring.account.user
        // Who names only a user or a country, and no file, keeps the password.
        let keepsPassword = file == nil && (newUser != nil || newCountry != nil)
        let new: Password
        if keepsPassword {
            new = old
        } else {
            // It is overwritten before anybody thinks about the new one.
            _ = consume old
            new = try access.newPassword(from: file, option: "--new-password-file", for: user)
        }
        do throws(KeyringError) {
            try keyring.change(
                user: user, country: newCountry ?? keyring.account.country, password: new.bytes,
                keeping: try? access.session()?.name)
        } catch {
            throw error.stop
        }
    }

    static let destroy = Command(
        name: "destroy", forms: [("[--yes]", "deletes the account and all its data, after asking")],
        options: [Option("yes")]
    ) { (context) throws(Stop) in
        let access = try context.access()
        let question = "delete \(quoted(access.path)) with all contacts and keys"
        try context.confirm(question, else: Words.nothingDeleted)
        try orStop(Destruction.destroy(at: access.path, places: access.places))
    }
}
