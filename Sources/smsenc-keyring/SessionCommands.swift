import Access
import Keyring
import LineIO
import Crypto
import System

/// unlock and lock: sessions.
extension Command {
    static let unlock = Command(
        "unlock", [("[--for DURATION]", "opens a session: eval \"$(smsenc-keyring unlock)\"")],
        options: [Option("for", takesValue: true)],
        run: openSession)

    private static func openSession(_ context: Context) throws -> ExitStatus {
        try context.expect(0...0, "")
        let seconds = try duration(context.arguments.value("for"))
        let keyring = try context.access().unlocked(usesSession: false, actsAsIdentity: false)
        try keyring.lookAtAll()
        try keyring.purgeTransients()
        let token = try keyring.openSession(seconds: seconds)
        var output = Output(to: .standardOutput())
        output.append("SMSENC_SESSION=")
        append(token, to: &output)
        output.append("; export SMSENC_SESSION\n")
        try output.flush()
        return .done
    }

    static let lock = Command(
        "lock", [("[--all]", "ends this session, or every one")], options: [Option("all")],
        run: endSession)

    private static func endSession(_ context: Context) throws -> ExitStatus {
        try context.expect(0...0, "")
        let access = try context.access()
        if context.arguments.has("all") {
            _ = try access.open().endSessions()
            return .done
        }
        guard let token = Environment.value("SMSENC_SESSION") else {
            context.diagnostics.say(Note.noSession)
            return .rejected
        }
        guard try Session(token: token, folder: access.places.sessions).end() else {
            context.diagnostics.say(Note.sessionGone)
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

    /// Seconds of a duration such as `30m` or `8h`; an hour where none is given.
    private static func duration(_ text: String?) throws(Misuse) -> Int64 {
        guard let text else { return 3600 }
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        let unit = text.last.flatMap { units[$0] }
        let number = unit == nil ? text[...] : text.dropLast()
        guard let count = Int64(number), (1...100_000_000).contains(count), number.first != "+",
            let unit = unit ?? (number.isEmpty ? nil : 1), count * unit <= 366 * 86_400
        else { throw Misuse("--for takes a duration such as 30m or 8h, not \(text)") }
        return count * unit
    }
}
