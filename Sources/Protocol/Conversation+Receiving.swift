internal import Crypto

internal import FrameLayout
internal import GSM7

/// The order in which a message arrived, compared with other messages.
package enum ReceiveOutcome: Equatable, Sendable {
    case inOrder
    /// A message that was sent later was decrypted before.
    case late
    /// A process decrypted it before, but died before it had certainly written the message.
    case again
    /// The message was decrypted before, and is now decrypted again on request.
    case reread
}

/// How a decrypted message arrived, and what that shows about other messages.
package struct ReceivedInfo: Sendable {
    package var arrival = ReceiveOutcome.inOrder
    /// Number of missing messages that this message reveals: they were sent before it and have not arrived.
    package var missing = 0
    /// Numbers of skipped message keys that no longer count as missing: the key of this message, and keys
    /// that the sender most likely discarded for it. Each skipped key gets a higher number than the one
    /// before.
    package var filled: [Int64] = []
    /// True if the sender had already mixed in your own next key. This proves that the sender has read a
    /// message that carried the next key.
    package var provesReading = false
    /// The number of the first message key that was skipped for this message, or the number of the next
    /// skipped key if none was.
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
    /// The message key, to be stored until the message is written.
    package let key: SpentKey
    package let coming: ReceivedInfo
}

extension Conversation {
    /// Number of message keys tried ahead in the receiving chain.
    package static let window = 128
    /// Number of message keys tried ahead with `--far`, if many messages were lost.
    package static let farWindow = 4096
    /// Number of message keys tried ahead in a retired chain.
    static let retiredWindow = 16

    /// Number of message keys tried ahead before skipped message keys are tried, since most messages arrive
    /// in order.
    package static let nearWindow = 8

    /// Tries to decrypt a message with the next message keys. Alternately tries the keys of the receiving
    /// chain, and the keys of the chain that results if the contact has mixed in your own next key
    /// (smsenc-protocol(7), Receiving, step 1).
    ///
    /// If no key matches, nothing changes. The same is true for `receiveKept` and `receiveRetired`. The three
    /// functions may be called in any order.
    ///
    /// - Parameters:
    ///   - symbols: a ciphertext of 160 symbols. If a key matches, it becomes the frame, with a blank next
    ///     key.
    ///   - window: number of message keys tried ahead in each chain.
    ///   - now: seconds since 1970, or nil if the clock is not trusted.
    /// - Returns: nil if no key matches.
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
            // Mixing takes as long as trying several keys, so try the key that is most likely first.
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

    /// Tries to decrypt a message with stored message keys. It first tries the keys of messages that a
    /// process may not have written before it died, then skipped message keys, newest first
    /// (smsenc-protocol(7), Receiving, step 3, and Stored state). The keys must be loaded.
    ///
    /// - Returns: as `receiveNext`.
    package mutating func receiveKept(
        _ symbols: inout MutableSpan<UInt8>, at now: Int64?, skipped: inout SkippedKeys,
        _ cipher: inout Cipher
    ) -> Received? {
        skipped.trim(at: now)
        for index in skipped.unwritten.indices
        where skipped.unwritten[index].key.decrypt(&symbols, &cipher) {
            Self.blankNextKey(&symbols)
            return Received(
                key: skipped.spend(unwrittenAt: index), coming: ReceivedInfo(arrival: .again))
        }
        for index in skipped.kept.indices.reversed()
        where skipped.kept[index].key.decrypt(&symbols, &cipher) {
            let (key, filled) = skipped.spend(keptAt: index, for: symbols.span, &cipher)
            Self.blankNextKey(&symbols)
            return Received(key: key, coming: ReceivedInfo(arrival: .late, filled: filled))
        }
        return nil
    }

    /// Tries to decrypt a message with the retired chains, newest first (smsenc-protocol(7), Receiving, step
    /// 2). They must be loaded.
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
                        ahead.skippedCount, of: retired.chain, before: symbols.span, at: now,
                        &cipher)
                    retired.move(to: ahead.chain)
                    Self.blankNextKey(&symbols)
                    return Received(
                        key: key, coming: ReceivedInfo(arrival: .late, missing: missing))
                }
            }
        }
        return nil
    }

    /// Moves the receiving chain past the key that matched, stores the skipped keys, and learns the next key
    /// in the frame.
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
            key: key, coming: ReceivedInfo(missing: missing, provesReading: provesReading))
    }

    private mutating func learn(from symbols: Span<UInt8>) {
        if learned?.holds(symbols) == true { return }
        learned = NextKey(stored: SecretBytes(copying: symbols))
        isPending = true
    }

    /// Overwrites the next key of a frame with spaces. Next keys never leave smsenc-pad (smsenc-protocol(7),
    /// Frames).
    static func blankNextKey(_ frame: inout MutableSpan<UInt8>) {
        for index in Frame.nextKey { frame[index] = Alphabet.space }
    }
}

/// A search for a message key, ahead in a copy of a chain.
private struct Search: ~Copyable {
    var chain: ChainKey
    /// Number of keys that did not match.
    var skippedCount = 0

    init(_ chain: consuming ChainKey) { self.chain = chain }

    /// Tries the next key. A key that does not match counts as skipped.
    mutating func step(
        _ symbols: inout MutableSpan<UInt8>, _ cipher: inout Cipher
    ) -> SpentKey? {
        let key = chain.step(&cipher)
        if key.decrypt(&symbols, &cipher) { return SpentKey(key) }
        skippedCount += 1
        return nil
    }
}
