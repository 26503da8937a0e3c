/// A violated rule, which the simulation throws.
struct Violation: Error, CustomStringConvertible {
    /// The rules, which are checked after every step.
    enum Rule: String {
        case keyOnce = "no message key encrypts two frames"
        case readAsWritten =
            "every decrypted message is what its apparent sender wrote, and is printed once"
        case limits = "every message within the limits of the manual can be decrypted"
        case rereading = "a session can decrypt again what it has decrypted, and no other message"
        case counts = "record statuses, missing and unconfirmed messages are reported correctly"
        case commands = "commands succeed and fail as the manual says"
        case positions =
            "sender and recipient know the position of each message, and none is handed out twice"
        case holdings = "the keyring stores what it should, and nothing else"
        case secrecy = "the adversary reads and forges only what the manual admits"
        case advice =
            "following the advice of the tools brings both sides back in sync within two rounds"
        case progress = "every run ends"
    }

    let rule: Rule
    let what: String

    init(_ rule: Rule, _ what: String) { (self.rule, self.what) = (rule, what) }

    var description: String { "\(rule.rawValue): \(what)" }
}
