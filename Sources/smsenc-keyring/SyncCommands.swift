import Access
import Keyring
import LineIO
import Primitives
import Protocol

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
            context.diagnostics.say("\(quoted(contact.name)): \(lossNote)")
        }
        var bench = try Workbench()
        let agreement = try Agreement(own: pending.own, theirs: pending.theirs)
        let codes = try keyring.synchronise(pending, agreement, &bench)
        try context.print(codeLines(codes))
        return .done
    }

    /// What synchronising anew does to what is under way.
    static let lossNote = "messages from before that are not deciphered yet become unreadable"

    /// The contact's key: asked for when stdin is a terminal, else the first line of stdin.
    private static func contactKey(_ contact: Contact) throws -> SyncKey {
        let input = Descriptor.standardInput()
        if input.isTerminal {
            guard let terminal = Terminal() else { throw AccessError.nobodyToAsk }
            let typed = try terminal.askSecret("sync key of \(quoted(contact.name)): ")
            return try typed.withSpan { try syncKey($0) }
        }
        var reader = RecordReader(
            terminator: UInt8(ascii: "\n"), payloadField: 1, bufferSize: RecordReader.longestRecord)
        guard case .batch = try reader.advance(in: input, atMost: 1, beforeWaiting: {}),
            let line = reader.records.first
        else { throw KeyComplaint(fault: .length(0)) }
        return try reader.withRaw(of: line) { try syncKey($0) }
    }

    static func syncKey(_ text: Span<UInt8>) throws(KeyComplaint) -> SyncKey {
        do throws(SyncKeyFault) {
            return try SyncKey(reading: text)
        } catch {
            throw KeyComplaint(fault: error)
        }
    }

    static func codeLines(_ codes: VerificationCodes) -> [[String]] {
        [
            ["yours", codes.yoursShown],
            ["theirs", codes.theirsShown],
        ]
    }
}

/// What is wrong with a sync key that was typed or read.
struct KeyComplaint: Complaint, Equatable {
    let fault: SyncKeyFault

    var status: ExitStatus { .rejected }

    var text: String {
        switch fault {
        case .length(let count):
            "a sync key has 10 characters, not \(count); read it again"
        case .character(let place):
            "character \(place) of the key is none that sync keys have; read it again"
        case .check: "a mistake in the key; compare it character by character"
        }
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
        let name = quoted(contact.name)
        guard link.hasConversation else {
            let command = link.state == .offered ? "accept" : "sync"
            context.diagnostics.say(
                "\(name) is not synchronised yet; run smsenc-keyring \(command)")
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
                ? "that is the code of your own key; enter the one that \(name) reads out"
                : wrongCode(name, link.codes.kind))
        return .rejected
    }

    private static func wrongCode(_ name: String, _ kind: VerificationCodes.Kind) -> String {
        switch kind {
        case .keys:
            "wrong code for \(name): a key was mistyped, or is not theirs; synchronise again with smsenc-keyring resync"
        case .offers:
            "wrong code for \(name): somebody on the way may have put offers of their own in place of yours and theirs, and read along; write nothing private, and make offers again, over another route"
        }
    }

    /// A code without the blanks and hyphens that people put in.
    private static func digits(_ code: String) -> String {
        code.filter { $0 != "-" && !$0.isWhitespace }
    }
}
