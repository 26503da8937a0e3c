import UserInterface
import Keyring
import PhoneNumbers
import ToolKit
import System

extension Command {
    /// Prints all settings, or changes one setting.
    static let set = Command(
        name: "set",
        forms: [("", "print all settings")]
            + Setting.all.map { ("\($0.name) \($0.operands)", "\($0.summary)") },
        maximumOperands: 1 + (Setting.all.map { $0.operandCount }.max() ?? 0)
    ) { (context) throws(ExitError) in
        guard let name = context.operands.first else {
            let keyring = try context.access().unlocked()
            var lines: [[String]] = []
            for setting in Setting.all { lines += try setting.lines(keyring) }
            return try context.print(lines.map { $0.map(quoted) })
        }
        guard let setting = Setting.all.first(where: { $0.name == name }) else {
            let words = name.split(separator: "=", maxSplits: 1).map(String.init)
            let suggestion =
                words.count == 2 && Setting.all.contains { $0.name == words[0] }
                ? "set \(words[0]) \(shellWord(words[1]))"
                : SpellingSuggestion.word(to: name, among: Setting.all.map { $0.name })
            throw .misuse("there is no setting \(name)", suggesting: suggestion)
        }
        let operands = Array(context.operands.dropFirst())
        guard operands.count == setting.operandCount else {
            throw .misuse("set \(name) takes \(setting.operands)")
        }
        try setting.change(context, operands)
        context.closingNote = DiagnosticText.settingChanged(name)
    }
}

/// A setting that `set` can print and change.
private struct Setting: Sendable {
    let name: String
    /// The operands that `--help` shows after the name of the setting.
    let operands: String
    let summary: StaticString
    /// Returns the lines that `set` prints for this setting if `set` is called without operands. Each line
    /// begins with the name of the setting.
    let lines: @Sendable (Keyring) throws(ExitError) -> [[String]]
    let change: @Sendable (CommandContext, [String]) throws(ExitError) -> Void

    /// True if the settings are printed on a terminal. At a terminal, the settings are printed in a form
    /// for people instead of for programs.
    private static var isShown: Bool { File.standardOutput().isTerminal }
    private static var none: String { isShown ? "none" : "-" }

    var operandCount: Int { operands.split(separator: " ").count }

    static let all = [user, country, lockout, receipts]

    private static let user = Setting(
        name: "user", operands: "NAME", summary: "set the name of the user (asks for the password)"
    ) { (keyring) in
        [["user", keyring.account.user]]
    } change: { (context, operands) throws(ExitError) in
        let name = try Options.userName(operands[0])
        let access = try context.access()
        let unlocked = try access.unlockWithPassword(access.open())
        try context.change(unlocked.keyring, access, user: name, password: unlocked.password)
    }

    private static let country = Setting(
        name: "country", operands: "CODE",
        summary: "set the calling code for telephone numbers without one, such as 27"
    ) { (keyring) in
        [["country", keyring.account.country.isEmpty ? none : keyring.account.country]]
    } change: { (context, operands) throws(ExitError) in
        let code = try Options.country(operands[0])
        let keyring = try context.access().unlocked()
        try throwingExitError(keyring.changeSettings(country: code))
        var count = 0
        try throwingExitError(
            keyring.eachCard { (contact) in
                if contact.number.map(PhoneNumber.isNational) == true { count += 1 }
            })
        if count > 0 { context.diagnostics.say(DiagnosticText.nationalLeft(count)) }
    }

    private static let lockout = Setting(
        name: "lockout", operands: "N/SECONDS",
        summary: Options.lockoutSummary
    ) { (keyring) in
        let (tries, seconds) = (keyring.account.lockTries, keyring.account.lockSeconds)
        guard isShown else { return [["lockout", "\(tries)/\(seconds)"]] }
        let passwords = tries == 1 ? "1 wrong password" : "\(tries) wrong passwords in a row"
        return [["lockout", "\(seconds) s after \(passwords)"]]
    } change: { (context, operands) throws(ExitError) in
        let lockout = try Options.lockout(operands[0])
        let keyring = try context.access().unlocked()
        try throwingExitError(keyring.changeSettings(lockout: lockout))
    }

    private static let receipts = Setting(
        name: "receipts", operands: "CONTACT on|off",
        summary: "set whether the contact gets receipts for messages that you read (default: off)"
    ) { (keyring) throws(ExitError) in
        var lines: [[String]] = []
        try throwingExitError(
            keyring.eachContact { (contact, state) in
                if state.getsReceipts { lines.append(["receipts", contact.name, "on"]) }
            })
        return lines
    } change: { (context, operands) throws(ExitError) in
        let values = ["on": true, "off": false]
        guard let isOn = values[operands[1]] else {
            throw .misuse("set receipts takes on or off, not \(operands[1])")
        }
        let keyring = try context.access().unlocked()
        let contact = try context.contact(operands[0], of: keyring)
        try throwingExitError(keyring.setReceipts(of: contact, isOn))
    }
}
