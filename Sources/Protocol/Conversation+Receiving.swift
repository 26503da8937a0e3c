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
    /// Positions of messages that are now known to be missing. The contact sent the missing messages before
    /// the decrypted message, but they have not arrived.
    package var missing: [KeyPosition] = []
    /// Positions whose messages are no longer considered missing, including the position of the decrypted
    /// message. Positions of keys are also included if the sender most likely discarded these keys when it
    /// encrypted the message.
    package var found: [KeyPosition] = []
    /// True if the contact mixed in the user's next key before sending this message, which proves that the
    /// contact has read a message from the user.
    package var provesReading = false
    /// True if the message contains text, and false if it contains only a receipt.
    package var hasText = true
    /// True if the user's last receipt to the contact listed this message as not read.
    package var wasInReceipt = false

    package init(arrival: Arrival = .inOrder, wasInReceipt: Bool = false) {
        (self.arrival, self.wasInReceipt) = (arrival, wasInReceipt)
    }
}

/// A decrypted message. The key of a decrypted message must be stored until the message has been written.
package typealias Received = (key: SpentKey, info: ReceivedInfo)

extension Conversation {
    /// Number of message keys of the receiving chain that are tried, beginning with the next key.
    package static let window = 128
    /// Number of message keys of the receiving chain that are tried with `--far`. The option `--far` helps if
    /// many messages were lost.
    package static let farWindow = 4096
    /// Number of message keys of each retired chain that are tried, beginning with the next key.
    static let retiredWindow = 16

    /// Number of message keys of the receiving chain that are tried before the skipped message keys. A few
    /// keys are enough, because most messages arrive in order.
    package static let nearWindow = 4

    /// Tries to decrypt a message with the next message keys (smsenc-protocol(7), Receiving, step 1).
    ///
    /// Alternates between the keys of the receiving chain and the keys of the chain that the contact uses
    /// after mixing in the user's next key.
    ///
    /// If a key matches, the ciphertext is replaced with the frame, in which spaces replace the next key. If
    /// no key matches, the function returns nil and nothing changes. The functions `receiveAgain`,
    /// `receiveSkipped` and `receiveRetired` of `ConversationPast` treat the ciphertext in the same way as
    /// `receiveNext`. All four `receive` functions may be called in any order.
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
            if let key = ahead?.open(index, &symbols, &cipher) {
                return accept(key, &past, &symbols, &cipher)
            }
            // Mixing takes as long as trying several keys, so try the most likely key first.
            if index == 0, mixed == nil,
                let direction = ownNext?.mixed(into: receiving, &cipher)
            {
                beyond = KeySearch(direction.chain.fork())
                mixed = consume direction
            }
            if let key = beyond?.open(index, &symbols, &cipher), let direction = mixed.take() {
                past.retire(receiving.chain.fork())
                receiving = consume direction
                ownNext = nil
                ahead = beyond.take()
                return accept(key, provesReading: true, &past, &symbols, &cipher)
            }
        }
        // A far search derives too many keys to store them.
        if window > Self.window {
            ahead = nil
            mixed = nil
            beyond = nil
        }
        return nil
    }

    /// Advances the receiving chain past a key that matched. Stores the skipped keys, and the next key from
    /// the frame.
    private mutating func accept(
        _ key: SpentKey, provesReading: Bool = false,
        _ past: inout ConversationPast, _ frame: inout MutableSpan<UInt8>, _ cipher: inout Cipher
    ) -> Received {
        var info = ReceivedInfo()
        info.provesReading = provesReading
        let skipped = ahead?.skipped(before: key) ?? []
        info.missing = past.skip(skipped, before: key.position, for: frame.span, &cipher)
        if let chain = ahead?.advance(past: key) { receiving.chain = chain }
        let next = SecretBytes(copying: frame.span.extracting(Frame.nextKey))
        if next.withSpan({ contactNext?.symbols.holds($0) }) != true {
            contactNext = NextKey(stored: next)
            isPending = true
        }
        Self.blankNextKey(&frame)
        return (key, info)
    }

    /// Overwrites the next key of a frame with spaces, because smsenc-pad never outputs next keys
    /// (smsenc-protocol(7), Frames).
    static func blankNextKey(_ frame: inout MutableSpan<UInt8>) {
        for index in Frame.nextKey { frame[index] = Alphabet.space }
    }
}
