import UserInterface
import Keyring
import ToolKit
import Protocol
import System

/// Commands that create and accept offers.
extension Command {
    static let offer = Command(
        name: "offer",
        forms: [
            ("CONTACT", "print a new offer to send by SMS, or the pending offer again"),
            ("-", "read NAME, print NAME TAB OFFER"),
        ],
        options: [Option("new", "replace the pending offer with a new one"), .yes],
        maximumOperands: 1,
        hint:
            "; enter the contact's offer with accept",
        columns: [], reprintCommand: "offer"
    ) { (context) throws(ExitError) in
        try context.forContact(fields: 1...1) { (keyring, fields, output) throws(ExitError) in
            let contact = try context.contact(fields[0], of: keyring)
            try context.confirmBeginningAgain(with: contact, by: .offer, keyring)
            let renews = context.arguments.has("new")
            let offer = try throwingExitError(keyring.offer(contact, renew: renews))
            output.append(offer.text)
            context.closingNote = DiagnosticText.offerMade(for: contact.name)
        }
    }

    /// Accepts a contact's offer, which synchronises the user with the contact.
    static let accept = Command(
        name: "accept",
        forms: [
            ("CONTACT", "read the contact's offer and print both verification codes"),
            ("-", "read NAME TAB OFFER, print NAME TAB YOURS TAB THEIRS"),
        ],
        options: [.yes], maximumOperands: 1, hint: "; accept asks for the offer", columns: [],
        reprintCommand: "verify"
    ) { (context) throws(ExitError) in
        // If stdin is not a terminal, read all of its lines. A phone may have split the offer into several
        // lines.
        let isTyped = !context.isTable && File.standardInput().isTerminal
        try context.synchronise(by: "offer", endingIn: 0) {
            (keyring, contact, text) throws(ExitError) in
            let text = try Table.text(text)
            let offers = try KeyEntryError.offers(in: isTyped ? wholeOffer(text) : text)
            do throws(ExitError) {
                return .success(
                    try context.confirmingIfRefused { (force) throws(KeyringError) in
                        try keyring.prepare(contact, withFirstOf: offers, force: force)
                    })
            } catch {
                // The user may have pasted a text that contains both offers. Ask for the contact's offer.
                let isOwn = error == KeyringError.sync(.ownOfferEntered(contact.name)).exitError
                if isTyped, isOwn { throw error }
                return .failure(error)
            }
        }
    }

    /// Reads further lines of an offer at the terminal, because a phone may have added line breaks to an
    /// offer that the user pastes. Stops reading if the offer is complete, if more lines cannot complete
    /// it, or if the user enters an empty line.
    private static func wholeOffer(_ first: String) throws(ExitError) -> String {
        guard let terminal = Terminal() else { throw AccessError.noTerminal.exitError }
        var (text, prompt) = (first, "next line: ")
        for _ in 0..<maximumFurtherLines {
            do throws(OfferFault) {
                _ = try Offer(in: text)
                return text
            } catch .length(1...55) {
                text += "\n"
            } catch .missing where (try? SyncKey(reading: text.utf8.span)) == nil {
                // The first lines may contain a greeting.
                text += "\n"
                prompt = "an offer begins with smsenc1-; next line: "
            } catch {
                return text
            }
            let more = try terminal.ask(prompt)
            prompt = "next line: "
            if more.isEmpty { return text }
            text += more
        }
        return text
    }

    /// Maximum number of lines of an offer that are read after the first line.
    private static let maximumFurtherLines = 8
}
