import UserInterface
import Crypto
import Keyring
import ToolKit
import System

extension Command {
    static let unlock = Command(
        name: "unlock",
        forms: [("", "open a session: eval \"$(smsenc-keyring unlock)\"")],
        options: [
            Option(
                "for", value: "DURATION",
                "end the session after DURATION, such as 30m or 8h (default: 1h)"),
            Option(
                "fish",
                "print the session for the fish shell: smsenc-keyring unlock --fish | source"),
        ],
        isForAccount: true, hint: "; write a duration after --for"
    ) { (context) throws(ExitError) in
        let seconds = try context.duration(of: "for") ?? 3600
        let keyring = try context.access().unlocked(usesSession: false)
        try throwingExitError(keyring.purgeTransients())
        let token = try throwingExitError(keyring.openSession(seconds: seconds))
        var output = Output(to: .standardOutput())
        let isForFish = context.arguments.has("fish")
        output.append(isForFish ? "set -gx SMSENC_SESSION " : "SMSENC_SESSION=")
        let digits = Array("0123456789abcdef".utf8)
        token.withSpan { token in
            for index in token.indices {
                output.append(digits[Int(token[index] >> 4)])
                output.append(digits[Int(token[index] & 15)])
            }
        }
        output.append(isForFish ? "\n" : "; export SMSENC_SESSION\n")
        try throwingExitError(io: output.flush())
        if File.standardOutput().isTerminal {
            context.diagnostics.say(
                isForFish ? DiagnosticText.notOpenInFish : DiagnosticText.notOpen)
        }
    }

    static let lock = Command(
        name: "lock", forms: [("", "end the session")],
        options: [Option("all", "end all sessions of the keyring")], isForAccount: true,
        hint: "; lock ends the session of this shell"
    ) { (context) throws(ExitError) in
        let access = try context.access()
        if context.arguments.has("all") {
            try access.open().endSessions()
            return
        }
        guard let session = try throwingExitError(access.session()) else {
            throw ExitError(.rejected, DiagnosticText.noSession)
        }
        guard session.end() else { throw ExitError(.rejected, DiagnosticText.sessionGone) }
    }
}
