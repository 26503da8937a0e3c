import UserInterface
import Crypto
import Keyring
import ToolKit
import Protocol
import System

/// The synchronisation with one contact. This object contains the exchanged keys or offers. After
/// `computeAgreement`, the object also contains the agreement, which scrypt computes from the keys or
/// offers.
///
/// Two threads never use the same `Synchronisation` at the same time.
private final class Synchronisation: @unchecked Sendable {
    private let pending: Keyring.Pending
    private var agreement: Agreement?

    init(_ pending: consuming Keyring.Pending) { self.pending = pending }

    var kind: VerificationCodes.Kind { pending.exchange.kind }

    /// Diagnostic about messages that can no longer be decrypted, or nil if there is no earlier
    /// conversation with the contact.
    var loss: String? { DiagnosticText.loss(of: pending.contact, in: pending.status) }

    /// Uses scrypt to compute the agreement. If there is not enough memory, `agreement` remains nil.
    func computeAgreement() { agreement = try? Agreement(pending.exchange) }

    /// Commits the agreement, and appends both verification codes to the output.
    func finish(_ context: CommandContext, _ keyring: Keyring, _ output: inout Output)
        throws(ExitError)
    {
        guard let agreement = agreement.take() else {
            throw KeyringError.cryptography(.noMemory).exitError
        }
        context.append(try throwingExitError(keyring.synchronise(pending, agreement)), to: &output)
        if let offer = pending.newOffer {
            context.notes.append(
                DiagnosticText.send(offer, to: pending.contact, isAlone: !context.isTable))
        }
    }
}

extension CommandContext {
    /// Synchronises with a contact, or with all contacts in a table. The operand is the name of the
    /// contact, or `-` for a table. For a table, scrypt runs on all cores if there is enough memory.
    ///
    /// - Parameters:
    ///   - noun: the name of the input, such as a sync key. The prompt contains the name of the input.
    ///   - terminator: the byte that ends a record on stdin.
    ///   - prepare: checks the text that was entered for a contact. If the user can correct an error by
    ///     entering the text again, `prepare` throws the error. `prepare` returns all errors that the user
    ///     cannot correct in this way.
    func synchronise(
        by noun: String, endingIn terminator: UInt8,
        _ prepare: (Keyring, Contact, Span<UInt8>) throws(ExitError) -> Result<
            Keyring.Pending, ExitError
        >
    ) throws(ExitError) {
        guard let table = try table(fields: 2...2) else {
            return try forContact(fields: 2...2) { (keyring, fields, output) throws(ExitError) in
                let contact = try contact(fields[0], of: keyring)
                let prompt = "\(noun) of \(quoted(contact.name)): "
                let row = try parsingUntilValid(prompt) { () throws(ExitError) in
                    try entered(prompt, endingIn: terminator)
                } read: { (entered) throws(ExitError) -> Result<Synchronisation, ExitError> in
                    try entered.withSpan { (text) throws(ExitError) in
                        switch try prepare(keyring, contact, text) {
                        case .success(let pending): .success(Synchronisation(pending))
                        case .failure(let error): .failure(error)
                        }
                    }
                }.get()
                if let loss = row.loss { diagnostics.say(loss) }
                row.computeAgreement()
                try row.finish(self, keyring, &output)
                closingNote = DiagnosticText.inStep(contact, by: row.kind)
            }
        }
        let keyring = try unlockedForChange()
        let threads = Parallel.width(memory: Scrypt.synchronisation.memory)
        try reportDuration(threads, table.options)
        try table.run(
            batchesOf: 4 * threads,
            begin: { (fields, text) throws(ExitError) in
                let contact = try contact(fields[0], of: keyring)
                return Synchronisation(try prepare(keyring, contact, text).get())
            },
            meanwhile: { rows in
                Parallel.forEach(below: rows.count, threads: threads) {
                    rows[$0].computeAgreement()
                }
            },
            end: { (row, output) throws(ExitError) in
                if let loss = row.loss { notes.append(loss) }
                try row.finish(self, keyring, &output)
            })
    }

    /// Estimates how long scrypt will need for a table, and prints the estimate if it is at least five
    /// seconds. To make the estimate, the function measures how long scrypt takes with 1/32 of the usual
    /// cost.
    private func reportDuration(_ threads: Int, _ options: FilterOptions) throws(ExitError) {
        let input = File.standardInput()
        let rows = try throwingExitError(io: input.countRecords(endingIn: options.terminator))
        guard let rows else { return }
        let small = Scrypt(
            cost: Scrypt.synchronisation.cost / 32, blockSize: Scrypt.synchronisation.blockSize,
            parallelism: Scrypt.synchronisation.parallelism)
        let start = MonotonicClock.now
        // If there is not enough memory, return without a diagnostic. The first row of the table will
        // cause the same error, which is then reported.
        guard (try? small.derive(password: SecretBytes(count: 20), salt: [0].span)) != nil else {
            return
        }
        let one = (MonotonicClock.now - start) * 32
        let seconds = one * rows / Int64(threads) / 1_000_000
        guard seconds >= 5 else { return }
        let duration = seconds < 120 ? "\(seconds) s" : "\((seconds + 59) / 60) min"
        diagnostics.say(DiagnosticText.duration(duration, rows: rows, cores: threads))
    }
}
