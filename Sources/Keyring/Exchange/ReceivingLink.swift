internal import Protocol

/// A contact's state, with the messages decrypted in this batch.
final class ReceivingLink: OpenLink {
    let link: ContactState
    /// Keys skipped in this batch, and the stored ones once they are loaded.
    var skipped: SkippedKeys
    /// The keys of messages that arrived late, or again after a crash, with the count of messages received.
    var outOfOrder: [(received: UInt64, key: SpentKey)] = []

    init(_ link: ContactState) {
        self.link = link
        skipped = link.skipped.keys
    }

    /// Tries keys in the order that finds most messages soonest: the next few keys, skipped keys, keys
    /// farther ahead, and those of retired chains.
    func receive(
        _ symbols: inout MutableSpan<UInt8>, window: Int, at now: Int64?,
        in transaction: Transaction, _ cipher: inout Cipher
    ) throws(KeyringError) -> Received? {
        let near = link.conversation?.receiveNext(
            &symbols, window: Conversation.nearWindow, at: now, skipped: &skipped, &cipher)
        if let near { return near }
        try transaction.load(&skipped, of: link)
        let found =
            link.conversation?.receiveKept(&symbols, at: now, skipped: &skipped, &cipher)
            ?? link.conversation?.receiveNext(
                &symbols, window: window, at: now, skipped: &skipped, &cipher)
        return found
            ?? link.conversation?.receiveRetired(&symbols, at: now, skipped: &skipped, &cipher)
    }
}
