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
    /// - Returns: where the next begins.
    mutating func decipher(
        from start: Int, _ reader: borrowing RecordReader, _ outcome: inout Outcome
    ) throws -> Int {
        var limit = min(jobs.count, start + stride)
        while true {
            let plan = Plan(jobs, from: start, to: limit, fillsFlights: false)
            var reading = Reading(plan)
            while reading.group < plan.groups.count {
                guard let exchange = try commit(plan, &reading) else { break }
                reading.exchanges.append(exchange)
            }
            if reading.stands {
                try write(start..<reading.end, reading, reader, &outcome)
                adapt(to: reading)
                return reading.end
            }
            reopen(plan, reader)
            limit = reading.end
        }
    }

    /// How long one commit may hold the keyring while it searches: others wait for it.
    private static let longestHold = Duration.milliseconds(100)

    /// Records deciphered between two outputs where searching takes long, and where the first bad one
    /// is the last.
    private static let shortestStride = 32

    private mutating func adapt(to reading: Reading) {
        stride =
            reading.exchanges.count > 1 || options.filter.stopsAtFirst
            ? max(Self.shortestStride, stride / 2) : min(Self.longestBatch, stride * 2)
    }

    /// How far the deciphering of a plan has come.
    private struct Reading {
        /// The group that comes next, and its record; nil for its first.
        var group = 0
        var record: Int?
        /// The first record that is not to be handled.
        var end: Int
        /// Behind the last record that was read.
        var furthest: Int
        var exchanges: [Exchange] = []
        var findings = Findings()

        init(_ plan: Plan) {
            end = plan.end
            furthest = plan.start
        }

        /// False where a record was read behind the one that was to be the last.
        var stands: Bool { furthest <= end }
    }

    /// One commit: nil where nothing of it stands.
    private mutating func commit(
        _ plan: Plan, _ reading: inout Reading
    ) throws(KeyringError) -> Exchange? {
        let begin = Moment.now
        return try keyring.exchange { (exchange) throws(KeyringError) in
            var isDue = false
            while reading.group < plan.groups.count, !isDue {
                isDue = try decipher(plan, exchange, since: begin, &reading)
            }
            return reading.stands
        }
    }

    /// Deciphers the records of one contact, or as many as there is time for; true when it is over.
    private mutating func decipher(
        _ plan: Plan, _ exchange: Exchange, since begin: Moment, _ reading: inout Reading
    ) throws(KeyringError) -> Bool {
        let group = plan.groups[reading.group]
        let contact = group.recipient.contact
        let link = try exchange.open(contact.id)
        var next = reading.record ?? group.first
        var first: Int?
        var isDue = false
        reading.record = nil
        while next < reading.end {
            let index = next
            if let link {
                if try decipher(index, with: link, contact, exchange) {
                    reading.furthest = max(reading.furthest, index + 1)
                    if first == nil { first = index }
                }
                isDue =
                    !options.filter.stopsAtFirst
                    && (exchange.isFull(link) || Moment.now - begin >= Self.longestHold)
            } else {
                jobs[index].fate = .bad(KeyringError.unknown(contact.name).text)
            }
            if options.filter.stopsAtFirst, case .bad = jobs[index].fate {
                reading.end = min(reading.end, index + 1)
            }
            guard let following = plan.following(index) else { break }
            next = following
            if isDue {
                reading.record = next
                break
            }
        }
        if reading.record == nil { reading.group += 1 }
        if let link {
            try exchange.close(link)
            if let first { reading.findings.look(at: link, of: contact, from: first) }
        }
        return isDue
    }

    /// Deciphers one record; false when it is bad.
    private mutating func decipher(
        _ index: Int, with link: Link, _ contact: Contact, _ exchange: Exchange
    ) throws(KeyringError) -> Bool {
        let window = options.searchesFar ? Conversation.farWindow : Conversation.window
        switch try Self.decipher(&symbols, index, with: link, window, exchange, &bench) {
        case .read(let arrival):
            jobs[index].fate = .done(arrival)
            return true
        case .refused:
            let reason = symbols.withRow(index) {
                Advice.refusal($0, of: contact, far: options.searchesFar)
            }
            jobs[index].fate = .bad(reason)
        case .notReady(let state): jobs[index].fate = .bad(Advice.line(for: contact, state))
        }
        return false
    }

    private static func decipher(
        _ symbols: inout SecretRows, _ index: Int, with link: Link, _ window: Int,
        _ exchange: Exchange, _ bench: inout Workbench
    ) throws(KeyringError) -> Exchange.Receiving {
        try symbols.withMutableRow(index) { (symbols) throws(KeyringError) in
            try exchange.decipher(&symbols, with: link, window: window, &bench)
        }
    }

    /// Writes what was committed.
    private mutating func write(
        _ range: Range<Int>, _ reading: Reading, _ reader: borrowing RecordReader,
        _ outcome: inout Outcome
    ) throws {
        var ends = [Int](repeating: 0, count: range.count)
        do {
            try outcome.flush()
            noteUnverified(reading.findings, &outcome)
            try write(range, reader, &outcome) { (index, end) in
                ends[index - range.lowerBound] = end
            }
            try outcome.flush()
            try outcome.output.synchronise()
        } catch {
            var written: [Int64: Int] = [:]
            let out = outcome.output.isFile ? 0 : outcome.output.certainlyLeft
            for index in range {
                let end = ends[index - range.lowerBound]
                guard end > 0, end <= out, let contact = jobs[index].contact else { continue }
                written[contact.id, default: 0] += 1
            }
            settle(reading.exchanges, written, &outcome)
            throw error
        }
        settle(reading.exchanges, nil, &outcome)
    }

    /// Lets go of the keys of messages that are out.
    private func settle(
        _ exchanges: [Exchange], _ written: [Int64: Int]?, _ outcome: inout Outcome
    ) {
        do {
            try keyring.settle(exchanges, written: written)
        } catch {
            outcome.remark(Note.notSettled(error))
            outcome.note(error.status)
        }
    }
}
