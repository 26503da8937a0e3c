import Keyring
import Protocol

/// Runs of smsenc-pad on a machine, with all their exchanges.
extension Machine {
    /// An exchange: which records it took, and how many of them are out.
    struct Exchange {
        var records: Range<Int>
        /// Nil where it ended as it should.
        var out: Int?
        var isKilled = false
    }

    struct Sent {
        var exchanges: [Exchange] = []
        /// By record; nil for one that did not go through, or was not come to.
        var pads: [[UInt8]?]
        var refusals: [Int: NotPassed] = [:]
        var standings: [Int: Standing] = [:]
    }

    /// Enciphers frames, a record each.
    func send(
        _ frames: [(contact: Int64, frame: [UInt8])], as identity: Int, ending: Deed.Ending
    ) throws -> Sent {
        let keyring = try keyring(actingAs: identity)
        var sent = Sent(pads: Array(repeating: nil, count: frames.count))
        var start = 0
        while start < frames.count {
            var sending = try keyring.beginSending()
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
            var exchange = Exchange(records: start..<end)
            if let out = Self.out(of: exchange.records, ending) {
                exchange.out = out
                exchange.isKilled = ending.isKill
                let passed = sent.pads[start..<(start + out)].count { $0 != nil }
                if exchange.isKilled { die() } else { try sending.finish(out: passed) }
                sent.exchanges.append(exchange)
                return sent
            }
            try sending.finish()
            sent.exchanges.append(exchange)
            guard end > start else { throw Violation(.progress, "no message goes through") }
            start = end
        }
        return sent
    }

    struct Received {
        var exchanges: [Exchange] = []
        /// By record; nil for one that was not come to.
        var outcomes: [Passed?]
        var frames: [[UInt8]]
    }

    /// Deciphers SMS, a record each.
    func receive(
        _ pads: [(contact: Int64, symbols: [UInt8])], as identity: Int,
        searchingFar isFar: Bool, ending: Deed.Ending
    ) throws -> Received {
        let window = isFar ? Conversation.farWindow : Conversation.window
        let keyring = try keyring(actingAs: identity)
        var received = Received(
            outcomes: Array(repeating: nil, count: pads.count), frames: pads.map(\.symbols))
        var start = 0
        while start < pads.count {
            var receiving = try keyring.beginReceiving(searching: window)
            var end = start
            while end < pads.count {
                var span = received.frames[end].mutableSpan
                let outcome = try receiving.pass(&span, of: pads[end].contact)
                if case .not(.full) = outcome { break }
                received.outcomes[end] = outcome
                end += 1
            }
            try receiving.commit()
            var exchange = Exchange(records: start..<end)
            if let out = Self.out(of: exchange.records, ending) {
                exchange.out = out
                exchange.isKilled = ending.isKill
                let passed = received.outcomes[start..<(start + out)].count { $0?.isRead ?? false }
                if exchange.isKilled { die() } else { try receiving.finish(out: passed) }
                received.exchanges.append(exchange)
                return received
            }
            try receiving.finish()
            received.exchanges.append(exchange)
            guard end > start else { throw Violation(.progress, "no message goes through") }
            start = end
        }
        return received
    }

    /// How many records of an exchange get out; nil where all do, and the run goes on.
    private static func out(of records: Range<Int>, _ ending: Deed.Ending) -> Int? {
        switch ending {
        case .whole: nil
        case .failed(let out), .died(let out):
            out < records.upperBound ? max(0, out - records.lowerBound) : nil
        }
    }
}

extension Deed.Ending {
    fileprivate var isKill: Bool { if case .died = self { true } else { false } }
}

extension Passed {
    var isRead: Bool { if case .done = self { true } else { false } }
}
