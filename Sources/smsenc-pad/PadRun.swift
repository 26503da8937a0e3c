import Access
import Frames
import GSM7
import Keyring
import LineIO
import Crypto
import Protocol
import System

/// Records handled at once: as many as leave a run within 16 MB.
let longestBatch = 8192

/// The work on what has been read: frames into ciphertexts, or back.
struct PadRun<Exchange: Way & ~Copyable>: ~Copyable {
    private let keyring: Keyring
    private let options: PadOptions
    private var recipients: Recipients
    /// What becomes of the batch's records that were read so far.
    private var jobs: [Job] = []
    /// The record of the first of them.
    private var first = 0
    /// The symbols of their frames or ciphertexts, before and after.
    private var symbols = SecretRows(count: longestBatch, size: Frame.length)
    private var findings = Findings()

    init(_ keyring: Keyring, _ options: PadOptions, _ recipients: Recipients) {
        self.keyring = keyring
        self.options = options
        self.recipients = recipients
    }

    /// One record on its way; its symbols are in the row of the same number.
    struct Job {
        var contact: Contact?
        var fate = Fate.open
        /// Where its output begins and ends; both zero before it is there.
        var output = 0..<0
    }

    enum Fate {
        case open
        /// When it came, where it was deciphered.
        case done(Receiving.Arrival?)
        /// Why, and what to do about it.
        case bad(String)
    }

    /// Handles what has been read: in one exchange, or in several where keys or time run out.
    mutating func handle(_ reader: borrowing RecordReader, _ results: inout Results) throws {
        first = 0
        while first < reader.records.count, !results.isStopped {
            // What is written is overwritten now: the next batch may be hours away.
            defer {
                symbols.cleanse()
                first += jobs.count
                jobs.removeAll(keepingCapacity: true)
            }
            try load(reader)
            var start = 0
            var waits = 0
            while start < jobs.count, !results.isStopped {
                let end = try exchange(from: start, reader, &results)
                if end == start {
                    // Others have all keys in flight that the contact may have.
                    waits += 1
                    if waits > patience { throw KeyringError.store(.busy) }
                    Moment.pause(milliseconds: pause)
                } else {
                    waits = 0
                }
                start = end
            }
        }
    }

    /// Ends the run, when all records have been handled: says of a contact whose messages came late that
    /// somebody may be writing in that conversation (smsenc(7), What it does not give).
    func end(_ results: inout Results) {
        guard let (contact, late, read) = findings.mostlyLate() else { return }
        results.remark(Words.lateness(of: contact, late, of: read))
    }

    /// How often, and after how many milliseconds, a record is tried again whose contact's keys are all
    /// in flight elsewhere: half a minute in all.
    private var patience: Int { 1500 }
    private var pause: Int { 20 }

    /// The way of messages: transform, commit, write, finish. Nothing is let out before the commit that
    /// it depends on.
    ///
    /// - Returns: where the next exchange begins; `start` where others must write first.
    private mutating func exchange(
        from start: Int, _ reader: borrowing RecordReader, _ results: inout Results
    ) throws -> Int {
        // Within an exchange nothing may wait for whoever reads.
        try results.flush()
        var exchange = try Exchange.begin(with: keyring)
        let end = try transform(from: start, in: &exchange)
        try exchange.commit()
        do {
            findings.noteUnverified(&results)
            try write(start..<end, reader, &results)
            try results.flush()
            try results.output.synchronise()
        } catch {
            let count = messagesOut(in: start..<end, of: results.output)
            do throws(KeyringError) {
                try exchange.finish(out: count)
            } catch {
                // What went wrong first ends the run; this harms nothing that is out.
                results.remark(Exchange.notEnded(error))
            }
            throw error
        }
        do throws(KeyringError) {
            try exchange.finish(out: nil)
        } catch {
            // The next commit would hardly go better, and say the same once more.
            throw NotNoted(status: error.status, text: Exchange.notNoted(error))
        }
        findings.noteSilence(&results)
        return end
    }

    /// Enciphers or deciphers records in their order, as many as the exchange takes.
    ///
    /// - Returns: where it ends.
    private mutating func transform(
        from start: Int, in exchange: inout Exchange
    ) throws(KeyringError) -> Int {
        for index in start..<jobs.count {
            if case .open = jobs[index].fate, let contact = jobs[index].contact {
                let window = options.searchesFar ? Conversation.farWindow : Conversation.window
                let passed = try symbols.withMutableRow(index) { (symbols) throws(KeyringError) in
                    try exchange.pass(&symbols, of: contact.id, window: window)
                }
                switch passed {
                case .not(.full): return index
                case .not(let why): jobs[index].fate = .bad(words(for: why, index, contact))
                case .done(let standing, let coming):
                    findings.look(at: standing, of: contact, coming)
                    jobs[index].fate = .done(coming?.arrival)
                }
            }
            if case .bad = jobs[index].fate, options.filter.stopsAtFirst { return index + 1 }
        }
        return jobs.count
    }

    /// Why a message did not go through.
    private func words(for why: NotPassed, _ index: Int, _ contact: Contact) -> String {
        switch why {
        case .notReady(let state): Words.line(for: contact, state)
        case .readBefore: Words.readBefore
        case .gone, .full: KeyringError.contact(.unknown(contact.name)).text
        case .noKey:
            symbols.withRow(index) {
                Words.refusal($0, of: contact, far: options.searchesFar)
            }
        }
    }

    /// Messages that count as out.
    private func messagesOut(in range: Range<Int>, of output: borrowing Output) -> Int {
        var count = 0
        for job in jobs[range] {
            guard case .done = job.fate, !job.output.isEmpty else { continue }
            if Exchange.isOut(job.output, of: output) { count += 1 }
        }
        return count
    }

    /// Appends the good records to the output and rejects the bad ones, in order. What has become a large
    /// block goes out at once, so that a batch takes no room of its own.
    private mutating func write(
        _ range: Range<Int>, _ reader: borrowing RecordReader, _ results: inout Results
    ) throws(IOError) {
        for index in range {
            let (job, record) = (jobs[index], reader.records[first + index])
            switch job.fate {
            case .open: break
            case .bad(let reason):
                results.reject(record, in: reader, reason)
                if results.isStopped { return }
            case .done(let arrival):
                let start = results.output.position
                reader.withFields(of: record) { (fields, _) in
                    writeFields(fields, job.contact, &results.output)
                }
                symbols.withRow(index) { symbols in
                    results.output.withSpace(Frame.longestUTF8) { (text) in
                        Alphabet.write(symbols, to: &text)
                    }
                }
                results.output.append(options.filter.terminator)
                jobs[index].output = start..<results.output.position
                switch arrival {
                case .inOrder, nil: break
                case .late: results.remark(record, in: reader, Words.late)
                case .again: results.remark(record, in: reader, Words.again)
                }
                try results.flushBlocks()
            }
        }
    }

    private func writeFields(_ fields: Span<UInt8>, _ contact: Contact?, _ output: inout Output) {
        let text: String? =
            switch options.contactField {
            case .asItCame: nil
            case .number: contact?.number
            case .name: contact?.name
            }
        guard let text else { return output.append(fields) }
        let before =
            recipients.areNamed ? Recipients.contactField(of: fields).lowerBound : fields.count
        output.append(fields.extracting(..<before))
        output.append(text)
        output.append(UInt8(ascii: "\t"))
    }
}

/// Reading records: contacts are looked up, and frames and ciphertexts become symbols.
extension PadRun where Exchange: ~Copyable {
    /// Reads records, as many as there is room for their contacts.
    private mutating func load(_ reader: borrowing RecordReader) throws(KeyringError) {
        recipients.makeRoom()
        guard reader.records.count > 1, recipients.areNamed else { return try loadAll(reader) }
        // Many look-ups cost less on one state of the keyring.
        let keyring = keyring
        try keyring.reading { (transaction) throws(KeyringError) in
            recipients.transaction = transaction
            try loadAll(reader)
        }
        recipients.transaction = nil
    }

    private mutating func loadAll(_ reader: borrowing RecordReader) throws(KeyringError) {
        for record in reader.records[first...] {
            var job = Job()
            if let reason = try read(record, in: reader, into: &job) { job.fate = .bad(reason) }
            jobs.append(job)
            if case .bad = job.fate, options.filter.stopsAtFirst { break }
            if recipients.areTooMany { break }
        }
    }

    /// Reads a record: its contact into the job, and its symbols. Why it is bad, or nil.
    private mutating func read(
        _ record: Record, in reader: borrowing RecordReader, into job: inout Job
    ) throws(KeyringError) -> String? {
        if let reason = Filter.reason(of: record, options.filter) { return reason }
        return try reader.withFields(of: record) { (fields, payload) throws(KeyringError) in
            let contact: Contact
            do throws(KeyringError) {
                contact = try recipients.contact(of: fields)
            } catch {
                guard error.status == .rejected else { throw error }
                return error.text
            }
            job.contact = contact
            if options.contactField == .number, contact.number == nil {
                return Words.noNumber(contact)
            }
            return Exchange.read(payload, into: &symbols, row: jobs.count)
        }
    }
}

/// What a run shows of its contacts that the user should know, each told once.
private struct Findings {
    /// Messages to a contact without an answer, after which a note is expected.
    private static let longestSilence: UInt32 = 100

    private var unverified: Contact?
    private var silent: (contact: Contact, messages: UInt32)?
    /// Messages read of each contact, and those of them that came late.
    private var arrivals: [Int64: (read: UInt32, late: UInt32)] = [:]
    /// Contacts whose messages are counted, at most: 0.4 MB.
    private static let mostCounted = 12_000
    /// Those nine in ten of whose messages had come late, of at least ten, at some time.
    private var suspects: [Int64: Contact] = [:]
    private var hasNotedUnverified = false
    private var hasNotedSilence = false

    mutating func look(
        at standing: Standing, of contact: Contact, _ coming: Receiving.Coming?
    ) {
        if standing.isUnverified, unverified == nil { unverified = contact }
        if standing.unconfirmed >= Self.longestSilence,
            silent == nil || silent?.contact.id == contact.id
        {
            silent = (contact, standing.unconfirmed)
        }
        guard let coming, arrivals[contact.id] != nil || arrivals.count < Self.mostCounted else {
            return
        }
        arrivals[contact.id, default: (0, 0)].read += 1
        if coming.arrival == .late { arrivals[contact.id]?.late += 1 }
        if isMostlyLate(contact.id) { suspects[contact.id] = contact }
    }

    /// Says, before anything is let out, that a contact's codes were not compared.
    mutating func noteUnverified(_ results: inout Results) {
        guard !hasNotedUnverified, let unverified else { return }
        hasNotedUnverified = true
        results.remark(Words.unverified(unverified))
    }

    /// The first contact nine in ten of whose messages came late, of at least ten; how many did, of how
    /// many.
    func mostlyLate() -> (Contact, late: UInt32, read: UInt32)? {
        let first = suspects.filter { isMostlyLate($0.key) }.min { $0.key < $1.key }
        return first.map { ($0.value, arrivals[$0.key]?.late ?? 0, arrivals[$0.key]?.read ?? 0) }
    }

    private func isMostlyLate(_ contact: Int64) -> Bool {
        guard let (read, late) = arrivals[contact] else { return false }
        return read >= 10 && 10 * UInt64(late) >= 9 * UInt64(read)
    }

    /// Says that a contact has not answered for long.
    mutating func noteSilence(_ results: inout Results) {
        guard !hasNotedSilence, let silent else { return }
        hasNotedSilence = true
        results.remark(Words.silence(of: silent.contact, silent.messages))
    }
}
