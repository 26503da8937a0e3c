internal import Crypto

internal import FrameLayout
internal import GSM7

/// How a decrypted message arrived, and what it reveals about other messages.
package struct ReceivedInfo: Sendable {
    /// Whether a message arrived in order, late or again.
    package enum Arrival: Sendable {
        case inOrder
        /// The message was decrypted after a message that the contact sent later.
        case late
        /// An earlier process decrypted the message, but may have died before it wrote the message.
        case again
        /// The message was decrypted before, and the user asked to decrypt it again.
        case reread
    }

    package var arrival = Arrival.inOrder
    /// Number of messages that are now known to be missing. The contact sent them before this message, but
    /// they have not arrived.
    package var missing = 0
    /// Positions of the newest of these missing messages (at most three).
    package var newestMissing: [KeyPosition] = []
    /// Positions whose messages are no longer considered missing. They include the position of this message.
    /// They also include positions of keys that the sender most likely discarded when it encrypted this
    /// message.
    package var found: [KeyPosition] = []
    /// True if the contact mixed in the user's next key before sending this message. This proves that the
    /// contact has read a message from the user.
    package var provesReading = false
    /// False if the message contained only a receipt.
    package var hasText = true
    /// True if the last receipt that was sent to the contact listed the message as not read.
    package var wasInReceipt = false
    /// Position of the chain before it was advanced for this message. If keys were skipped, the first of them
    /// has this position. Nil if no chain was advanced.
    package var start: KeyPosition?

    package init(
        arrival: Arrival = .inOrder, missing: (count: Int, newest: [KeyPosition]) = (0, []),
        found: [KeyPosition] = [], wasInReceipt: Bool = false,
        provesReading: Bool = false, start: KeyPosition? = nil
    ) {
        self.arrival = arrival
        (self.missing, newestMissing) = missing
        self.found = found
        self.wasInReceipt = wasInReceipt
        self.provesReading = provesReading
        self.start = start
    }
}

/// A decrypted message. Its key must be stored until the message has been written.
package typealias Received = (key: SpentKey, info: ReceivedInfo)

extension Conversation {
    /// Number of message keys of the receiving chain that are tried, beginning with the next key.
    package static let window = 128
    /// Number of message keys of the receiving chain that are tried with `--far`. This option helps if many
    /// messages were lost.
    package static let farWindow = 4096
    /// Number of message keys of each retired chain that are tried, beginning with the next key.
    static let retiredWindow = 16

    /// Number of message keys of the receiving chain that are tried before the skipped message keys. A few
    /// keys are enough, because most messages arrive in order.
    package static let nearWindow = 4

    /// Tries to decrypt a message with the next message keys (smsenc-protocol(7), Receiving, step 1).
    ///
    /// Tries the keys of two chains in turn. The first is the receiving chain. The second is the chain that
    /// the contact uses after mixing in the user's next key.
    ///
    /// If a key matches, the ciphertext is replaced with the frame, in which spaces replace the next key. If
    /// no key matches, the function returns nil and nothing changes. Both rules also apply to `receiveAgain`,
    /// `receiveSkipped` and `receiveRetired`. These four functions may be called in any order.
    ///
    /// - Parameters:
    ///   - symbols: a ciphertext of 160 symbols.
    ///   - window: number of message keys to try in each chain.
    package mutating func receiveNext(
        _ symbols: inout MutableSpan<UInt8>, window: Int, past: inout ConversationPast,
        _ cipher: inout Cipher
    ) -> Received? {
        if ahead?.start != receiving.chain.position { ahead = KeySearch(receiving.chain.fork()) }
        for index in 0..<window {
            if let key = ahead?.tryKey(index, &symbols, &cipher), let search = ahead.take() {
                return accept(key, search, &past, &symbols, &cipher)
            }
            // Mixing takes as long as trying several keys, so try the most likely key first.
            if index == 0, mixed == nil,
                let direction = ownNext?.mixed(into: receiving, &cipher)
            {
                mixed = MixedDirection(direction)
            }
            if let key = mixed?.search.tryKey(index, &symbols, &cipher),
                let found = mixed.take()
            {
                past.retire(receiving.chain.fork())
                receiving = found.direction
                ownNext = nil
                return accept(key, found.search, provesReading: true, &past, &symbols, &cipher)
            }
        }
        return nil
    }

    /// Tries to decrypt a message with the keys of messages that may not have been written
    /// (smsenc-protocol(7), Stored state). `past` must contain the stored entries.
    ///
    /// - Returns: the same as `receiveNext`.
    package mutating func receiveAgain(
        _ symbols: inout MutableSpan<UInt8>, past: inout ConversationPast, _ cipher: inout Cipher
    ) -> Received? {
        for index in 0..<past.again.count
        where past.again.decrypt(&symbols, withKeyAt: index, &cipher) {
            Self.blankNextKey(&symbols)
            let spent = past.spend(againAt: index)
            return (spent.key, ReceivedInfo(arrival: .again, wasInReceipt: spent.wasInReceipt))
        }
        return nil
    }

    /// Tries to decrypt a message with the skipped message keys, newest first (smsenc-protocol(7), Receiving,
    /// step 3). `past` must contain the stored entries.
    ///
    /// - Returns: the same as `receiveNext`.
    package mutating func receiveSkipped(
        _ symbols: inout MutableSpan<UInt8>, past: inout ConversationPast, _ cipher: inout Cipher
    ) -> Received? {
        for index in (0..<past.skipped.count).reversed()
        where past.skipped.decrypt(&symbols, withKeyAt: index, &cipher) {
            let spent = past.spend(skippedAt: index, for: symbols.span, &cipher)
            Self.blankNextKey(&symbols)
            return (
                spent.key,
                ReceivedInfo(
                    arrival: .late, found: spent.found, wasInReceipt: spent.wasInReceipt)
            )
        }
        return nil
    }

    /// Tries to decrypt a message with the retired chains, newest first (smsenc-protocol(7), Receiving, step
    /// 2). `past` must contain the stored entries.
    ///
    /// - Returns: the same as `receiveNext`.
    package mutating func receiveRetired(
        _ symbols: inout MutableSpan<UInt8>, past: inout ConversationPast, _ cipher: inout Cipher
    ) -> Received? {
        for retired in past.retired.reversed() {
            for index in 0..<Self.retiredWindow {
                guard let key = retired.search.tryKey(index, &symbols, &cipher) else { continue }
                let start = retired.chain.position
                let missing = past.skip(
                    before: key, in: retired.search, for: symbols.span, &cipher)
                past.advance(retired, past: key)
                Self.blankNextKey(&symbols)
                return (key, ReceivedInfo(arrival: .late, missing: missing, start: start))
            }
        }
        return nil
    }

    /// Advances the receiving chain past the key that matched. Stores the skipped keys, and the next key from
    /// the frame.
    private mutating func accept(
        _ key: SpentKey, _ search: consuming KeySearch, provesReading: Bool = false,
        _ past: inout ConversationPast, _ frame: inout MutableSpan<UInt8>, _ cipher: inout Cipher
    ) -> Received {
        let start = receiving.chain.position
        let missing = past.skip(before: key, in: search, for: frame.span, &cipher)
        receiving.chain = search.advance(past: key)
        ahead = consume search
        learn(from: frame.span.extracting(Frame.nextKey))
        Self.blankNextKey(&frame)
        return (
            key, ReceivedInfo(missing: missing, provesReading: provesReading, start: start)
        )
    }

    private mutating func learn(from symbols: Span<UInt8>) {
        if contactNext?.holds(symbols) == true { return }
        contactNext = NextKey(stored: SecretBytes(copying: symbols))
        isPending = true
    }

    /// Overwrites the next key of a frame with spaces, because smsenc-pad never outputs next keys
    /// (smsenc-protocol(7), Frames).
    static func blankNextKey(_ frame: inout MutableSpan<UInt8>) {
        for index in Frame.nextKey { frame[index] = Alphabet.space }
    }
}
