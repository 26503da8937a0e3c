import FrameLayout
import Access
import Frames
import GSM7
import Keyring
import LineIO
import Crypto
import Protocol
import System

/// Records handled at once: as many as leave a run within 12 MB.
let longestBatch = 3584

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
        /// Where its contact is among the recipients.
        var contact: Int?
        var stage = Stage.open
        /// The tag of its SMS; nil before there is an SMS, and if no tag is written.
        var tag: CiphertextTag?
        /// Where its output begins and ends; both zero before it is there.
        var output: Range<Int64> = 0..<0
    }

    enum Stage {
        case open
        /// How it came, where it was deciphered.
        case done(Coming?)
        case bad(Rejection)
    }

    /// Handles what has been read: in one exchange, or in several where keys or time run out.
    mutating func handle(
        _ reader: borrowing RecordReader, _ results: inout Results
    ) throws(Stop) {
        first = 0
        while first < reader.records.count, !results.isStopped {
            // What is written is overwritten now: the next batch may be hours away.
            defer {
                symbols.cleanse()
                first += jobs.count
                jobs.removeAll(keepingCapacity: true)
            }
            try orStop(load(reader))
            var start = 0
            var waits = 0
            while start < jobs.count, !results.isStopped {
                let end = try exchange(from: start, reader, &results)
                if end == start {
                    // Others have all keys in flight that the contact may have.
                    waits += 1
                    if waits > patience { throw KeyringError.store(.busy).stop }
                    Moment.pause(milliseconds: pause)
                } else {
                    waits = 0
                }
                start = end
            }
        }
    }

    /// Ends the run, when all records have been handled: says whose messages have not come, and of a contact
    /// whose messages came late that somebody may be writing in that conversation (smsenc(7), What it does
    /// not give).
    func end(_ results: inout Results) {
        let suspicions = findings.suspicions()
        for (contact, arrivals) in suspicions where arrivals.missing > 0 {
            results.remark(Words.missing(arrivals.missing, of: contact))
        }
        let suspicion = suspicions.first { $0.arrivals.areMostlyLate }
        guard let (contact, arrivals) = suspicion else { return }
        results.remark(Words.lateness(of: contact, arrivals.late, of: arrivals.read))
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
    ) throws(Stop) -> Int {
        // Within an exchange nothing may wait for whoever reads.
        try orStop(io: results.flush())
        let window = options.searchesFar ? Conversation.farWindow : Conversation.window
        var exchange = try orStop(Exchange(with: keyring, searching: window))
        let end = try orStop(transform(from: start, in: &exchange))
        try orStop(exchange.commit())
        do throws(IOError) {
            findings.noteStandings(&results)
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
            throw error.stop
        }
        do throws(KeyringError) {
            try exchange.finish(out: nil)
        } catch {
            // The next commit would hardly go better, and say the same once more.
            throw Stop(error.status, Exchange.notNoted(error))
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
            if case .open = jobs[index].stage, let place = jobs[index].contact {
                let contact = recipients[place]
                let passed = try symbols.withMutableRow(index) { (symbols) throws(KeyringError) in
                    try exchange.pass(&symbols, of: contact.id)
                }
                switch passed {
                case .not(.full): return index
                case .not(let why): jobs[index].stage = .bad(rejection(for: why, index, contact))
                case .done(let standing, let coming):
                    findings.look(at: standing, of: contact, coming)
                    jobs[index].stage = .done(coming)
                    if !options.deciphers { jobs[index].tag = tag(ofRow: index) }
                }
            }
            if case .bad = jobs[index].stage, options.filter.stopsAtFirst { return index + 1 }
        }
        return jobs.count
    }

    /// Why a message did not go through.
    private func rejection(for why: NotPassed, _ index: Int, _ contact: Contact) -> Rejection {
        switch why {
        case .notReady(let standing): Rejection(.state, Words.line(for: contact, standing))
        case .readBefore: Rejection(.read, Words.readBefore)
        case .new: Rejection(.new, Words.new)
        case .readElsewhere: Rejection(.read, Words.readElsewhere(contact))
        case .gone, .full:
            Rejection(.contact, KeyringError.contact(.unknown(contact.name)).text)
        case .noKey:
            symbols.withRow(index) {
                Rejection(.refused, Words.refusal($0, of: contact, far: options.searchesFar))
            }
        }
    }

    /// Messages that count as out.
    private func messagesOut(in range: Range<Int>, of output: borrowing Output) -> Int {
        jobs[range].count { job in
            guard case .done = job.stage, !job.output.isEmpty else { return false }
            return Exchange.isOut(job.output, of: output)
        }
    }

    /// Appends the good records to the output and rejects the bad ones, in order. What has become a large
    /// block goes out at once, so that a batch takes no room of its own.
    private mutating func write(
        _ range: Range<Int>, _ reader: borrowing RecordReader, _ results: inout Results
    ) throws(IOError) {
        for index in range {
            let (job, record) = (jobs[index], reader.records[first + index])
            switch job.stage {
            case .open: break
            case .bad(let rejection):
                results.reject(record, in: reader, rejection, tag: job.tag?.text ?? "")
                if results.isStopped { return }
            case .done(let coming):
                let start = results.output.position
                reader.withFields(of: record) { (fields, _) in
                    writeFields(fields, job.contact.map { recipients[$0] }, &results.output)
                }
                if options.checks {
                    // The fields alone, without the TAB behind the last.
                    if results.output.position > start {
                        results.output.rewind(to: results.output.count - 1)
                    }
                } else {
                    symbols.withRow(index) { symbols in
                        results.output.withSpace(Frame.longestUTF8) { (text) in
                            Alphabet.write(symbols, to: &text)
                        }
                    }
                }
                results.output.append(options.filter.terminator)
                jobs[index].output = start..<results.output.position
                accept(record, in: reader, coming, job.tag?.text ?? "", &results)
                try results.flushBlocks()
            }
        }
    }

    private func accept(
        _ record: Record, in reader: borrowing RecordReader, _ coming: Coming?, _ tag: String,
        _ results: inout Results
    ) {
        let missing = coming?.missing ?? 0
        switch coming?.arrival {
        case .inOrder, nil: results.accept(record, in: reader, missing: missing, tag: tag)
        case .late:
            results.accept(
                record, in: reader, as: .late, missing: missing, notes: [Words.late], tag: tag)
        case .again:
            results.accept(
                record, in: reader, as: .again, missing: missing, notes: [Words.again], tag: tag)
        case .reread: results.accept(record, in: reader, as: .reread, tag: tag)
        }
    }

    private func writeFields(_ fields: Span<UInt8>, _ contact: Contact?, _ output: inout Output) {
        guard options.printsName || options.printsNumber else { return output.append(fields) }
        let before =
            recipients.areNamed ? Recipients.contactField(of: fields).lowerBound : fields.count
        output.append(fields.extracting(..<before))
        if options.printsName { append(contact?.name, to: &output) }
        if options.printsNumber { append(contact?.number, to: &output) }
    }

    private func append(_ field: String?, to output: inout Output) {
        output.append(field ?? "")
        output.append(UInt8(ascii: "\t"))
    }
}

/// Reading records: contacts are looked up, and frames and ciphertexts become symbols.
extension PadRun where Exchange: ~Copyable {
    /// Reads records, as many as there is room for their contacts.
    private mutating func load(_ reader: borrowing RecordReader) throws(KeyringError) {
        recipients.makeRoom()
        defer { recipients.endLookUps() }
        for record in reader.records[first...] {
            var job = Job()
            if let bad = try read(record, in: reader, into: &job) { job.stage = .bad(bad) }
            jobs.append(job)
            if case .bad = job.stage, options.filter.stopsAtFirst { break }
            if recipients.areTooMany { break }
        }
    }

    /// Reads a record: its contact into the job, and its symbols. Why it is bad, or nil.
    private mutating func read(
        _ record: Record, in reader: borrowing RecordReader, into job: inout Job
    ) throws(KeyringError) -> Rejection? {
        if let bad = Filter.rejection(of: record, options.filter) { return bad }
        return try reader.withFields(of: record) { (fields, payload) throws(KeyringError) in
            let contact: Contact
            do throws(KeyringError) {
                let place = try recipients.contact(of: fields)
                job.contact = place
                contact = recipients[place]
            } catch {
                guard error.status == .rejected else { throw error }
                return Rejection(.contact, error.text)
            }
            if options.printsNumber, contact.number == nil {
                // A number alone would not help.
                if case .not(.notReady(let standing)) = try recipients.outlook(for: contact) {
                    return Rejection(.state, Words.line(for: contact, standing))
                }
                return Rejection(.number, Words.noNumber(contact))
            }
            if let bad = Exchange.read(payload, into: &symbols, row: jobs.count) { return bad }
            if options.deciphers { job.tag = tag(ofRow: jobs.count) }
            return nil
        }
    }

    /// The tag of the ciphertext in a row; nil if no tag is written.
    private func tag(ofRow row: Int) -> CiphertextTag? {
        guard options.filter.statusPath != nil, !options.checks else { return nil }
        return symbols.withRow(row) { CiphertextTag(of: $0) }
    }
}
