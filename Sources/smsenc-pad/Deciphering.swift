import Access
import Keyring
import LineIO
import Primitives
import Protocol

/// Ciphertexts into frames.
extension PadRun {
    /// Deciphers records from `start` on, commits, and writes them; then their keys are let go.
    ///
    /// When writing fails, the messages that are not certainly out can be read again.
    /// - Returns: where the next commit begins.
    func decipher(
        _ jobs: inout [Job], from start: Int, _ reader: borrowing RecordReader,
        _ outcome: inout Outcome
    ) throws -> Int {
        var readers: [Int64] = []
        var ends: [Int] = []
        var next = start
        let begin = Moment.now
        let exchange = try keyring.exchange { (exchange) throws(KeyringError) in
            while next < jobs.count,
                next == start || (Moment.now - begin < Self.longestHold && !exchange.isFull)
            {
                try decipher(&jobs[next], exchange)
                if case .done = jobs[next].fate, let contact = jobs[next].contact {
                    readers.append(contact.id)
                    ends.append(0)
                }
                next += 1
                if case .bad = jobs[next - 1].fate, options.filter.stopsAtFirst { break }
            }
        }
        do {
            try outcome.flush()
            noteUnverified(jobs[start..<next], exchange, &outcome)
            try write(jobs[start..<next], reader, &outcome) { (index, end) in ends[index] = end }
            try outcome.flush()
            try outcome.output.synchronise()
        } catch {
            let isFile = outcome.output.isFile
            let out =
                isFile ? 0 : ends.prefix { $0 > 0 && $0 <= outcome.output.certainlyLeft }.count
            settle(readers.prefix(out), exchange, &outcome)
            throw error
        }
        settle(readers[...], exchange, &outcome)
        return next
    }

    /// How long one commit may hold the keyring while it searches: others wait for it.
    private static let longestHold = Duration.milliseconds(100)

    private func decipher(_ job: inout Job, _ exchange: Exchange) throws(KeyringError) {
        guard job.fate == .open, let contact = job.contact else { return }
        let window = options.searchesFar ? Conversation.farWindow : Conversation.window
        let receiving = try symbols.withMutableRow(job.place) { (symbols) throws(KeyringError) in
            try exchange.decipher(&symbols, of: contact.id, window: window, &bench)
        }
        switch receiving {
        case .read(let arrival): job.fate = .done(arrival)
        case .refused:
            let reason = symbols.withRow(job.place) {
                Advice.refusal($0, of: contact, far: options.searchesFar)
            }
            job.fate = .bad(reason)
        case .notReady(let state): job.fate = .bad(Advice.line(for: contact, state))
        case .gone: job.fate = .bad(KeyringError.unknown(contact.name).text)
        }
    }

    /// Lets go of the keys of messages that are out.
    private func settle(
        _ readers: ArraySlice<Int64>, _ exchange: Exchange, _ outcome: inout Outcome
    ) {
        var written: [Int64: Int] = [:]
        for contact in readers { written[contact, default: 0] += 1 }
        do {
            try keyring.settle(exchange, written: written)
        } catch {
            outcome.remark(Note.notSettled(error))
            outcome.note(error.status)
        }
    }
}
