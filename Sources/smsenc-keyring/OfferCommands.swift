import Access
import Keyring
import LineIO
import Protocol
import System

/// offer: one's own offer, one line to send as it is.
extension Command {
    static let offer = Command(
        name: "offer",
        forms: [
            ("NAME [--new]", "prints an offer to send by SMS, or the one not answered yet"),
            ("- [--new]", "reads NAME, prints NAME TAB OFFER"),
        ],
        options: [Option("new")] + tableOptions,
        mostOperands: 1, run: makeOffer)

    private static func makeOffer(_ context: Context) throws -> ExitStatus {
        try context.expectName()
        return try context.forContact(fields: 1...1) { (keyring, fields, output, _) in
            let contact = try keyring.contact(named: fields[0])
            let offer = try keyring.offer(contact, renew: context.arguments.has("new"))
            context.appendName(fields[0], to: &output)
            output.append(offer.text)
        }
    }
}

/// accept: the contact's offer; in step from here, not verified yet.
extension Command {
    static let accept = Command(
        name: "accept",
        forms: [
            ("NAME [--yes]", "reads the contact's offer, prints both verification codes"),
            ("- [--yes]", "reads NAME TAB OFFER, prints NAME TAB YOURS TAB THEIRS"),
        ],
        options: [Option("yes")] + tableOptions,
        mostOperands: 1, hint: ": the offer is asked for", run: acceptOffer)

    private static func acceptOffer(_ context: Context) throws -> ExitStatus {
        try context.expectName()
        var cipher = try Cipher()
        return try context.forContact(fields: 2...2) { (keyring, fields, output, notes) in
            let contact = try keyring.contact(named: fields[0])
            let prompt = "offer of \(quoted(contact.name)): "
            let theirs = try context.askingAgain(prompt) {
                try OfferComplaint.offer(in: context.isTable ? fields[1] : contactOffer(prompt))
            } again: { (typed) in
                try OfferComplaint.offer(in: wholeOffer(text(of: typed)))
            }
            let acceptance = try context.asking { (anyway) throws(KeyringError) in
                try keyring.accept(theirs, from: contact, anyway: anyway, &cipher)
            }
            if acceptance.endedConversation {
                notes.append(Words.loss(of: contact, wasVerified: acceptance.endedVerified))
            }
            if let offer = acceptance.madeOffer { notes.append(Words.send(offer, to: contact)) }
            context.append(acceptance.codes, of: fields[0], to: &output)
            context.parting = Words.inStep(contact)
        }
    }

    /// Goes on from the first line of an offer until it is whole or cannot become so: what is pasted
    /// may hold the line breaks of a phone. An empty line ends it.
    private static func wholeOffer(_ first: String) throws -> String {
        guard let terminal = Terminal() else { throw AccessError.nobodyToAsk }
        var text = first
        for _ in 0..<longestPaste {
            do throws(OfferFault) {
                _ = try Offer(in: text)
                return text
            } catch .length(1...55) {
                text += "\n"
            } catch {
                return text
            }
            let more = try terminal.ask("go on: ")
            if more.isEmpty { return text }
            text += more
        }
        return text
    }

    /// Lines of an offer that is pasted, at most.
    private static let longestPaste = 8

    /// The contact's offer: asked for when stdin is a terminal, else all of stdin, in whose lines a
    /// phone may have broken it.
    private static func contactOffer(_ prompt: String) throws -> String {
        let input = File.standardInput()
        if input.isTerminal {
            guard let terminal = Terminal() else { throw AccessError.nobodyToAsk }
            return try wholeOffer(try terminal.ask(prompt))
        }
        var reader = RecordReader(
            terminator: 0, payloadField: 1, bufferSize: 4 * RecordReader.longestRecord)
        guard case .batch = try reader.advance(in: input, atMost: 1, beforeWaiting: {}),
            let text = reader.records.first
        else { return "" }
        return try reader.withRaw(of: text) { try Table.text($0) }
    }
}
