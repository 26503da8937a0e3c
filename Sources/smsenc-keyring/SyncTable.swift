import Access
import Keyring
import LineIO
import Crypto
import Protocol
import System

/// `sync -`: scrypt runs on all cores, as far as memory goes; rows are committed and printed in
/// order, so that an interrupted table can be taken up again.
final class SyncTable {
    private let options: FilterOptions
    private let keyring: Keyring
    private let threads = Parallel.width(memory: Scrypt.standard.memory)
    private var cipher: Cipher
    private let diagnostics: Diagnostics

    init(_ context: Context) throws {
        diagnostics = context.diagnostics
        options = try FilterOptions(context.arguments, payloadField: 2, inputs: ["-"])
        keyring = try context.access().unlocked()
        cipher = try Cipher()
    }

    func run() throws -> ExitStatus {
        try tellDuration()
        let filter = try Filter(
            tool: SmsencKeyring.name, options: options, longestBatch: 4 * threads)
        return try filter.runBatches { (reader, outcome) in
            try self.handle(reader, &outcome)
        }
    }

    /// Says beforehand how long scrypt will make it take, when it takes more than some seconds: from
    /// a computation of a 32nd of the size.
    private func tellDuration() throws {
        let input = File.standardInput()
        guard let rows = try input.countRecords(endingIn: options.terminator) else { return }
        let small = Scrypt(cost: Scrypt.standard.cost / 32, blockSize: 8, parallelism: 1)
        let start = Moment.now
        _ = try small.derive(password: SecretBytes(count: 20), salt: [0].span)
        let one = (Moment.now - start) * 32
        let seconds = Int((one * rows / threads).components.seconds)
        guard seconds >= 5 else { return }
        let duration = seconds < 120 ? "\(seconds) s" : "\((seconds + 59) / 60) min"
        diagnostics.say(Note.duration(duration, rows: rows, cores: threads))
    }

    /// One row on its way: the keys before scrypt, the agreement after it.
    ///
    /// Between, one thread alone has it.
    private final class Row: @unchecked Sendable {
        var pending: Keyring.Pending?
        var agreement: Agreement?
        var fault: String?

        /// True when there is a conversation that ends here.
        var endsConversation: Bool {
            switch pending {
            case .none: false
            case .some(let pending): pending.endsConversation
            }
        }

        /// Runs scrypt.
        func agree() {
            switch pending {
            case .none: break
            case .some(let pending):
                do throws(CryptoError) {
                    agreement = try Agreement(own: pending.own, theirs: pending.theirs)
                } catch {
                    fault = KeyringError.cryptography(error).text
                }
            }
        }
    }

    private func handle(_ reader: borrowing RecordReader, _ outcome: inout Outcome) throws {
        var rows: [Row] = []
        for record in reader.records {
            let row = Row()
            rows.append(row)
            row.fault = Filter.reason(of: record, options)
            if row.fault == nil {
                try reader.withFields(of: record) { (fields, key) in
                    try prepare(row, fields, key)
                }
            }
            if row.fault != nil, options.stopsAtFirst { break }
        }
        let work = rows
        Parallel.forEach(below: work.count, threads: threads) { work[$0].agree() }
        for (record, row) in zip(reader.records, rows) where !outcome.isStopped {
            let endsConversation = row.endsConversation
            guard let codes = try finish(row) else {
                outcome.reject(record, in: reader, row.fault ?? "")
                continue
            }
            if endsConversation { outcome.remark(record, in: reader, Note.loss) }
            reader.withFields(of: record) { (fields, _) in outcome.output.append(fields) }
            outcome.output.append(
                codes.yoursShown + "\t" + codes.theirsShown)
            outcome.output.append(options.terminator)
            try outcome.flush()
        }
    }

    private func prepare(_ row: Row, _ fields: Span<UInt8>, _ key: Span<UInt8>) throws {
        do {
            let name = try Table.text(fields.extracting(..<(fields.count - 1)))
            let contact = try keyring.contact(named: name)
            row.pending = try keyring.prepare(contact, with: try Command.syncKey(key))
        } catch let complaint as any Complaint where complaint.status == .rejected {
            row.fault = complaint.text
        }
    }

    /// Commits a row; nil where it is bad.
    private func finish(_ row: Row) throws -> VerificationCodes? {
        guard row.fault == nil, let pending = row.pending.take(),
            let agreement = row.agreement.take()
        else { return nil }
        do {
            return try keyring.synchronise(pending, agreement, &cipher)
        } catch {
            guard error.status == .rejected else { throw error }
            row.fault = error.text
            return nil
        }
    }
}
