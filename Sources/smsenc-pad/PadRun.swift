import Access
import Frames
import GSM7
import Keyring
import LineIO
import Crypto
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
    /// The place of the batch's first record among those that have been read.
    private(set) var first = 0
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

    /// Why a record is bad. It is put into words when they are written: all of a batch may be bad.
    enum Reason: Equatable {
        /// Its contact or its symbols cannot be read; read again, it tells why.
        case unread
        /// No key fits.
        case refused
        case notReady(Link.State)
        /// The contact is no longer there.
        case gone
    }

    /// Handles what has been read, in one batch or several.
    mutating func handle(_ reader: borrowing RecordReader, _ outcome: inout Outcome) throws {
        first = 0
        while first < reader.records.count, !outcome.isStopped {
            try handleBatch(reader, &outcome)
        }
    }

    /// Handles a batch. Nothing is let out before the commit that it depends on.
    private mutating func handleBatch(
        _ reader: borrowing RecordReader, _ outcome: inout Outcome
    ) throws {
        // It has been written then, and the next batch may be long in coming.
        defer {
            first += jobs.count
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
