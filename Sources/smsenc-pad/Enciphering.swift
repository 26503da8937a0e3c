#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif
import Access
import Keyring
import LineIO
import Primitives
import Protocol

/// Frames into ciphertexts.
extension PadRun {
    /// Enciphers records from `start` on, as many as may be in flight, commits, and writes them.
    ///
    /// When writing fails, chains go back to behind the last key of which any byte may have left.
    /// - Returns: where the next commit begins.
    func encipher(
        _ jobs: inout [Job], from start: Int, _ reader: borrowing RecordReader,
        _ outcome: inout Outcome
    ) throws -> Int {
        var flights: [Flight] = []
        var next = start
        var exchange = try commit(&jobs, from: start, &next, &flights)
        // Others have all keys in flight that the first record's contact may have.
        for _ in 0..<Self.patience where next == start {
            usleep(Self.pause)
            exchange = try commit(&jobs, from: start, &next, &flights)
        }
        guard next > start else { throw KeyringError.busy }
        let begin = outcome.output.position
        do {
            try outcome.flush()
            noteUnverified(jobs[start..<next], exchange, &outcome)
            try write(jobs[start..<next], reader, &outcome) { (index, end) in
                flights[index].end = end
            }
            try outcome.flush()
            try outcome.output.synchronise()
            try keyring.land(exchange)
        } catch {
            takeBack(flights, from: begin, exchange, &outcome)
            throw error
        }
        noteSilence(jobs[start..<next], exchange, &outcome)
        return next
    }

    /// How often, and after how many microseconds, a record is tried again whose contact's keys are
    /// all in flight elsewhere: half a minute in all.
    private static let patience = 1500
    private static let pause: UInt32 = 20_000

    /// One commit.
    private func commit(
        _ jobs: inout [Job], from start: Int, _ next: inout Int, _ flights: inout [Flight]
    ) throws(KeyringError) -> Exchange {
        try keyring.exchange { (exchange) throws(KeyringError) in
            while next < jobs.count, try encipher(&jobs[next], exchange, &flights) {
                next += 1
                if case .bad = jobs[next - 1].fate, options.filter.stopsAtFirst { break }
            }
        }
    }

    /// A ciphertext between its commit and its output.
    struct Flight {
        let contact: Int64
        /// Message keys of the contact taken up to this one, within the exchange.
        let keys: Int
        /// Where the record ends in the output.
        var end = 0
    }

    /// Enciphers one record; false when its contact's keys in flight are used up.
    private func encipher(
        _ job: inout Job, _ exchange: Exchange, _ flights: inout [Flight]
    ) throws(KeyringError) -> Bool {
        guard job.fate == .open, let contact = job.contact else { return true }
        let sending = try symbols.withMutableRow(job.place) { (symbols) throws(KeyringError) in
            try exchange.encipher(&symbols, for: contact.id, &bench)
        }
        switch sending {
        case .flightFull, .flightElsewhere: return false
        case .enciphered:
            job.fate = .done(.inOrder)
            flights.append(Flight(contact: contact.id, keys: exchange.keysTaken(contact.id)))
        case .notReady(let state): job.fate = .bad(Advice.line(for: contact, state))
        case .gone: job.fate = .bad(KeyringError.unknown(contact.name).text)
        }
        return true
    }

    /// - Parameter begin: the position of the output at which the first ciphertext begins.
    private func takeBack(
        _ flights: [Flight], from begin: Int, _ exchange: Exchange, _ outcome: inout Outcome
    ) {
        var all: [Int64: Int] = [:]
        var kept: [Int64: (keys: Int, messages: Int)] = [:]
        var begin = begin
        for flight in flights {
            all[flight.contact, default: 0] += 1
            if flight.end > 0, begin < outcome.output.possiblyLeft {
                kept[flight.contact] = (flight.keys, all[flight.contact] ?? 0)
            }
            begin = flight.end
        }
        do {
            try keyring.takeBack(exchange, keeping: kept, of: all, &bench)
        } catch {
            outcome.remark(Note.notTakenBack(error))
        }
    }
}
