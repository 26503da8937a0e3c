import Access
import Keyring
import LineIO
import Crypto
import System

/// unlock and lock: sessions.
extension Command {
    static let unlock = Command(
        name: "unlock",
        forms: [
            (
                "[--for DURATION] [--fish]",
                "opens a session: eval \"$(smsenc-keyring unlock)\", or --fish | source"
            )
        ],
        options: [Option("for", takesValue: true), Option("fish")],
        run: openSession)

    private static func openSession(_ context: Context) throws -> ExitStatus {
        let seconds = try Options.duration(context.arguments.value("for"))
        let keyring = try context.access().unlocked(usesSession: false, actsAsIdentity: false)
        try keyring.lookAtAll()
        try keyring.purgeTransients()
        let token = try keyring.openSession(seconds: seconds)
        var output = Output(to: .standardOutput())
        let isForFish = context.arguments.has("fish")
        output.append(isForFish ? "set -gx SMSENC_SESSION " : "SMSENC_SESSION=")
        append(token, to: &output)
        output.append(isForFish ? "\n" : "; export SMSENC_SESSION\n")
        try output.flush()
        if File.standardOutput().isTerminal {
            context.diagnostics.say(isForFish ? Words.notOpenInFish : Words.notOpen)
        }
        return .done
    }

    static let lock = Command(
        name: "lock", forms: [("[--all]", "ends this session, or every one")],
        options: [Option("all")], run: endSession)

    private static func endSession(_ context: Context) throws -> ExitStatus {
        let access = try context.access()
        if context.arguments.has("all") {
            _ = try access.open().endSessions()
            return .done
        }
        guard let token = Environment.value("SMSENC_SESSION") else {
            context.diagnostics.say(Words.noSession)
            return .rejected
        }
        guard try Session(token: token, folder: access.places.sessions).end() else {
            context.diagnostics.say(Words.sessionGone)
            return .rejected
        }
        return .done
    }

    /// Appends a token as hexadecimal digits.
    private static func append(_ token: borrowing SecretBytes, to output: inout Output) {
        token.withSpan { token in
            for index in token.indices {
                output.append(digits[Int(token[index] >> 4)])
                output.append(digits[Int(token[index] & 15)])
            }
        }
    }

    private static let digits = Array("0123456789abcdef".utf8)
}
