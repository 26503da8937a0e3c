internal import Protocol

/// A contact's state, with the messages decrypted in this batch.
final class ReceivingLink: OpenLink {
    let link: ContactState
    /// Keys skipped in this batch, and the stored ones once they are loaded.
    var skipped: SkippedKeys
    /// The keys of messages that arrived late, or again after a crash, with the count of messages received.
    var outOfOrder: [(received: UInt64, key: SpentKey)] = []

    /// True if the last message was decrypted with a skipped key.
    private var lastWasLate = false

    init(_ link: ContactState) {
        self.link = link
        skipped = link.skipped.keys
    }

    /// Tries keys in the order that most likely finds the message soonest. That order is the next few keys,
    /// skipped keys, keys farther ahead, and those of retired chains. After a message that arrived late,
    /// skipped keys come first, because messages that lost their order are mostly late.
    func receive(
        _ symbols: inout MutableSpan<UInt8>, window: Int, at now: Int64?,
        in store: KeyringStore, _ cipher: inout Cipher
    ) throws(KeyringError) -> Received? {
        if !lastWasLate, let found = next(&symbols, Conversation.nearWindow, now, &cipher) {
            return found
        }
        try store.load(&skipped, of: link)
        if let found = link.conversation?.receiveKept(&symbols, at: now, skipped: &skipped, &cipher)
        {
            lastWasLate = true
            return found
        }
        return next(&symbols, window, now, &cipher)
            ?? link.conversation?.receiveRetired(&symbols, at: now, skipped: &skipped, &cipher)
    }

    private func next(
        _ symbols: inout MutableSpan<UInt8>, _ window: Int, _ now: Int64?, _ cipher: inout Cipher
    ) -> Received? {
        let found = link.conversation?.receiveNext(
            &symbols, window: window, at: now, skipped: &skipped, &cipher)
        if found != nil { lastWasLate = false }
        return found
    }
}
