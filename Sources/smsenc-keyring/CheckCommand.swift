import Access
import Keyring
import LineIO

/// check: looks at everything that the keyring holds.
extension Command {
    static let check = Command(
        name: "check", forms: [("", "verifies the whole keyring, and says what is wrong")],
        run: checkKeyring)

    private static func checkKeyring(_ context: Context) throws -> ExitStatus {
        let keyring = try context.access().unlocked(actsAsIdentity: false)
        var lines: [[String]] = []
        let unseen = try Inspection.run(on: keyring) { lines.append([$0.what, $0.touches]) }
        if unseen > 0 { context.diagnostics.say(Words.unseen(unseen)) }
        try context.print(lines.map { $0.map(quoted) })
        if !lines.isEmpty { throw KeyringError.store(.damaged("what is wrong was printed")) }
        return .done
    }
}
