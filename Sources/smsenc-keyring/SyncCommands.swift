import Access
import Crypto
import Keyring
import LineIO
import Protocol
import System

/// Sync keys: one's own made, and the contact's entered.
extension Command {
    /// A new sync key.
    static let resync = Command(
        name: "resync",
        forms: [
            ("NAME [--new] [--yes]", "prints a new sync key, or the one not answered yet"),
            ("- [--new]", "reads NAME, prints NAME TAB KEY"),
            ("NAME|- --cancel", "takes back the key or offer that is out"),
        ],
        options: [Option("new"), Option("cancel"), Option("yes")], mostOperands: 1, columns: []
    ) { (context) throws(Stop) in
        try context.arguments.refuse("new", with: "cancel", because: "one makes, one takes back")
        try context.forContact(fields: 1...1) { (keyring, fields, output) throws(Stop) in
            let contact = try context.contact(fields[0], of: keyring)
            if context.arguments.has("cancel") {
                return try orStop(keyring.cancelResynchronisation(with: contact))
            }
            try context.confirmBeginningAgain(with: contact, by: .key, keyring)
            let renews = context.arguments.has("new")
            let key = try orStop(keyring.resynchronise(contact, renew: renews))
            key.withShownForm { output.append($0) }
            context.parting = Words.keyMade(for: contact.name)
        }
    }

    /// In step from here. In a table scrypt runs on all cores, as far as memory goes.
    static let sync = Command(
        name: "sync",
        forms: [
            ("NAME", "reads the contact's key, prints both verification codes"),
            ("-", "reads NAME TAB KEY, prints NAME TAB YOURS TAB THEIRS"),
        ],
        mostOperands: 1, hint: ": the key is asked for", columns: []
    ) { (context) throws(Stop) in
        guard let table = try context.table(fields: 2...2) else {
            return try context.forContact(fields: 2...2) { (keyring, fields, output) throws(Stop) in
                let contact = try context.contact(fields[0], of: keyring)
                let prompt = "sync key of \(quoted(contact.name)): "
                let row = try context.askingAgain(prompt) { () throws(Stop) in
                    try context.entered(prompt, endingIn: UInt8(ascii: "\n"))
                } read: { (entered) throws(Stop) -> Result<SyncRow, Stop> in
                    let key = try entered.withSpan { (text) throws(Stop) in
                        try KeyComplaint.key(in: text)
                    }
                    do throws(KeyringError) {
                        return .success(SyncRow(try keyring.prepare(contact, with: key)))
                    } catch {
                        // Where none of one's own is out, no other key would do.
                        guard case .sync(.noOwnKey) = error else { throw error.stop }
                        return .failure(error.stop)
                    }
                }.get()
                if let loss = row.loss { context.diagnostics.say(loss) }
                row.agree()
                try row.synchronise(context, keyring, &output)
                context.parting = Words.inStep(contact)
            }
        }
        let keyring = try context.access().unlocked()
        let threads = Parallel.width(memory: Agreement.scrypt.memory)
        try tellDuration(context, threads, table.options)
        try table.run(
            batchesOf: 4 * threads,
            begin: { (fields, text) throws(Stop) in
                let contact = try context.contact(fields[0], of: keyring)
                let key = try KeyComplaint.key(in: text)
                return SyncRow(try orStop(keyring.prepare(contact, with: key)))
            },
            meanwhile: { rows in
                Parallel.forEach(below: rows.count, threads: threads) { rows[$0].agree() }
            },
            end: { (row, output) throws(Stop) in
                try row.synchronise(context, keyring, &output)
                if let loss = row.loss { context.notes.append(loss) }
            })
    }

    /// A contact on the way into step: the keys before scrypt, the agreement after it.
    ///
    /// Between, one thread alone has it.
    private final class SyncRow: @unchecked Sendable {
        private let pending: Keyring.Pending
        private var agreement: Agreement?

        init(_ pending: consuming Keyring.Pending) { self.pending = pending }

        /// What is lost by it; nil for nothing.
        var loss: String? { Words.loss(of: pending.contact, in: pending.state) }

        /// Runs scrypt, which may lack memory.
        func agree() { agreement = try? Agreement(own: pending.own, theirs: pending.theirs) }

        /// Commits what was agreed on, and appends both codes.
        func synchronise(
            _ context: Context, _ keyring: Keyring, _ output: inout Output
        ) throws(Stop) {
            guard let agreement = agreement.take() else {
                throw KeyringError.cryptography(.noMemory).stop
            }
            let codes = try orStop(keyring.synchronise(pending, agreement))
            context.append(codes, to: &output)
        }
    }

    /// Says how long scrypt will make it take, when it takes more than some seconds: from
    /// a computation of a 32nd of the size.
    private static func tellDuration(
        _ context: Context, _ threads: Int, _ options: FilterOptions
    ) throws(Stop) {
        let input = File.standardInput()
        let rows = try orStop(io: input.countRecords(endingIn: options.terminator))
        guard let rows else { return }
        let small = Scrypt(cost: Agreement.scrypt.cost / 32, blockSize: 8, parallelism: 1)
        let start = Moment.now
        // Where there is no memory for it, the first row says so.
        guard (try? small.derive(password: SecretBytes(count: 20), salt: [0].span)) != nil else {
            return
        }
        let one = (Moment.now - start) * 32
        let seconds = one * rows / Int64(threads) / 1_000_000
        guard seconds >= 5 else { return }
        let duration = seconds < 120 ? "\(seconds) s" : "\((seconds + 59) / 60) min"
        context.diagnostics.say(Words.duration(duration, rows: rows, cores: threads))
    }
}
