import Access
import Crypto
import Keyring
import LineIO
import Protocol
import System

/// What is asked of the person at the terminal.
extension Context {
    /// Does something that the keyring refuses unless it is meant: says what, and asks whether to go on.
    /// With `--yes` nothing is asked; without a terminal, and in a table, it stays refused.
    func asking<Result: ~Copyable>(
        _ body: (_ anyway: Bool) throws(KeyringError) -> Result
    ) throws -> Result {
        let fault: KeyringError
        do {
            return try body(arguments.has("yes"))
        } catch {
            fault = error
        }
        guard !isTable, let question = question(about: fault), let terminal = Terminal() else {
            throw fault
        }
        guard try terminal.ask("\(question) Go on? Type yes: ") == "yes" else { throw fault }
        return try body(true)
    }

    /// Asks whether something that cannot be undone is meant; `--yes` says so. Where it is not, says what
    /// was left undone.
    ///
    /// - Throws: `Misuse` where nobody can be asked.
    func confirm(_ question: String, else left: String) throws -> Bool {
        if arguments.has("yes") { return true }
        guard let terminal = Terminal() else {
            throw Misuse("there is no terminal to ask on; give --yes")
        }
        if try terminal.ask("\(question), for good? Type yes: ") == "yes" { return true }
        diagnostics.say(left)
        return false
    }

    private func question(about fault: KeyringError) -> String? {
        switch fault {
        case .contact(.knownAs(_, let identity)):
            "the identity \(quoted(identity.name)) knows that number: this person knows you under another name."
        case .sync(.unasked(let name, let isVerified)):
            "you have made no offer, and anybody can send one in the name of \(quoted(name)). Accepting it ends the conversation that there is\(isVerified ? ", whose codes were compared" : "")."
        default: nil
        }
    }

    /// What a person is asked for until it is well formed: what is wrong with it is said each time. An
    /// empty line, or nobody at the terminal, leaves it at the first.
    ///
    /// - Parameters:
    ///   - first: reads what came first.
    ///   - again: reads what is typed when it is asked for again.
    /// - Throws: what `first` and `again` throw.
    func askingAgain<Result: ~Copyable>(
        _ prompt: String, _ first: () throws -> Result,
        again: (borrowing SecretBytes) throws -> Result
    ) throws -> Result {
        var fault: any Complaint
        do {
            return try first()
        } catch let complaint as any Complaint where complaint.status == .rejected {
            fault = complaint
        }
        while isAtTerminal, let terminal = Terminal() {
            diagnostics.say(fault.text)
            let typed = try terminal.askShown(prompt)
            if typed.count == 0 { throw AccessError.noAnswer }
            do {
                return try again(typed)
            } catch let complaint as any Complaint where complaint.status == .rejected {
                fault = complaint
            }
        }
        throw fault
    }
}
