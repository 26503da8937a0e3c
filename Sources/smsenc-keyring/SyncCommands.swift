import Access
import Crypto
import Keyring
import LineIO
import Protocol
import System

/// sync: reads the contact's key; in step from here.
extension Command {
    static let sync = Command(
        name: "sync",
        forms: [
            ("NAME", "reads the contact's key, prints both verification codes"),
            ("-", "reads NAME TAB KEY, prints NAME TAB YOURS TAB THEIRS"),
        ],
        options: tableOptions,
        mostOperands: 1, hint: ": the key is asked for", run: synchronise)

    private static func synchronise(_ context: Context) throws -> ExitStatus {
        try context.expectName()
        if context.isTable { return try synchroniseTable(context) }
        return try context.forContact(fields: 2...2) { (keyring, fields, output, _) in
            let contact = try keyring.contact(named: fields[0])
            let prompt = "sync key of \(quoted(contact.name)): "
            let key = try context.askingAgain(prompt, { try contactKey(prompt) }) { (typed) in
                try typed.withSpan { try syncKey($0) }
            }
            let pending = try keyring.prepare(contact, with: key)
            if pending.endsConversation {
                context.diagnostics.say(Words.loss(of: contact, wasVerified: pending.endsVerified))
            }
            var cipher = try Cipher()
            let agreement = try Agreement(own: pending.own, theirs: pending.theirs)
            let codes = try keyring.synchronise(pending, agreement, &cipher)
            context.append(codes, of: fields[0], to: &output)
            context.parting = Words.inStep(contact)
        }
    }

    /// The contact's key: asked for when stdin is a terminal, else the first line of stdin. It shows while
    /// it is typed, to be compared.
    private static func contactKey(_ prompt: String) throws -> SyncKey {
        let input = File.standardInput()
        if input.isTerminal {
            guard let terminal = Terminal() else { throw AccessError.nobodyToAsk }
            let typed = try terminal.askShown(prompt)
            return try typed.withSpan { try syncKey($0) }
        }
        var reader = RecordReader(
            terminator: UInt8(ascii: "\n"), payloadField: 1, bufferSize: RecordReader.longestRecord)
        guard case .batch = try reader.advance(in: input, atMost: 1, beforeWaiting: {}),
            let line = reader.records.first
        else { throw KeyComplaint.fault(.length(0)) }
        return try reader.withRaw(of: line) { try syncKey($0) }
    }

    private static func syncKey(_ text: Span<UInt8>) throws(KeyComplaint) -> SyncKey {
        do throws(SyncKeyFault) {
            return try SyncKey(reading: text)
        } catch {
            throw KeyComplaint(error, in: text)
        }
    }
}

/// sync -: scrypt runs on all cores, as far as memory goes.
extension Command {
    /// One row on its way: the keys before scrypt, the agreement after it.
    ///
    /// Between, one thread alone has it.
    private final class SyncRow: @unchecked Sendable {
        let name: String
        let contact: Contact
        let pending: Keyring.Pending
        private var agreement: Agreement?
        private var fault: CryptoError?

        init(name: String, _ contact: Contact, _ pending: consuming Keyring.Pending) {
            self.name = name
            self.contact = contact
            self.pending = pending
        }

        /// Runs scrypt.
        func agree() {
            do throws(CryptoError) {
                agreement = try Agreement(own: pending.own, theirs: pending.theirs)
            } catch {
                fault = error
            }
        }

        /// Commits what was agreed upon.
        func synchronise(
            _ keyring: Keyring, _ cipher: inout Cipher
        ) throws(KeyringError) -> VerificationCodes {
            guard let agreement = agreement.take() else {
                throw .cryptography(fault ?? .broken)
            }
            return try keyring.synchronise(pending, agreement, &cipher)
        }
    }

    private static func synchroniseTable(_ context: Context) throws -> ExitStatus {
        let table = try Table(context, fields: 2...2)
        let keyring = try context.access().unlocked()
        let threads = Parallel.width(memory: Scrypt.standard.memory)
        try tellDuration(context, threads, table.options)
        var cipher = try Cipher()
        return try table.run(
            batchesOf: 4 * threads,
            begin: { (fields, key) in
                let contact = try keyring.contact(named: fields[0])
                return SyncRow(
                    name: fields[0], contact,
                    try keyring.prepare(contact, with: try syncKey(key)))
            },
            meanwhile: { rows in
                Parallel.forEach(below: rows.count, threads: threads) { rows[$0].agree() }
            },
            end: { (row, output, notes) in
                let codes = try row.synchronise(keyring, &cipher)
                context.append(codes, of: row.name, to: &output)
                if row.pending.endsConversation {
                    notes.append(Words.loss(of: row.contact, wasVerified: row.pending.endsVerified))
                }
            })
    }

    /// Says beforehand how long scrypt will make it take, when it takes more than some seconds: from
    /// a computation of a 32nd of the size.
    private static func tellDuration(
        _ context: Context, _ threads: Int, _ options: FilterOptions
    ) throws {
        let input = File.standardInput()
        guard let rows = try input.countRecords(endingIn: options.terminator) else { return }
        let small = Scrypt(cost: Scrypt.standard.cost / 32, blockSize: 8, parallelism: 1)
        let start = Moment.now
        _ = try small.derive(password: SecretBytes(count: 20), salt: [0].span)
        let one = (Moment.now - start) * 32
        let seconds = Int((one * rows / threads).components.seconds)
        guard seconds >= 5 else { return }
        let duration = seconds < 120 ? "\(seconds) s" : "\((seconds + 59) / 60) min"
        context.diagnostics.say(Words.duration(duration, rows: rows, cores: threads))
    }
}

/// resync: a new sync key.
extension Command {
    static let resync = Command(
        name: "resync",
        forms: [
            ("NAME [--new]", "prints a new sync key, or the one not answered yet"),
            ("- [--new]", "reads NAME, prints NAME TAB KEY"),
        ],
        options: [Option("new")] + tableOptions,
        mostOperands: 1, run: makeNewKey)

    private static func makeNewKey(_ context: Context) throws -> ExitStatus {
        try context.expectName()
        return try context.forContact(fields: 1...1) { (keyring, fields, output, _) in
            let contact = try keyring.contact(named: fields[0])
            let key = try keyring.resynchronise(contact, renew: context.arguments.has("new"))
            context.append(key, of: fields[0], to: &output)
        }
    }
}
