import UserInterface
import Crypto
import Keyring
import ToolKit
import Protocol
import System

/// Functions that ask the user questions at the terminal.
extension CommandContext {
    /// Runs an operation that the user may have to confirm.
    ///
    /// If `--yes` is given, the operation is confirmed from the beginning. Without `--yes`, the keyring
    /// may refuse the operation. If the keyring refuses, the function prints the reason and asks the user
    /// whether to continue. The user is not asked if there is no terminal, or if the command processes a
    /// table.
    ///
    /// - Parameter body: the operation. Its argument `force` is true if the operation is confirmed.
    func confirmingIfRefused<Result: ~Copyable>(
        _ body: (_ force: Bool) throws(KeyringError) -> Result
    ) throws(ExitError) -> Result {
        do throws(KeyringError) {
            return try body(arguments.has("yes"))
        } catch {
            guard !isTable, let question = question(about: error), let terminal = Terminal(),
                try terminal.confirms("\(question) Continue? Type yes: ")
            else { throw error.exitError }
        }
        return try throwingExitError(body(true))
    }

    /// Asks for confirmation before a new sync key or offer is created for a contact that is already
    /// synchronised.
    func confirmBeginningAgain(
        with contact: Contact, by new: ContactState.Method, _ keyring: Keyring
    ) throws(ExitError) {
        guard isAtTerminal, !arguments.has("yes"), let terminal = Terminal() else { return }
        let state = try throwingExitError(keyring.state(of: contact))
        guard state.hasConversation, state.pending != new || arguments.has("new") else { return }
        let question = Questions.beginningAgain(
            contact, by: new, isVerified: state.status == .verified)
        guard try terminal.confirms("\(question) Continue? Type yes: ") else {
            throw ExitError(.rejected, DiagnosticText.nothingChanged)
        }
    }

    /// Asks the user to confirm an irreversible operation, unless `--yes` is given.
    ///
    /// - Parameter declined: the diagnostic for a user who does not confirm.
    /// - Throws: an error with this diagnostic. Throws `misuse` if there is no terminal.
    func confirm(_ question: String, else declined: String) throws(ExitError) {
        if arguments.has("yes") { return }
        let terminal = try terminalForConfirmation()
        guard try terminal.confirms("\(question) Type yes: ") else {
            throw ExitError(.rejected, declined)
        }
    }

    /// Asks whether the contact has compared the user's code. After an exchange of offers, both people
    /// must compare the other person's code.
    ///
    /// - Throws: `oneCode` if the answer is no, or if there is no terminal.
    func confirmContactHasCompared(_ contact: Contact, _ codes: VerificationCodes) throws(ExitError)
    {
        guard !isTable, let terminal = Terminal(),
            try terminal.confirms(Questions.both(contact, codes))
        else { throw CodeEntryError.oneCode(contact, yours: codes.yoursShown).exitError }
    }

    /// Checks that `--yes` is given, or that the user can confirm at a terminal. Commands call this
    /// function before they open any file.
    func checkCanConfirm() throws(ExitError) {
        if !arguments.has("yes") { _ = try terminalForConfirmation() }
    }

    private func terminalForConfirmation() throws(ExitError) -> Terminal {
        guard let terminal = Terminal() else {
            throw .misuse("cannot ask for confirmation without a terminal; add --yes")
        }
        return terminal
    }

    private func question(about fault: KeyringError) -> String? {
        switch fault {
        case .contact(.knownAs(_, let identity)):
            "the identity \(quoted(identity.name)) already has a contact with this number, so this person already knows you under that identity."
        case .sync(.unasked(let name, .lost)):
            "the phone of \(quoted(name)) was lost or seized, and anyone who has the phone can send this offer."
        case .sync(.unasked(let name, .restored)):
            "you have sent no offer, and anyone can send one in the name of \(quoted(name))."
        case .sync(.unasked(let name, let state)):
            "you have sent no offer, and anyone can send one in the name of \(quoted(name)). If you accept this offer, your current \(state == .verified ? "verified " : "")conversation ends."
        default: nil
        }
    }

    /// Reads a key or offer from the terminal, or from the first record of stdin if stdin is not a
    /// terminal. At a terminal, the key or offer is visible while the user types it, because the user must
    /// compare it.
    func entered(_ prompt: String, endingIn terminator: UInt8) throws(ExitError) -> SecretBytes {
        let input = File.standardInput()
        if input.isTerminal {
            guard let terminal = Terminal() else { throw AccessError.noTerminal.exitError }
            return try terminal.askVisible(prompt)
        }
        return try throwingExitError(
            io: RecordReader.withFirst(of: input, endingIn: terminator) {
                SecretBytes(copying: $0)
            })
    }

    /// Reads and parses a key, an offer or a code. If the user's input is malformed, prints the reason and
    /// asks the user again.
    ///
    /// Does not ask again if the user enters an empty line, or if there is no terminal.
    ///
    /// - Parameter first: reads the first input.
    /// - Throws: `noAnswer`, and the errors of `first` and `read`.
    func parsingUntilValid<Result: ~Copyable>(
        _ prompt: String, _ first: () throws(ExitError) -> SecretBytes,
        read: (borrowing SecretBytes) throws(ExitError) -> Result
    ) throws(ExitError) -> Result {
        var answer = try first()
        while true {
            do throws(ExitError) {
                return try read(answer)
            } catch {
                guard error.status == .rejected, isAtTerminal, let terminal = Terminal() else {
                    throw error
                }
                diagnostics.say(error.text)
                answer = try terminal.askVisible(prompt)
                if answer.count == 0 { throw AccessError.noAnswer.exitError }
            }
        }
    }
}

/// The confirmation prompts for irreversible operations.
enum Questions {
    static func beginningAgain(
        _ contact: Contact, by new: ContactState.Method, isVerified: Bool
    ) -> String {
        let keys = new == .offer ? "offers" : "keys"
        let codes = isVerified ? ", and you must compare codes again" : ""
        return
            "\(quoted(contact.name)) is already synchronised. After both of you have entered the new \(keys), you cannot decrypt earlier messages any more\(codes)."
    }

    static func both(_ contact: Contact, _ codes: VerificationCodes) -> String {
        "the code is correct. Your own code is \(codes.yoursShown). Has \(quoted(contact.name)) compared your code and confirmed it? Type yes: "
    }

    static func removing(_ contact: Contact) -> String {
        "remove \(quoted(contact.name)) and all keys of this contact? Messages from \(quoted(contact.name)) can then no longer be decrypted. This cannot be undone."
    }

    static let removingTable =
        "remove the contacts of this table and all their keys? This cannot be undone."

    static func losing(keysOf whom: String) -> String {
        "erase the keys of \(whom) now? SMS that you have not decrypted yet become unreadable, and no messages can be exchanged until you synchronise again. This cannot be undone."
    }

    static func removing(identity name: String) -> String {
        "remove the identity \(quoted(name)) with all its contacts and its file key? Files that were sealed for this identity can then no longer be opened. This cannot be undone."
    }
}
