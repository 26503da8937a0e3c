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
        if context.operands[0] == "-" { return try offerTable(context, renew) }
        try context.refuseTableOptions()
        let keyring = try context.access().unlocked()
        let contact = try keyring.contact(named: context.operands[0])
        try context.print([[try keyring.offer(contact, renew: renew).text]])
        return .done
    }

    private static func offerTable(_ context: Context, _ renew: Bool) throws -> ExitStatus {
        let options = try FilterOptions(context.arguments, payloadField: 1, inputs: ["-"])
        let keyring = try context.access().unlocked()
        let filter = try Filter(tool: SmsencKeyring.name, options: options)
        return try filter.run { (_, field, output) in
            do throws(KeyringError) {
                let contact = try keyring.contact(named: try Table.text(field))
                let offer = try keyring.offer(contact, renew: renew)
                output.append(field)
                output.append("\t" + offer.text)
                output.append(options.terminator)
                return .good
            } catch {
                return try Table.verdict(error)
            }
        }
    }
}

/// accept: the contact's offer; in step from here, not verified yet.
extension Command {
    static let accept = Command(
        "accept",
        [
            ("NAME", "reads the contact's offer, prints both verification codes"),
            ("-", "reads NAME TAB OFFER, prints NAME TAB YOURS TAB THEIRS"),
        ],
        options: tableOptions,
        run: acceptOffer)

    private static func acceptOffer(_ context: Context) throws -> ExitStatus {
        try context.expect(1...1, "a name, or - for a table,")
        if context.operands[0] == "-" { return try acceptTable(context) }
        try context.refuseTableOptions()
        let keyring = try context.access().unlocked()
        let contact = try keyring.contact(named: context.operands[0])
        let theirs = try OfferComplaint.offer(in: try contactOffer(contact))
        var cipher = try Cipher()
        let acceptance = try keyring.accept(theirs, from: contact, &cipher)
        for note in notes(acceptance, contact) { context.diagnostics.say(note) }
        try context.print(codeLines(acceptance.codes))
        return .done
    }

    private static func acceptTable(_ context: Context) throws -> ExitStatus {
        let options = try FilterOptions(context.arguments, payloadField: 2, inputs: ["-"])
        let keyring = try context.access().unlocked()
        var cipher = try Cipher()
        let filter = try Filter(tool: SmsencKeyring.name, options: options)
        return try filter.runBatches { (reader, outcome) in
            for record in reader.records where !outcome.isStopped {
                var reason = Filter.reason(of: record, options)
                if reason == nil {
                    reason = try accept(record, reader, &outcome, keyring, &cipher, options)
                }
                if let reason { outcome.reject(record, in: reader, reason) }
            }
        }
    }

    /// Accepts one row; why it is bad, or nil.
    private static func accept(
        _ record: Record, _ reader: borrowing RecordReader, _ outcome: inout Outcome,
        _ keyring: Keyring, _ cipher: inout Cipher, _ options: FilterOptions
    ) throws -> String? {
        do {
            let (name, text) = try reader.withFields(of: record) { (fields, offer) in
                (try Table.text(fields.extracting(..<(fields.count - 1))), try Table.text(offer))
            }
            let contact = try keyring.contact(named: name)
            let theirs = try OfferComplaint.offer(in: text)
            let acceptance = try keyring.accept(theirs, from: contact, &cipher)
            for note in notes(acceptance, contact) { outcome.remark(record, in: reader, note) }
            outcome.output.append(
                "\(name)\t\(acceptance.codes.yoursShown)\t\(acceptance.codes.theirsShown)")
            outcome.output.append(options.terminator)
            return nil
        } catch let complaint as any Complaint where complaint.status == .rejected {
            return complaint.text
        }
    }

    private static func notes(_ acceptance: Keyring.Acceptance, _ contact: Contact) -> [String] {
        var notes: [String] = []
        if acceptance.endedConversation { notes.append(Note.loss(of: contact)) }
        if let offer = acceptance.madeOffer { notes.append(Note.send(offer, to: contact)) }
        return notes
    }

    /// Asks for an offer line by line, until it is whole or cannot become so: what is pasted may
    /// hold the line breaks of a phone. An empty line ends it.
    private static func lines(of contact: Contact, _ terminal: borrowing Terminal) throws -> String
    {
        var text = try terminal.ask("offer of \(quoted(contact.name)): ")
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
    private static func contactOffer(_ contact: Contact) throws -> String {
        let input = File.standardInput()
        if input.isTerminal {
            guard let terminal = Terminal() else { throw AccessError.nobodyToAsk }
            return try lines(of: contact, terminal)
        }
        var reader = RecordReader(
            terminator: 0, payloadField: 1, bufferSize: 4 * RecordReader.longestRecord)
        guard case .batch = try reader.advance(in: input, atMost: 1, beforeWaiting: {}),
            let text = reader.records.first
        else { return "" }
        return try reader.withRaw(of: text) { try Table.text($0) }
    }
}
