import Access
import Frames
import GSM7
import Keyring
import LineIO
import Primitives
import Protocol

/// The work on batches: every record is read, then enciphered or deciphered in commits of as many as
/// may be under way at once, each followed by its output.
struct PadRun: ~Copyable {
    /// Records handled at once.
    let longestBatch: Int
    let keyring: Keyring
    var recipients: Recipients
    let options: PadOptions
    var bench: Workbench
    /// The batch's records.
    var jobs: [Job] = []
    /// The symbols of the batch's frames or ciphertexts, before and after.
    var symbols: SecretRows
    /// Where in the batch's output each record ends; zero before it is there.
    var ends: [UInt32] = []
    /// The position of the output at which that of the batch begins.
    private(set) var outputStart = 0
    /// Records deciphered between two outputs, at most.
    var stride: Int
    var unsettled = Unsettled()
    /// What is enciphered and not committed yet; see `encipher`.
    var prepared: Sent?
    /// An exchange whose ciphertexts are out, which is not recorded yet; see `encipher`.
    var unlanded: Exchange?
    private var hasNotedSilence = false
    private var hasNotedUnverified = false

    init(
        _ keyring: Keyring, _ recipients: Recipients, _ options: PadOptions, longestBatch: Int
    ) throws(CryptoError) {
        self.keyring = keyring
        self.recipients = recipients
        self.options = options
        self.longestBatch = longestBatch
        symbols = SecretRows(count: longestBatch, size: Frame.length)
        stride = longestBatch
        bench = try Workbench()
    }

    /// What has become of a record so far; as many symbols are in the row of the same number.
    struct Job {
        var recipient: Recipient?
        var fate = Fate.open

        var contact: Contact? { recipient?.contact }
    }

    enum Fate: Equatable {
        case open
        case done(Exchange.Arrival)
        case bad(Reason)
    }

    /// Why a record is bad. What can be said later takes no room till then: all of a batch may be bad.
    enum Reason: Equatable {
        /// No key fits.
        case refused
        case notReady(Link.State)
        /// The contact is no longer there.
        case gone
        indirect case told(String)
    }

    /// Handles a batch. Nothing is let out before the commit that it depends on.
    mutating func handle(_ reader: borrowing RecordReader, _ outcome: inout Outcome) throws {
        // It has been written then, and the next batch may be long in coming.
        defer {
            symbols.cleanse()
            bench.cleanse()
            jobs.removeAll(keepingCapacity: true)
            ends.removeAll(keepingCapacity: true)
            unsettled = Unsettled()
            prepared = nil
        }
        if reader.records.count > 1, recipients.areNamed {
            try keyring.reading { () throws(KeyringError) in try read(reader) }
        } else {
            try read(reader)
        }
        outputStart = outcome.output.position
        var start = 0
        do {
            while start < jobs.count, !outcome.isStopped {
                start =
                    options.deciphers
                    ? try decipher(from: start, reader, &outcome)
                    : try encipher(from: start, reader, &outcome)
            }
        } catch {
            // No commit has followed. Where this fails as well, its ciphertexts count as lost until later
            // ones are out.
            if let unlanded = unlanded.take() { try? keyring.land(unlanded) }
            if options.deciphers { settleWhatIsOut(&outcome) }
            throw error
        }
    }

    /// Reads the batch's records: contacts and symbols, or what is wrong.
    private mutating func read(_ reader: borrowing RecordReader) throws(KeyringError) {
        jobs.reserveCapacity(reader.records.count)
        ends.reserveCapacity(reader.records.count)
        for record in reader.records {
            var job = Job()
            if let reason = Filter.reason(of: record, options.filter) {
                job.fate = .bad(.told(reason))
            } else {
                try reader.withFields(of: record) { (fields, payload) throws(KeyringError) in
                    try read(fields, payload, into: &job)
                }
            }
            jobs.append(job)
            ends.append(0)
            if case .bad = job.fate, options.filter.stopsAtFirst { break }
        }
    }

    /// - Throws: what is wrong with the keyring rather than with the record.
    private mutating func read(
        _ fields: Span<UInt8>, _ payload: Span<UInt8>, into job: inout Job
    ) throws(KeyringError) {
        do throws(KeyringError) {
            job.recipient = try recipients.contact(of: fields)
        } catch {
            guard error.status == .rejected else { throw error }
            job.fate = .bad(.told(error.text))
            return
        }
        if options.contactField == .number, job.contact?.number == nil {
            job.fate = .bad(.told(Advice.noNumber(job.contact)))
            return
        }
        if let reason = readSymbols(payload, jobs.count) { job.fate = .bad(.told(reason)) }
    }

    private mutating func readSymbols(_ payload: Span<UInt8>, _ place: Int) -> String? {
        options.deciphers ? readCiphertext(payload, place) : readFrame(payload, place)
    }

    /// Opens the records of a plan of which nothing stands, or those from `start` on: their symbols are
    /// read anew.
    mutating func reopen(_ plan: Plan, from start: Int = 0, _ reader: borrowing RecordReader) {
        for group in plan.groups {
            var next: Int? = group.first
            while let index = next {
                next = plan.following(index)
                guard index >= start else { continue }
                // What was read once can be read again.
                let reason = reader.withFields(of: reader.records[index]) { (_, payload) in
                    readSymbols(payload, index)
                }
                jobs[index].fate = reason.map { .bad(.told($0)) } ?? .open
            }
        }
    }

    /// Reads a frame's symbols; what is wrong with them, or nil.
    private mutating func readFrame(_ payload: Span<UInt8>, _ place: Int) -> String? {
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
    private mutating func readCiphertext(_ payload: Span<UInt8>, _ place: Int) -> String? {
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
    mutating func noteUnverified(_ findings: Findings, _ outcome: inout Outcome) {
        guard !hasNotedUnverified, let contact = findings.unverified?.contact else { return }
        hasNotedUnverified = true
        outcome.remark(Note.unverified(contact))
    }

    /// Says, once in a run, that a contact has not answered for long.
    mutating func noteSilence(_ findings: Findings, _ outcome: inout Outcome) {
        guard !hasNotedSilence, let found = findings.silent else { return }
        hasNotedSilence = true
        outcome.remark(Note.silence(of: found.contact, found.messages))
    }
}
