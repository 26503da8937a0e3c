import Access
import Keyring
import LineIO
import Protocol
import System

/// offer: one's own offer, one line to send as it is.
extension Command {
    static let offer = Command(
        "offer",
        [
            ("NAME [--new]", "prints an offer to send by SMS, or the one not answered yet"),
            ("- [--new]", "reads NAME, prints NAME TAB OFFER"),
        ],
        options: [Option("new")] + tableOptions,
        run: makeOffer)

    private static func makeOffer(_ context: Context) throws -> ExitStatus {
        try context.expect(1...1, "a name, or - for a table,")
        let renew = context.arguments.has("new")
        if context.isTable {
            let table = try Table(context, fields: 1...1)
            let keyring = try context.access().unlocked()
            return try table.run { (fields, output, _) in
                let contact = try keyring.contact(named: fields[0])
                output.append("\(fields[0])\t\(try keyring.offer(contact, renew: renew).text)")
            }
        }
        try context.refuseTableOptions()
        let keyring = try context.access().unlocked()
        let contact = try keyring.contact(named: context.operands[0])
        try context.print([[try keyring.offer(contact, renew: renew).text]])
        return .done
    }
}

/// accept: the contact's offer; in step from here, not verified yet.
extension Command {
    static let accept = Command(
        "accept",
        [
            ("NAME [--yes]", "reads the contact's offer, prints both verification codes"),
            ("- [--yes]", "reads NAME TAB OFFER, prints NAME TAB YOURS TAB THEIRS"),
        ],
        options: [Option("yes")] + tableOptions,
        run: acceptOffer)

    private static func acceptOffer(_ context: Context) throws -> ExitStatus {
        try context.expect(1...1, "a name, or - for a table,", hint: ": the offer is asked for")
        if context.isTable { return try acceptTable(context) }
        try context.refuseTableOptions()
        let keyring = try context.access().unlocked()
        let contact = try keyring.contact(named: context.operands[0])
        let prompt = "offer of \(quoted(contact.name)): "
        let theirs = try context.askingAgain(prompt) {
            try OfferComplaint.offer(in: try contactOffer(prompt))
        } again: { (typed) in
            try OfferComplaint.offer(in: try wholeOffer(text(of: typed)))
        }
        var cipher = try Cipher()
        let acceptance = try context.asking { (anyway) throws(KeyringError) in
            try keyring.accept(theirs, from: contact, anyway: anyway, &cipher)
        }
        for note in notes(acceptance, contact) { context.diagnostics.say(note) }
        try context.print(codeLines(acceptance.codes))
        context.tell(Words.inStep(contact))
        return .done
    }

    private static func acceptTable(_ context: Context) throws -> ExitStatus {
        let table = try Table(context, fields: 2...2)
        let keyring = try context.access().unlocked()
        let anyway = context.arguments.has("yes")
        var cipher = try Cipher()
        return try table.run { (fields, output, rowNotes) in
            let contact = try keyring.contact(named: fields[0])
            let theirs = try OfferComplaint.offer(in: fields[1])
            let acceptance = try keyring.accept(theirs, from: contact, anyway: anyway, &cipher)
            output.append(codeRow(fields[0], acceptance.codes))
            rowNotes += notes(acceptance, contact)
        }
    }

    private static func notes(_ acceptance: Keyring.Acceptance, _ contact: Contact) -> [String] {
        var notes: [String] = []
        if acceptance.endedConversation {
            notes.append(Words.loss(of: contact, wasVerified: acceptance.endedVerified))
        }
        if let offer = acceptance.madeOffer { notes.append(Words.send(offer, to: contact)) }
        return notes
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
