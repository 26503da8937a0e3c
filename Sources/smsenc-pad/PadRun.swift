import Access
import Frames
import GSM7
import Keyring
import LineIO
import Primitives
import Protocol

/// The work on batches: every record is read, then enciphered or deciphered in commits of as many as
/// may be under way at once, each followed by its output.
final class PadRun {
    /// Records handled at once. Three times as many would be a quarter faster, with commits so much
    /// fewer, and take half as much memory again.
    static let longestBatch = 3584
    /// Bytes of input held at once: a full batch of ciphertexts.
    static let bufferSize = 800 * 1024
    /// Messages to a contact without an answer, after which a note is due.
    static let longestSilence: UInt32 = 100

    let keyring: Keyring
    let recipients: Recipients
    let options: PadOptions
    var bench: Workbench
    /// The symbols of the batch's frames or ciphertexts, before and after.
    var symbols = SecretRows(count: longestBatch, size: Frame.length)
    private var hasNotedSilence = false
    private var hasNotedUnverified = false

    init(
        _ keyring: Keyring, _ recipients: Recipients, _ options: PadOptions
    ) throws(CryptoError) {
        self.keyring = keyring
        self.recipients = recipients
        self.options = options
        bench = try Workbench()
    }

    /// One record on its way.
    struct Job {
        let record: Record
        /// Where its symbols stand, in records.
        let place: Int
        var recipient: Recipient?
        var fate: Fate

        var contact: Contact? { recipient?.contact }
    }

    enum Fate: Equatable {
        case open
        case done(Exchange.Arrival)
        case bad(String)
    }

    /// Handles a batch. Nothing is let out before the commit that it depends on.
    func handle(_ reader: borrowing RecordReader, _ outcome: inout Outcome) throws {
        // It has been written then, and the next batch may be long in coming.
        defer {
            symbols.cleanse()
            bench.cleanse()
        }
        var jobs = try read(reader)
        var start = 0
        while start < jobs.count, !outcome.isStopped {
            let end =
                options.deciphers
                ? try decipher(&jobs, from: start, reader, &outcome)
                : try encipher(&jobs, from: start, reader, &outcome)
            start = end
        }
    }

    /// Reads the batch's records: contacts and symbols, or what is wrong.
    private func read(_ reader: borrowing RecordReader) throws -> [Job] {
        var jobs: [Job] = []
        jobs.reserveCapacity(reader.records.count)
        for record in reader.records {
            var job = Job(record: record, place: jobs.count, recipient: nil, fate: .open)
            if let reason = Filter.reason(of: record, options.filter) {
                job.fate = .bad(reason)
            } else {
                try reader.withFields(of: record) { (fields, payload) in
                    try read(fields, payload, into: &job)
                }
            }
            jobs.append(job)
            if case .bad = job.fate, options.filter.stopsAtFirst { break }
        }
        return jobs
    }

    /// - Throws: what is wrong with the keyring rather than with the record.
    private func read(
        _ fields: Span<UInt8>, _ payload: Span<UInt8>, into job: inout Job
    ) throws {
        do {
            job.recipient = try recipients.contact(of: fields)
        } catch {
            guard error.status == .rejected else { throw error }
            job.fate = .bad(error.text)
            return
        }
        if options.contactField == .number, job.contact?.number == nil {
            job.fate = .bad(Advice.noNumber(job.contact))
            return
        }
        if let reason = options.deciphers
            ? readCiphertext(payload, job.place) : readFrame(payload, job.place)
        {
            job.fate = .bad(reason)
        }
    }

    /// Reads a frame's symbols; what is wrong with them, or nil.
    private func readFrame(_ payload: Span<UInt8>, _ place: Int) -> String? {
        do {
            let count = try symbols.write(row: place) { (symbols) throws(TextFault) in
                try Alphabet.read(payload, into: &symbols, from: .frame)
            }
            try symbols.withRow(place) { (symbols) throws(FrameFault) in
                try Frame.check(symbols.extracting(..<count))
            }
            return nil
        } catch {
            return Advice.line(forFrame: error, like: Likeness(payload))
        }
    }

    /// Reads a ciphertext's symbols as phones and gateways deliver them; what is wrong, or nil.
    private func readCiphertext(_ payload: Span<UInt8>, _ place: Int) -> String? {
        do throws(TextFault) {
            let count = try symbols.write(row: place) { (symbols) throws(TextFault) in
                try Alphabet.read(
                    payload.extracting(WhiteSpace.trimmed(payload)), into: &symbols,
                    from: .ciphertext)
            }
            return count == Ciphertext.length ? nil : Advice.line(forLength: count, of: payload)
        } catch .tooMany(let count) {
            return Advice.line(forLength: count, of: payload)
        } catch {
            return Advice.line(forCiphertext: error)
        }
    }

    /// Says, once in a run and before anything is let out, that a contact's codes were not compared.
    func noteUnverified(_ jobs: ArraySlice<Job>, _ exchange: Exchange, _ outcome: inout Outcome) {
        guard !hasNotedUnverified else { return }
        for job in jobs {
            guard case .done = job.fate, let contact = job.contact,
                exchange.isUnverified(contact.id)
            else { continue }
            hasNotedUnverified = true
            return outcome.remark(Note.unverified(contact))
        }
    }

    /// Says, once in a run, that a contact has not answered for long.
    func noteSilence(_ jobs: ArraySlice<Job>, _ exchange: Exchange, _ outcome: inout Outcome) {
        guard !hasNotedSilence else { return }
        for job in jobs {
            guard case .done = job.fate, let contact = job.contact else { continue }
            let unanswered = exchange.unanswered(contact.id)
            guard unanswered >= Self.longestSilence else { continue }
            hasNotedSilence = true
            return outcome.remark(Note.silence(of: contact, unanswered))
        }
    }
}
