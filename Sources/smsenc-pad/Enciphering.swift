import Access
import Keyring
import LineIO
import Crypto
import Protocol
import System

/// Frames into ciphertexts.
extension PadRun {
    /// Enciphers records from `start` on, as many as may be in flight, commits, and writes them.
    ///
    /// When writing fails, chains go back to behind the last key of which any byte may have left.
    /// - Returns: where the next commit begins.
    mutating func encipher(
        from start: Int, _ reader: borrowing RecordReader, _ outcome: inout Outcome
    ) throws -> Int {
        let sent = try commitPrepared(reader) ?? commit(from: start, reader)
        unlanded = sent.exchange
        prepare(from: sent.flight.end, reader)
        try write(sent.flight, sent.exchange, reader, &outcome)
        return sent.flight.end
    }

    /// What was enciphered for one commit.
    struct Sent {
        fileprivate let plan: Plan
        fileprivate let flight: Flight
        fileprivate let exchange: Exchange
    }

    /// Enciphers within a commit.
    private mutating func commit(
        from start: Int, _ reader: borrowing RecordReader
    ) throws(KeyringError) -> Sent {
        var limit = jobs.count
        for _ in 0...Self.patience {
            let plan = Plan(jobs, from: start, to: limit, fillsFlights: true)
            var flight = Flight(plan)
            let exchange = try keyring.exchange { (exchange) throws(KeyringError) in
                try encipher(plan, exchange, &flight)
            }
            guard let exchange else {
                reopen(plan, reader)
                limit = flight.end
                continue
            }
            if flight.end > start {
                reopenRest(of: plan, behind: flight, reader)
                return Sent(plan: plan, flight: flight, exchange: exchange)
            }
            // Others have all keys in flight that the first record's contact may have.
            Moment.pause(milliseconds: Self.pause)
            limit = start + 1
        }
        throw KeyringError.busy
    }

    /// Enciphers what comes next while the disk is busy, where that is little, as it is where a
    /// contact's flight is full: then the disk is waited for often.
    private mutating func prepare(from start: Int, _ reader: borrowing RecordReader) {
        guard start < jobs.count, !options.filter.stopsAtFirst else { return }
        let plan = Plan(jobs, from: start, to: jobs.count, fillsFlights: true)
        guard plan.end - start <= Self.mostPrepared else { return }
        var flight = Flight(plan)
        do throws(KeyringError) {
            let exchange = try keyring.prepare { (exchange) throws(KeyringError) in
                try encipher(plan, exchange, &flight)
            }
            if let exchange, flight.end > start {
                reopenRest(of: plan, behind: flight, reader)
                prepared = Sent(plan: plan, flight: flight, exchange: exchange)
                return
            }
        } catch {
            // What was committed is to be written first; the next commit meets the error again.
        }
        reopen(plan, reader)
    }
    private static let mostPrepared = 1024

    /// What was found of records that a flight has no room for is found anew when it is their turn.
    private mutating func reopenRest(
        of plan: Plan, behind flight: Flight, _ reader: borrowing RecordReader
    ) {
        if flight.end < plan.end { reopen(plan, from: flight.end, reader) }
    }

    /// Commits what was prepared; nil where nothing was, or somebody has changed a contact meanwhile.
    private mutating func commitPrepared(
        _ reader: borrowing RecordReader
    ) throws(KeyringError) -> Sent? {
        guard let sent = prepared.take() else { return nil }
        if try keyring.commit(prepared: sent.exchange) { return sent }
        reopen(sent.plan, reader)
        return nil
    }

    /// How often, and after how many milliseconds, a record is tried again whose contact's keys are
    /// all in flight elsewhere: half a minute in all.
    private static let patience = 1500
    private static let pause = 20

    /// What one commit has enciphered, until it is out.
    struct Flight {
        let start: Int
        /// The first record that is not in it.
        fileprivate(set) var end: Int
        /// Behind the last record that was enciphered.
        fileprivate var furthest: Int
        /// For each record the message keys of its contact up to it, within the exchange; zero where
        /// it was not enciphered.
        fileprivate var keys: [UInt8]
        fileprivate var findings = Findings()

        init(_ plan: Plan) {
            start = plan.start
            end = plan.end
            furthest = plan.start
            keys = [UInt8](repeating: 0, count: plan.end - plan.start)
        }
    }

    /// Enciphers the records of a plan; false where some were enciphered behind one that must wait, so
    /// that nothing of it can stand.
    private mutating func encipher(
        _ plan: Plan, _ exchange: Exchange, _ flight: inout Flight
    ) throws(KeyringError) -> Bool {
        for group in plan.groups { try encipher(group, of: plan, exchange, &flight) }
        return flight.furthest <= flight.end
    }

    /// Enciphers the records of one contact.
    private mutating func encipher(
        _ group: Plan.Group, of plan: Plan, _ exchange: Exchange, _ flight: inout Flight
    ) throws(KeyringError) {
        let contact = group.recipient.contact
        let link = try exchange.open(contact.id)
        var next: Int? = group.first
        while let index = next, index < flight.end {
            next = plan.following(index)
            guard let link else {
                reject(index, .gone, &flight)
                continue
            }
            switch try Self.encipher(&symbols, index, with: link, exchange, &bench) {
            case .flightFull, .flightElsewhere: flight.end = index
            case .enciphered:
                jobs[index].fate = .done(.inOrder)
                flight.furthest = max(flight.furthest, index + 1)
                flight.keys[index - flight.start] = UInt8(link.keysTaken)
            case .notReady(let state): reject(index, .notReady(state), &flight)
            }
        }
        guard let link else { return }
        try exchange.close(link)
        if link.keysTaken > 0 { flight.findings.look(at: link, of: contact, from: group.first) }
    }

    private mutating func reject(_ index: Int, _ reason: Reason, _ flight: inout Flight) {
        jobs[index].fate = .bad(reason)
        if options.filter.stopsAtFirst { flight.end = min(flight.end, index + 1) }
    }

    private static func encipher(
        _ symbols: inout SecretRows, _ index: Int, with link: Link, _ exchange: Exchange,
        _ bench: inout Workbench
    ) throws(KeyringError) -> Exchange.Sending {
        try symbols.withMutableRow(index) { (symbols) throws(KeyringError) in
            try exchange.encipher(&symbols, with: link, &bench)
        }
    }

    /// Writes what was committed.
    private mutating func write(
        _ flight: Flight, _ exchange: Exchange, _ reader: borrowing RecordReader,
        _ outcome: inout Outcome
    ) throws {
        let begin = outcome.output.position - outputStart
        do {
            try outcome.flush()
            try keyring.completeCommit()
            noteUnverified(flight.findings, &outcome)
            try write(flight.start..<flight.end, reader, &outcome)
            try outcome.flush()
            try outcome.output.synchronise()
            let isLast = flight.end == jobs.count || outcome.isStopped
            try keyring.land(exchange, goingOn: !isLast)
            if isLast { unlanded = nil }
        } catch {
            unlanded = nil
            takeBack(flight, from: begin, exchange, &outcome)
            throw error
        }
        noteSilence(flight.findings, &outcome)
    }

    /// - Parameter begin: where in the batch's output the first ciphertext begins.
    private mutating func takeBack(
        _ flight: Flight, from begin: Int, _ exchange: Exchange, _ outcome: inout Outcome
    ) {
        var all: [Int64: Int] = [:]
        var kept: [Int64: (keys: Int, messages: Int)] = [:]
        var begin = begin
        for index in flight.start..<flight.end {
            guard case .done = jobs[index].fate, let contact = jobs[index].contact?.id else {
                continue
            }
            all[contact, default: 0] += 1
            let end = Int(ends[index])
            if end > 0, begin < outcome.output.possiblyLeft - outputStart {
                kept[contact] = (Int(flight.keys[index - flight.start]), all[contact] ?? 0)
            }
            begin = end
        }
        do {
            try keyring.takeBack(exchange, keeping: kept, of: all, &bench)
        } catch {
            outcome.remark(Note.notTakenBack(error))
        }
        // A count that cannot be noted now is noted with the next commit: nothing has gone out since.
        try? keyring.completeCommit()
    }
}
