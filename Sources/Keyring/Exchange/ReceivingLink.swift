internal import Protocol

/// A link with what was read of it so far.
final class ReceivingLink: OpenLink {
    let link: Link
    /// Keys that were passed over: those of this exchange, and the stored ones once they are loaded.
    var skipped: SkippedKeys
    /// The keys of messages that came late, or again after a crash, with the count of messages received.
    var outOfOrder: [(received: UInt64, key: SpentKey)] = []

    init(_ link: Link) {
        self.link = link
        skipped = link.skipped.keys
    }

    /// Tries the keys in the order that finds most messages soonest: those that come next, those that were passed
    /// over, those far ahead, and those of chains long replaced.
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
