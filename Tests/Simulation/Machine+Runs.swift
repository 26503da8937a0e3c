import Protocol

@testable import Keyring

/// Simulates runs of smsenc-pad.
extension Machine {
    /// An exchange within a run: the records that it processed, and how many of them were written.
    struct Exchange {
        let records: Range<Int>
        /// Number of records that were written if the run ended early, or nil if it did not.
        private(set) var out: Int?
        private(set) var isKilled = false

        /// Creates an exchange.
        ///
        /// - Parameter records: the records that fit in this exchange.
        fileprivate init(_ records: Range<Int>, _ ending: Action.RunEnding) {
            self.records = records
            switch ending {
            case .whole: return
            case .failed(let end), .died(let end):
                guard end < records.upperBound else { return }
                out = max(0, end - records.lowerBound)
                isKilled = ending == .died(out: end)
            }
        }

        /// Records that were written.
        var written: Range<Int> { records.prefix(out ?? records.count) }
    }

    struct Sent {
        /// Ciphertext of each record. Nil if the record was refused or not reached.
        var pads: [[UInt8]?]
        var refusals: [Int: ExchangeResult] = [:]
        var summaries: [Int: ContactSummary] = [:]
    }

    /// Encrypts frames, one for each record.
    ///
    /// - Parameters:
    ///   - committed: called for each exchange after its keys are committed and before any output.
    ///   - finished: called after each exchange.
    func send(
        _ frames: [(contact: ContactID, frame: [UInt8])], as identity: Int,
        ending: Action.RunEnding,
        committed: (Exchange, Sent) throws -> Void, finished: (Exchange) throws -> Void
    ) throws {
        let keyring = try keyring(actingAs: identity)
        var sent = Sent(pads: Array(repeating: nil, count: frames.count))
        var (start, fruitless) = (0, 0)
        while start < frames.count {
            var sending = try Sending(with: keyring)
            var end = start
            records: while end < frames.count {
                var symbols = frames[end].frame
                var span = symbols.mutableSpan
                switch try sending.encrypt(&span, for: frames[end].contact) {
                case .done(let summary, _, _):
                    (sent.pads[end], sent.summaries[end]) = (symbols, summary)
                case .batchFull: break records
                case let refusal: sent.refusals[end] = refusal
                }
                end += 1
            }
            try sending.commit()
            let exchange = Exchange(start..<end, ending)
            try committed(exchange, sent)
            if exchange.isKilled {
                die()
            } else {
                let out = exchange.out.map { _ in
                    sent.pads[exchange.written].count { $0 != nil }
                }
                try sending.finish(written: out)
            }
            try finished(exchange)
            guard exchange.out == nil else { return }
            if end == start {
                // Another process has all keys in flight that are permitted.
                if isOtherProcess { return }
                // If there is room for only one key, that key may have to be discarded.
                fruitless += 1
                guard fruitless < 20 else {
                    throw Violation(.progress, "no message goes through")
                }
            }
            start = end
        }
    }

    struct Received {
        /// Result for each record. Nil if the record was not reached.
        var outcomes: [ExchangeResult?]
        var frames: [[UInt8]]
    }

    /// Decrypts SMS, one for each record.
    ///
    /// - Parameters:
    ///   - committed: called for each exchange after it is committed and before any output.
    ///   - finished: called after each exchange.
    func receive(
        _ pads: [(contact: ContactID, symbols: [UInt8])], as identity: Int,
        searchingFar isFar: Bool, ending: Action.RunEnding,
        committed: (Exchange, Received) throws -> Void, finished: (Exchange) throws -> Void
    ) throws {
        let window = isFar ? Conversation.farWindow : Conversation.window
        let keyring = try keyring(actingAs: identity)
        var received = Received(
            outcomes: Array(repeating: nil, count: pads.count), frames: pads.map(\.symbols))
        var start = 0
        while start < pads.count {
            var receiving = try Receiving(with: keyring, searching: window)
            var end = start
            while end < pads.count {
                var span = received.frames[end].mutableSpan
                let outcome = try receiving.decrypt(&span, of: pads[end].contact)
                if case .batchFull = outcome { break }
                received.outcomes[end] = outcome
                end += 1
            }
            try receiving.commit()
            let exchange = Exchange(start..<end, ending)
            try committed(exchange, received)
            if exchange.isKilled {
                die()
            } else {
                let out = exchange.out.map { _ in
                    received.outcomes[exchange.written].count { $0?.isRead ?? false }
                }
                try receiving.finish(written: out)
            }
            try finished(exchange)
            guard exchange.out == nil else { return }
            guard end > start else { throw Violation(.progress, "no message goes through") }
            start = end
        }
    }
}

extension Machine {
    /// Decrypts SMS again. Returns nil if the keyring is not open in a session.
    func reread(
        _ pads: [(contact: ContactID, symbols: [UInt8])], as identity: Int
    ) throws -> Received? {
        let keyring = try keyring(actingAs: identity)
        guard keyring.session != nil else { return nil }
        var received = Received(outcomes: [], frames: pads.map(\.symbols))
        var rereading = try Rereading(with: keyring, searching: Conversation.window)
        for (index, pad) in pads.enumerated() {
            var span = received.frames[index].mutableSpan
            received.outcomes.append(try rereading.decrypt(&span, of: pad.contact))
        }
        try rereading.commit()
        return received
    }
}

extension ExchangeResult {
    var isRead: Bool { if case .done = self { true } else { false } }
}
