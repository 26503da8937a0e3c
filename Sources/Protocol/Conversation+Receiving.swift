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
    /// Positions of the last three of them.
    package var newestMissing: [KeyPosition] = []
    /// Positions of skipped message keys that no longer count as missing. These are the key of this message,
    /// and keys that the sender most likely discarded when it encrypted this message.
    package var found: [KeyPosition] = []
    /// True if the sender had already mixed in your own next key. This proves that the sender has read a
    /// message that contains the next key.
    package var provesReading = false
    /// False if the message contained only a receipt.
    package var hasText = true
    /// If this message moved its chain, the position of this chain before the message, at which the skipped
    /// message keys begin.
    package var start: KeyPosition?

    package init(
        arrival: ReceiveOutcome = .inOrder, missing: (count: Int, newest: [KeyPosition]) = (0, []),
        found: [KeyPosition] = [],
        provesReading: Bool = false, start: KeyPosition? = nil
    ) {
        self.arrival = arrival
        (self.missing, newestMissing) = missing
        self.found = found
        self.provesReading = provesReading
        self.start = start
    }
}

/// The result of decrypting a message.
package struct Received {
    /// The message key, which must be stored until the message has been written.
    package let key: SpentKey
    package var info: ReceivedInfo
    /// True if the last receipt said that the message was not read.
    package var wasInReceipt = false
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
    /// key matches, the function returns nil and nothing changes. The same is true for `receiveAgain`,
    /// `receiveSkipped` and `receiveRetired`. The functions may be called in any order.
    ///
    /// - Parameters:
    ///   - symbols: a ciphertext of 160 symbols.
    ///   - window: number of message keys tried in each chain.
    package mutating func receiveNext(
        _ symbols: inout MutableSpan<UInt8>, window: Int, past: inout ConversationPast,
        _ cipher: inout Cipher
    ) -> Received? {
        var ahead = Search(receiving.chain.fork())
        var mixed: Direction?
        var beyond: Search?
        for index in 0..<window {
            if let key = ahead.step(&symbols, &cipher) {
                return accept(key, ahead, &past, &symbols, &cipher)
            }
            // Mixing takes as long as trying several keys, so try the most likely key first.
            if index == 0, let direction = ownNext?.mixed(into: receiving, &cipher) {
                beyond = Search(direction.chain.fork())
                mixed = consume direction
            }
            if let key = beyond?.step(&symbols, &cipher), let direction = mixed.take(),
                let search = beyond.take()
            {
                past.retire(receiving.chain.fork())
                receiving = consume direction
                ownNext = nil
                return accept(key, search, provesReading: true, &past, &symbols, &cipher)
            }
        }
        return nil
    }

    /// Tries to decrypt a message with the keys that a process used before it died, perhaps before it had
    /// written the messages (smsenc-protocol(7), Stored state). The past must be loaded.
    ///
    /// - Returns: the same as `receiveNext`.
    package mutating func receiveAgain(
        _ symbols: inout MutableSpan<UInt8>, past: inout ConversationPast, _ cipher: inout Cipher
    ) -> Received? {
        for index in 0..<past.again.count
        where past.again.key(at: index).decrypt(&symbols, &cipher) {
            Self.blankNextKey(&symbols)
            let spent = past.spend(againAt: index)
            return Received(
                key: spent.key, info: ReceivedInfo(arrival: .again),
                wasInReceipt: spent.wasInReceipt)
        }
        return nil
    }

    /// Tries to decrypt a message with the skipped message keys, newest first (smsenc-protocol(7),
    /// Receiving, step 3). The past must be loaded.
    ///
    /// - Returns: the same as `receiveNext`.
    package mutating func receiveSkipped(
        _ symbols: inout MutableSpan<UInt8>, past: inout ConversationPast, _ cipher: inout Cipher
    ) -> Received? {
        for index in (0..<past.skipped.count).reversed()
        where past.skipped.key(at: index).decrypt(&symbols, &cipher) {
            let spent = past.spend(skippedAt: index, for: symbols.span, &cipher)
            Self.blankNextKey(&symbols)
            return Received(
                key: spent.key, info: ReceivedInfo(arrival: .late, found: spent.found),
                wasInReceipt: spent.wasInReceipt)
        }
        return nil
    }

    /// Tries to decrypt a message with the retired chains, newest first (smsenc-protocol(7), Receiving,
    /// step 2). The past must be loaded.
    ///
    /// - Returns: the same as `receiveNext`.
    package mutating func receiveRetired(
        _ symbols: inout MutableSpan<UInt8>, past: inout ConversationPast, _ cipher: inout Cipher
    ) -> Received? {
        for retired in past.retired.reversed() {
            var ahead = Search(retired.chain.fork())
            for _ in 0..<Self.retiredWindow {
                if let key = ahead.step(&symbols, &cipher) {
                    let start = retired.chain.position
                    let missing = past.skip(
                        ahead.skippedCount, of: retired.chain, before: symbols.span, &cipher)
                    past.move(retired, to: ahead.chain)
                    Self.blankNextKey(&symbols)
                    return Received(
                        key: key,
                        info: ReceivedInfo(arrival: .late, missing: missing, start: start))
                }
            }
        }
        return nil
    }

    /// Moves the receiving chain past the key that matched, stores the skipped keys, and stores the next
    /// key that the frame contains.
    private mutating func accept(
        _ key: SpentKey, _ search: consuming Search, provesReading: Bool = false,
        _ past: inout ConversationPast, _ frame: inout MutableSpan<UInt8>, _ cipher: inout Cipher
    ) -> Received {
        let start = receiving.chain.position
        let missing = past.skip(
            search.skippedCount, of: receiving.chain, before: frame.span, &cipher)
        receiving.chain = search.chain
        learn(from: frame.span.extracting(Frame.nextKey))
        Self.blankNextKey(&frame)
        return Received(
            key: key,
            info: ReceivedInfo(missing: missing, provesReading: provesReading, start: start))
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
    var chain: Chain
    /// Number of keys that did not match.
    var skippedCount = 0

    init(_ chain: consuming Chain) { self.chain = chain }

    /// Tries the next key. If the key does not match, it counts as skipped.
    mutating func step(
        _ symbols: inout MutableSpan<UInt8>, _ cipher: inout Cipher
    ) -> SpentKey? {
        let position = chain.position
        let key = chain.step(&cipher)
        if key.decrypt(&symbols, &cipher) { return SpentKey(key, at: position) }
        skippedCount += 1
        return nil
    }
}
