/// A violated rule. The simulation throws it.
struct Violation: Error, CustomStringConvertible {
    /// The rules, checked after every step.
    enum Rule: String {
        case keyOnce = "no message key enciphers two frames"
        case readAsWritten = "what is read is what was written, by whom it is said to be, once"
        case limits = "within the limits of the manual all that arrives is read"
        case counts = "fates, missing and unconfirmed agree with what happened"
        case commands = "commands do and refuse what the manual says"
        case holdings = "the keyring holds what it should, and nothing else"
        case secrecy = "nothing is read or written that the manual says cannot be"
        case advice = "who does what the tools say is in step again within two rounds"
        case progress = "a run comes to its end"
    }

    let rule: Rule
    let what: String

    init(_ rule: Rule, _ what: String) { (self.rule, self.what) = (rule, what) }

    var description: String { "\(rule.rawValue): \(what)" }
}
