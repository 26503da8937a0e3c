import UserInterface
import Keyring
import ToolKit
import System

/// Commands that create, change and delete the account.
extension Command {
    static let initialise = Command(
        name: "init",
        forms: [("", "create the keyring")],
        options: [
            Option("user", value: "NAME", "the name of the user (required)"), .country,
            Option(
                "lockout", value: "N/SECONDS",
                Options.lockoutSummary),
        ],
        isForAccount: true, hint: "; write the name of the user after --user"
    ) { (context) throws(ExitError) in
        guard let user = context.arguments.value("user") else {
            throw .misuse("init needs --user NAME")
        }
        let (tries, seconds) =
            try context.arguments.value("lockout").map(Options.lockout) ?? Account.defaultLockout
        let name = try Options.userName(user)
        let country = try context.arguments.value("country").map(Options.country) ?? ""
        let access = try context.access()
        try throwingExitError(Keyring.checkAbsent(access.path))
        let password = try NewPassword.choose(
            from: access.passwordFile, option: "--password-file", for: name, context.diagnostics)
        try throwingExitError(
            Keyring.create(
                at: access.path, user: name, country: country, lockTries: tries,
                lockSeconds: seconds, password: password.bytes, places: access.places))
        try context.warnOfVolatileNote()
        context.closingNote = DiagnosticText.made
    }

    static let passwd = Command(
        name: "passwd",
        forms: [("", "change the password")],
        options: [
            Option(
                "new-password-file", value: "FILE",
                "read the new password from the first line of FILE (default: ask)")
        ],
        isForAccount: true, hint: "; passwd asks for the password"
    ) { (context) throws(ExitError) in
        let file = context.arguments.value("new-password-file")
        let access = try context.access()
        // Do not keep the old password in memory while the user chooses a new password.
        let keyring = try access.unlockWithPassword(access.open()).keyring
        try throwingExitError(keyring.checkCanBeChanged())
        let user = keyring.account.user
        let new = try NewPassword.choose(
            from: file, option: "--new-password-file", for: user, context.diagnostics)
        try context.change(keyring, access, user: user, password: new)
        context.closingNote = DiagnosticText.passwordChanged
    }

    static let destroy = Command(
        name: "destroy", forms: [("", "delete the keyring with all its data after confirmation")],
        options: [.yes], isForAccount: true
    ) { (context) throws(ExitError) in
        let access = try context.access()
        let question =
            "delete \(quoted(access.path)) with all contacts and keys? This cannot be undone."
        try context.confirm(question, else: DiagnosticText.nothingDeleted)
        try throwingExitError(KeyringDeletion.destroy(at: access.path, places: access.places))
        // The scripts keep messages that were read in this folder, unless the user has chosen another box.
        let box = access.path + "-box"
        context.closingNote = DiagnosticText.destroyed(
            access.path, exceptFor: File.exists(box) ? box : nil)
    }
}

extension CommandContext {
    /// Changes the user name and the password. Ends all sessions except the current one.
    func change(
        _ keyring: Keyring, _ access: KeyringAccess, user: String, password: borrowing Password
    ) throws(ExitError) {
        try throwingExitError(
            keyring.changePassword(
                user: user, password: password.bytes, keeping: try? access.session()?.name))
    }
}
