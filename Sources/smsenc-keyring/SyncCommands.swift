import Access
import Keyring
import LineIO
import Crypto
import Protocol
import System

/// sync: reads the contact's key; in step from here.
extension Command {
    static let sync = Command(
        "sync",
        [
            ("NAME", "reads the contact's key, prints both verification codes"),
            ("-", "reads NAME TAB KEY, prints NAME TAB YOURS TAB THEIRS"),
        ],
        options: tableOptions,
        run: synchronise)

    private static func synchronise(_ context: Context) throws -> ExitStatus {
        try context.expect(1...1, "a name, or - for a table,")
        if context.operands[0] == "-" { return try SyncTable(context).run() }
        try context.refuseTableOptions()
        let keyring = try context.access().unlocked()
        let contact = try keyring.contact(named: context.operands[0])
        let key = try contactKey(contact)
        let pending = try keyring.prepare(contact, with: key)
        if pending.endsConversation {
            context.diagnostics.say(Note.loss(of: contact))
        }
        var cipher = try Cipher()
        let agreement = try Agreement(own: pending.own, theirs: pending.theirs)
        let codes = try keyring.synchronise(pending, agreement, &cipher)
        try context.print(codeLines(codes))
        return .done
    }

    /// The contact's key: asked for when stdin is a terminal, else the first line of stdin.
    private static func contactKey(_ contact: Contact) throws -> SyncKey {
        let input = File.standardInput()
        if input.isTerminal {
            guard let terminal = Terminal() else { throw AccessError.nobodyToAsk }
            let typed = try terminal.askSecret("sync key of \(quoted(contact.name)): ")
            return try typed.withSpan { try syncKey($0) }
        }
        var reader = RecordReader(
            terminator: UInt8(ascii: "\n"), payloadField: 1, bufferSize: RecordReader.longestRecord)
        guard case .batch = try reader.advance(in: input, atMost: 1, beforeWaiting: {}),
            let line = reader.records.first
        else { throw KeyComplaint.fault(.length(0)) }
        return try reader.withRaw(of: line) { try syncKey($0) }
    }

    static func syncKey(_ text: Span<UInt8>) throws(KeyComplaint) -> SyncKey {
        do throws(SyncKeyFault) {
            return try SyncKey(reading: text)
        } catch {
            throw KeyComplaint(error, in: text)
        }
    }

    static func codeLines(_ codes: VerificationCodes) -> [[String]] {
        [
            ["yours", codes.yoursShown],
            ["theirs", codes.theirsShown],
        ]
    }
}

/// resync and verify.
extension Command {
    static let resync = Command(
        "resync",
        [("NAME [--new]", "prints a new sync key, or the one not answered yet")],
        options: [Option("new")],
        run: makeNewKey)

    private static func makeNewKey(_ context: Context) throws -> ExitStatus {
        try context.expect(1...1, "a name")
        let keyring = try context.access().unlocked()
        let contact = try keyring.contact(named: context.operands[0])
        let key = try keyring.resynchronise(contact, renew: context.arguments.has("new"))
        try print(key)
        return .done
    }

    static let verify = Command(
        "verify", [("NAME [CODE ...]", "shows the codes, or compares with the contact's")],
        run: compareCodes)

    private static func compareCodes(_ context: Context) throws -> ExitStatus {
        try context.expect(1...Int.max, "a name")
        let keyring = try context.access().unlocked()
        let contact = try keyring.contact(named: context.operands[0])
        let link = try keyring.link(of: contact)
        guard link.hasConversation else {
            context.diagnostics.say(Note.notInStep(contact, link.state))
            return .rejected
        }
        guard context.operands.count > 1 else {
            try context.print(codeLines(link.codes))
            return .done
        }
        let code = digits(context.operands.dropFirst().joined())
        if code == digits(link.codes.theirsShown) {
            try keyring.markVerified(contact, having: link.codes)
            return .done
        }
        context.diagnostics.say(
            code == digits(link.codes.yoursShown)
                ? Note.ownCode(of: contact) : Note.wrongCode(of: contact, link.codes.kind))
        return .rejected
    }

    /// A code without the blanks and hyphens that people put in.
    private static func digits(_ code: String) -> String {
        code.filter { $0 != "-" && !$0.isWhitespace }
    }
}
