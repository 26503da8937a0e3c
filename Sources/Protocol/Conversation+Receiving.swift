internal import Crypto

internal import FrameLayout
internal import GSM7

/// The order in which a message arrived, relative to other messages.
package enum ReceiveOutcome: Equatable, Sendable {
    case inOrder
    /// The message was decrypted after a message that was sent later than it.
    case late
    /// The message is decrypted a second time, because a process died before the message was known to be
    /// written.
    case again
    /// The message was already decrypted, and is now decrypted again on request.
    case reread
}

/// Information about the arrival of a decrypted message, and about other messages that are missing or were
/// read.
package struct ReceivedInfo: Sendable {
    package var arrival = ReceiveOutcome.inOrder
    /// Number of missing messages that this message reveals. They were sent before this message and have
    /// not arrived.
    package var missing = 0
    /// Numbers of skipped message keys that no longer count as missing. These are the key of this message,
    /// and keys that the sender most likely discarded when it encrypted this message. Each skipped key has
    /// a higher number than the key skipped before it.
    package var filled: [Int64] = []
    /// True if the sender had already mixed in your own next key. This proves that the sender has read a
    /// message that contains the next key.
    package var provesReading = false
    /// Number of the first message key that was skipped because of this message. If no key was skipped,
    /// the number that the next skipped key will have.
    package var firstNumber: Int64 = 0

    package init(
        arrival: ReceiveOutcome = .inOrder, missing: Int = 0, filled: [Int64] = [],
        provesReading: Bool = false
    ) {
        self.arrival = arrival
        self.missing = missing
        self.filled = filled
        self.provesReading = provesReading
    }
}

/// The result of decrypting a message.
package struct Received {
    /// The message key, which must be stored until the message has been written.
    package let key: SpentKey
    package let info: ReceivedInfo
}

extension Conversation {
    /// Number of message keys that are tried beyond the current position of the receiving chain.
    package static let window = 128
    /// Number of message keys that are tried with `--far`, which helps if many messages were lost.
    package static let farWindow = 4096
    /// Number of message keys that are tried beyond the current position of a retired chain.
    static let retiredWindow = 16

    /// Number of message keys that are tried before the skipped message keys, because most messages arrive
    /// in order.
    package static let nearWindow = 4

    /// Tries to decrypt a message with the next message keys (smsenc-protocol(7), Receiving, step 1).
    ///
    /// The keys of the receiving chain are tried alternately with the keys of another chain. The contact
    /// uses the other chain after the contact has mixed in your next key.
    ///
    /// If a key matches, the ciphertext is replaced with the frame, in which the next key is blank. If no
    /// key matches, the function returns nil and nothing changes. The same is true for `receiveSkipped` and
    /// `receiveRetired`. The three functions may be called in any order.
    ///
    /// - Parameters:
    ///   - symbols: a ciphertext of 160 symbols.
    ///   - window: number of message keys tried in each chain.
    ///   - now: seconds since 1970, or nil if the clock is not trusted.
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
            // Mixing takes as long as trying several keys, so try the most likely key first.
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

    /// Tries to decrypt a message with stored message keys, which must be loaded (smsenc-protocol(7),
    /// Receiving, step 3).
    ///
    /// The first keys to be tried were used by a process that died, perhaps before it had written the
    /// messages (smsenc-protocol(7), Stored state). After them, the skipped message keys are tried, newest
    /// first.
    ///
    /// - Returns: the same as `receiveNext`.
    package mutating func receiveSkipped(
        _ symbols: inout MutableSpan<UInt8>, at now: Int64?, skipped: inout SkippedKeys,
        _ cipher: inout Cipher
    ) -> Received? {
        skipped.trim(at: now)
        for index in skipped.unwritten.indices
        where skipped.unwritten[index].key.decrypt(&symbols, &cipher) {
            Self.blankNextKey(&symbols)
            return Received(
                key: skipped.spend(unwrittenAt: index), info: ReceivedInfo(arrival: .again))
        }
        for index in skipped.kept.indices.reversed()
        where skipped.kept[index].key.decrypt(&symbols, &cipher) {
            let (key, filled) = skipped.spend(keptAt: index, for: symbols.span, &cipher)
            Self.blankNextKey(&symbols)
            return Received(key: key, info: ReceivedInfo(arrival: .late, filled: filled))
        }
        return nil
    }

    /// Tries to decrypt a message with the retired chains, newest first (smsenc-protocol(7), Receiving,
    /// step 2). The chains must be loaded.
    ///
    /// - Returns: the same as `receiveNext`.
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
                        ahead.skippedCount, of: retired.chain, before: symbols.span, at: now,
                        &cipher)
                    retired.move(to: ahead.chain)
                    Self.blankNextKey(&symbols)
                    return Received(
                        key: key, info: ReceivedInfo(arrival: .late, missing: missing))
                }
            }
        }
        return nil
    }

    /// Moves the receiving chain past the key that matched, stores the skipped keys, and stores the next
    /// key that the frame contains.
    private mutating func accept(
        _ key: SpentKey, _ search: consuming Search, provesReading: Bool = false, at now: Int64?,
        _ skipped: inout SkippedKeys, _ frame: inout MutableSpan<UInt8>, _ cipher: inout Cipher
    ) -> Received {
        let missing = skipped.keep(
            search.skippedCount, of: receiving.chain, before: frame.span, at: now, &cipher)
        skipped.open(receiving.chain)
        receiving.chain = search.chain
        learn(from: frame.span.extracting(Frame.nextKey))
        Self.blankNextKey(&frame)
        return Received(
            key: key, info: ReceivedInfo(missing: missing, provesReading: provesReading))
    }

    private mutating func learn(from symbols: Span<UInt8>) {
        if contactNext?.holds(symbols) == true { return }
        contactNext = NextKey(stored: SecretBytes(copying: symbols))
        isPending = true
    }

    /// Overwrites the next key of a frame with spaces. Next keys are never output by smsenc-pad
    /// (smsenc-protocol(7), Frames).
    static func blankNextKey(_ frame: inout MutableSpan<UInt8>) {
        for index in Frame.nextKey { frame[index] = Alphabet.space }
    }
}

/// A search for the message key of a ciphertext. It advances a copy of a chain.
private struct Search: ~Copyable {
    var chain: ChainKey
    /// Number of keys that did not match.
    var skippedCount = 0

    init(_ chain: consuming ChainKey) { self.chain = chain }

    /// Tries the next key. If the key does not match, it counts as skipped.
    mutating func step(
        _ symbols: inout MutableSpan<UInt8>, _ cipher: inout Cipher
    ) -> SpentKey? {
        let key = chain.step(&cipher)
        if key.decrypt(&symbols, &cipher) { return SpentKey(key) }
        skippedCount += 1
        return nil
    }
}
