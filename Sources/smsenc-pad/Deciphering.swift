import Access
import Keyring
import LineIO
import Crypto
import Protocol
import System

/// Ciphertexts into frames.
extension PadRun {
    /// Deciphers records from `start` on, commits, and writes them.
    ///
    /// - Returns: where the next begins: at `start` where searching took too long, so that some
    ///   records are left.
    mutating func decipher(
        from start: Int, _ reader: borrowing RecordReader, _ outcome: inout Outcome
    ) throws -> Int {
        var limit = min(
            jobs.count, start + (options.filter.stopsAtFirst ? Self.shortestStride : stride))
        while true {
            let plan = Plan(jobs, from: start, to: limit, fillsFlights: false)
            var reading = Reading(plan, unsettled.findings)
            guard let exchange = try commit(plan, &reading) else {
                reopen(plan, reader)
                limit = reading.end
                continue
            }
            unsettled.exchanges.append(exchange)
            unsettled.end = max(unsettled.end, reading.furthest)
            unsettled.findings = reading.findings
            guard reading.group == plan.groups.count else {
                stride = max(Self.shortestStride, reading.count / 2)
                return start
            }
            stride = min(longestBatch, max(stride, reading.count) * 2)
            try writeRead(start..<reading.end, reader, &outcome)
            return reading.end
        }
    }

    /// How long one commit may hold the keyring while it searches: others wait for it.
    private static let longestHold = Duration.milliseconds(100)

    /// Records deciphered between two outputs where searching takes long, and where the first bad one
    /// is the last.
    private static let shortestStride = 32

    /// What was deciphered and is not settled: its keys can be used again after a crash.
    struct Unsettled {
        fileprivate var exchanges: [Exchange] = []
        /// The first of its records, and behind the last.
        fileprivate var start = 0
        fileprivate var end = 0
        fileprivate var findings = Findings()
    }

    /// How far the deciphering of a plan has come.
    private struct Reading {
        /// The group that is handled.
        var group = 0
        /// Records handled.
        var count = 0
        /// The first record that is not to be handled.
        var end: Int
        /// Behind the last record that was read.
        var furthest: Int
        var findings: Findings

        init(_ plan: Plan, _ findings: Findings) {
            self.findings = findings
            end = plan.end
            furthest = plan.start
        }
    }

    /// One commit; nil where a record was read behind one that is to be the last, so that nothing
    /// stands.
    private mutating func commit(
        _ plan: Plan, _ reading: inout Reading
    ) throws(KeyringError) -> Exchange? {
        try keyring.exchange(deciphers: true) { (exchange) throws(KeyringError) in
            let begin = Moment.now
            var isDue = false
            while reading.group < plan.groups.count, !isDue {
                isDue = try decipher(plan, exchange, since: begin, &reading)
            }
            return reading.furthest <= reading.end
        }
    }

    /// Deciphers the records of one contact, or as many as there is time for; true when it is over.
    private mutating func decipher(
        _ plan: Plan, _ exchange: Exchange, since begin: Moment, _ reading: inout Reading
    ) throws(KeyringError) -> Bool {
        let group = plan.groups[reading.group]
        let contact = group.recipient.contact
        let link = try exchange.open(contact.id)
        var next: Int? = group.first
        var first: Int?
        var isDue = false
        while let index = next, index < reading.end, !isDue {
            next = plan.following(index)
            reading.count += 1
            guard let link else {
                reject(index, .gone, &reading)
                continue
            }
            let reason = try decipher(index, with: link, exchange)
            if let reason {
                reject(index, reason, &reading)
            } else {
                reading.furthest = max(reading.furthest, index + 1)
                if first == nil { first = index }
            }
            // Most messages take less than a look at the clock would be worth.
            guard reason != nil || reading.count & 15 == 0, !options.filter.stopsAtFirst else {
                continue
            }
            isDue = exchange.isFull(link) || Moment.now - begin >= Self.longestHold
        }
        if !isDue || next == nil { reading.group += 1 }
        guard let link else { return isDue }
        try exchange.close(link)
        if let first { reading.findings.look(at: link, of: contact, from: first) }
        return isDue
    }

    private mutating func reject(_ index: Int, _ reason: Reason, _ reading: inout Reading) {
        jobs[index].fate = .bad(reason)
        if options.filter.stopsAtFirst { reading.end = min(reading.end, index + 1) }
    }

    /// Deciphers one record; why it is bad, or nil.
    private mutating func decipher(
        _ index: Int, with link: Link, _ exchange: Exchange
    ) throws(KeyringError) -> Reason? {
        let window = options.searchesFar ? Conversation.farWindow : Conversation.window
        switch try Self.decipher(&symbols, index, with: link, window, exchange, &bench) {
        case .read(let arrival):
            jobs[index].fate = .done(arrival)
            return nil
        case .refused: return .refused
        case .notReady(let state): return .notReady(state)
        }
    }

    private static func decipher(
        _ symbols: inout SecretRows, _ index: Int, with link: Link, _ window: Int,
        _ exchange: Exchange, _ bench: inout Workbench
    ) throws(KeyringError) -> Exchange.Receiving {
        try symbols.withMutableRow(index) { (symbols) throws(KeyringError) in
            try exchange.decipher(&symbols, with: link, window: window, &bench)
        }
    }

    /// Writes records up to the end of a plan; when all that was deciphered is out, its keys are let go.
    private mutating func writeRead(
        _ range: Range<Int>, _ reader: borrowing RecordReader, _ outcome: inout Outcome
    ) throws {
        try outcome.flush()
        try keyring.completeCommit()
        noteUnverified(unsettled.findings, &outcome)
        try write(range, reader, &outcome)
        try outcome.flush()
        guard range.upperBound >= unsettled.end else { return }
        try outcome.output.synchronise()
        do {
            try keyring.settle(unsettled.exchanges)
        } catch {
            outcome.remark(Note.notSettled(error))
            outcome.note(error.status)
        }
        unsettled = Unsettled()
        unsettled.start = range.upperBound
    }

    /// After a failure, lets go of the keys of messages that are certainly out; the others can be read
    /// again.
    mutating func settleWhatIsOut(_ outcome: inout Outcome) {
        var written: [Int64: Int] = [:]
        let out = outcome.output.isFile ? 0 : outcome.output.certainlyLeft - outputStart
        for index in unsettled.start..<max(unsettled.start, unsettled.end) {
            guard let contact = jobs[index].contact, ends[index] > 0, ends[index] <= out else {
                continue
            }
            written[contact.id, default: 0] += 1
        }
        do {
            try keyring.settle(unsettled.exchanges, written: written)
        } catch {
            outcome.remark(Note.notSettled(error))
            outcome.note(error.status)
        }
        unsettled = Unsettled()
    }
}
