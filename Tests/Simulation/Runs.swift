import Keyring
import Protocol

/// Runs of smsenc-pad on a machine, with all their exchanges.
extension Machine {
    /// An exchange: which records it took, and how many of them are out.
    struct Exchange {
        let records: Range<Int>
        /// Nil where it ended as it should.
        private(set) var out: Int?
        private(set) var isKilled = false

        /// - Parameter records: all, or as many as there was room for.
        fileprivate init(_ records: Range<Int>, _ ending: Deed.Ending) {
            self.records = records
            switch ending {
            case .whole: return
            case .failed(let end), .died(let end):
                guard end < records.upperBound else { return }
                out = max(0, end - records.lowerBound)
                isKilled = ending == .died(out: end)
            }
        }

        /// Those that are out.
        var written: Range<Int> { records.prefix(out ?? records.count) }
    }

    struct Sent {
        /// By record; nil for one that did not go through, or was not come to.
        var pads: [[UInt8]?]
        var refusals: [Int: NotPassed] = [:]
        var standings: [Int: Standing] = [:]
    }

    /// Enciphers frames, a record each.
    ///
    /// - Parameters:
    ///   - committed: is told of each exchange when its keys are taken, and before anything is out.
    ///   - finished: is told when it has ended.
    func send(
        _ frames: [(contact: Int64, frame: [UInt8])], as identity: Int, ending: Deed.Ending,
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
                switch try sending.pass(&span, of: frames[end].contact) {
                case .done(let standing, _):
                    (sent.pads[end], sent.standings[end]) = (symbols, standing)
                case .not(.full): break records
                case .not(let why): sent.refusals[end] = why
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
                try sending.finish(out: out)
            }
            try finished(exchange)
            guard exchange.out == nil else { return }
            if end == start {
                // Another process has them all.
                if isBeside { return }
                // Where there is room for one key alone, that may be one to be thrown away.
                fruitless += 1
                guard fruitless < 20 else {
                    throw Violation(.progress, "no message goes through")
                }
            }
            start = end
        }
    }

    struct Received {
        /// By record; nil for one that was not come to.
        var outcomes: [Passed?]
        var frames: [[UInt8]]
    }

    /// Deciphers SMS, a record each.
    ///
    /// - Parameters:
    ///   - committed: is told of each exchange when it is durable, and before anything is out.
    ///   - finished: is told when it has ended.
    func receive(
        _ pads: [(contact: Int64, symbols: [UInt8])], as identity: Int,
        searchingFar isFar: Bool, ending: Deed.Ending,
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
                let outcome = try receiving.pass(&span, of: pads[end].contact)
                if case .not(.full) = outcome { break }
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
                try receiving.finish(out: out)
            }
            try finished(exchange)
            guard exchange.out == nil else { return }
            guard end > start else { throw Violation(.progress, "no message goes through") }
            start = end
        }
    }
}

extension Passed {
    var isRead: Bool { if case .done = self { true } else { false } }
}
