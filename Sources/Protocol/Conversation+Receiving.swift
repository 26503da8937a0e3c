internal import Crypto

internal import FrameLayout
internal import GSM7

/// When a message came.
package enum Arrival: Equatable, Sendable {
    case inOrder
    /// Others that were sent after it came first.
    case late
    /// It was read before, by a process that died while writing it.
    case again
    /// It was read before, and is read again on request.
    case reread
}

/// How a message came that was read, and what that shows.
package struct Coming: Sendable {
    package var arrival = Arrival.inOrder
    /// Messages that were sent before it, after the one read before it, and have not come.
    package var missing = 0
    /// Numbers of kept keys that had counted as missing, its own and those thrown away for it, and do no
    /// more; they rise with each that is kept.
    package var filled: [Int64] = []
    /// True where it used one's own next key: its sender has read a message that carried it.
    package var provesReading = false
    /// The number of the first key that was kept for it, or that the next will take.
    package var firstNumber: Int64 = 0

    package init(
        arrival: Arrival = .inOrder, missing: Int = 0, filled: [Int64] = [],
        provesReading: Bool = false
    ) {
        self.arrival = arrival
        self.missing = missing
        self.filled = filled
        self.provesReading = provesReading
    }
}

/// A message that was read.
package struct Received {
    /// Spent, to be put on the list of messages being written.
    package let key: SpentKey
    package let coming: Coming
}

extension Conversation {
    /// Message keys searched ahead in a receiving chain.
    package static let window = 128
    /// The same on request, for someone who was away for long.
    package static let farWindow = 4096
    /// Message keys searched ahead in a retired chain.
    static let retiredWindow = 16

    /// The same before keys that were passed over are tried: most messages come in order.
    package static let nearWindow = 8

    /// Tries the keys that come next: those of the receiving chain and, in turn, those of the chain
    /// that the contact may have mixed the own next key into (smsenc(7), Next keys, receiving, 1).
    ///
    /// When none fits nothing has changed; so it is with `receiveKept` and `receiveRetired`. They may be
    /// called in any order.
    ///
    /// - Parameters:
    ///   - symbols: 160, a ciphertext; when a key fits, a frame afterwards with a blank next key.
    ///   - window: message keys searched ahead in each chain.
    ///   - now: seconds since 1970; nil if no clock is believed.
    /// - Returns: nil where no key fits.
    package mutating func receiveNext(
        _ symbols: inout MutableSpan<UInt8>, window: Int, at now: Int64?,
        skipped: inout SkippedKeys, _ cipher: inout Cipher
    ) -> Received? {
        var ahead = Search(receiving.chain.fork())
        var mixed: Direction?
        var beyond: Search?
        for index in 0..<window {
            if let key = ahead.step(&symbols, &cipher) {
                return accept(key, ahead, at: now, &skipped, &symbols, &cipher)
            }
            // Mixing takes as long as some keys: only where the one that comes next does not fit.
            if index == 0, let direction = ownNext?.mixed(into: receiving, &cipher) {
                beyond = Search(direction.chain.fork())
                mixed = consume direction
            }
            if let key = beyond?.step(&symbols, &cipher), let direction = mixed.take(),
                let search = beyond.take()
            {
                skipped.retire(receiving.chain.fork(), at: now)
                receiving = consume direction
                ownNext = nil
                return accept(
                    key, search, provesReading: true, at: now, &skipped, &symbols, &cipher)
            }
        }
        return nil
    }

    /// Tries keys that were kept: of messages not yet written when a process died, and of those that were
    /// passed over, newest first (receiving, 3; State on disk). They must be loaded.
    ///
    /// - Returns: as `receiveNext`.
    package mutating func receiveKept(
        _ symbols: inout MutableSpan<UInt8>, at now: Int64?, skipped: inout SkippedKeys,
        _ cipher: inout Cipher
    ) -> Received? {
        skipped.trim(at: now)
        for index in skipped.unwritten.indices
        where skipped.unwritten[index].key.opens(&symbols, &cipher) {
            Self.blankNextKey(&symbols)
            return Received(
                key: skipped.spend(unwrittenAt: index), coming: Coming(arrival: .again))
        }
        for index in skipped.kept.indices.reversed()
        where skipped.kept[index].key.opens(&symbols, &cipher) {
            let (key, filled) = skipped.spend(keptAt: index, for: symbols.span, &cipher)
            Self.blankNextKey(&symbols)
            return Received(key: key, coming: Coming(arrival: .late, filled: filled))
        }
        return nil
    }

    /// Tries the retired chains, newest first (receiving, 2). They must be loaded.
    ///
    /// - Returns: as `receiveNext`.
    package mutating func receiveRetired(
        _ symbols: inout MutableSpan<UInt8>, at now: Int64?, skipped: inout SkippedKeys,
        _ cipher: inout Cipher
    ) -> Received? {
        skipped.trim(at: now)
        for retired in skipped.retired.reversed() {
            var ahead = Search(retired.chain.fork())
            for _ in 0..<Self.retiredWindow {
                if let key = ahead.step(&symbols, &cipher) {
                    let missing = skipped.keep(
                        ahead.passed, of: retired.chain, before: symbols.span, at: now, &cipher)
                    retired.move(to: ahead.chain)
                    Self.blankNextKey(&symbols)
                    return Received(key: key, coming: Coming(arrival: .late, missing: missing))
                }
            }
        }
        return nil
    }

    /// Moves the receiving chain, which was searched, past the key found.
    private mutating func accept(
        _ key: SpentKey, _ search: consuming Search, provesReading: Bool = false, at now: Int64?,
        _ skipped: inout SkippedKeys, _ frame: inout MutableSpan<UInt8>, _ cipher: inout Cipher
    ) -> Received {
        let missing = skipped.keep(
            search.passed, of: receiving.chain, before: frame.span, at: now, &cipher)
        skipped.open(receiving.chain)
        receiving.chain = search.chain
        learn(from: frame.span.extracting(Frame.nextKey))
        Self.blankNextKey(&frame)
        return Received(
            key: key, coming: Coming(missing: missing, provesReading: provesReading))
    }

    private mutating func learn(from symbols: Span<UInt8>) {
        if learned?.holds(symbols) == true { return }
        learned = NextKey(stored: SecretBytes(copying: symbols))
        isPending = true
    }

    /// Keys never leave smsenc-pad (smsenc(7), Frame).
    static func blankNextKey(_ frame: inout MutableSpan<UInt8>) {
        for index in Frame.nextKey { frame[index] = Alphabet.space }
    }
}

/// A search ahead in a copy of a chain.
private struct Search: ~Copyable {
    var chain: ChainKey
    /// Keys that did not fit.
    var passed = 0

    init(_ chain: consuming ChainKey) { self.chain = chain }

    /// Tries the next key; it is passed over when it does not fit.
    mutating func step(
        _ symbols: inout MutableSpan<UInt8>, _ cipher: inout Cipher
    ) -> SpentKey? {
        let key = chain.step(&cipher)
        if key.opens(&symbols, &cipher) { return SpentKey(key) }
        passed += 1
        return nil
    }
}
