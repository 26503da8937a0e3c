internal import Crypto
internal import Protocol

/// A link that an exchange has open, with what the exchange has done to it so far.
final class OpenLink {
    let link: Link
    /// Message keys taken from the sending chain, those thrown away included.
    private(set) var keysTaken = 0
    /// The sending chain after the mixing of the next key, before the first key was taken; nil before.
    private var chainAtStart: ChainKey?
    /// Message keys that may be in flight to this contact; nil until first needed.
    var room: Int?

    /// Keys that were passed over: those of this exchange, and the stored ones once they are loaded.
    var skipped: SkippedKeys
    /// The stored rows that were loaded; nil before.
    var loaded: SkippedKeyRows.Numbers?
    /// Keys of the messages that were deciphered, in their order.
    private(set) var spent: [SpentKey] = []
    /// The number of their row in `unwritten`, once it is there.
    var spentNumber: Int64?
    /// True where there is something to be saved.
    var isChanged = false

    init(_ link: Link) {
        self.link = link
        skipped = SkippedKeys(nextNumber: link.skipped.nextNumber)
    }

    /// Enciphers a frame; false when all keys that there was room for were thrown away.
    ///
    /// - Precondition: there is a conversation, and room.
    func send(
        _ symbols: inout MutableSpan<UInt8>, room: Int, at now: Int64, _ cipher: inout Cipher
    ) throws(KeyringError) -> Bool {
        if keysTaken == 0 {
            // Before the first key: what is taken back goes back to here, and the mixing stays.
            link.conversation?.mixPending(&cipher)
            chainAtStart = link.conversation?.sending.chain.fork()
        }
        let limit = room - keysTaken
        let sent = try cryptography { () throws(CryptoError) in
            try link.conversation?.send(&symbols, limit: limit, &cipher)
        }
        guard let sent else { return false }
        isChanged = true
        keysTaken += sent.keys
        guard sent.isWritten else { return false }
        link.counts.sent += 1
        link.counts.unanswered &+= 1
        link.counts.lastUse = now
        return true
    }

    /// The sending chain after the first `keys` keys that this exchange took.
    func chain(after keys: Int, _ cipher: inout Cipher) -> ChainKey? {
        switch chainAtStart {
        case .none: return nil
        case .some(let start):
            var chain = start.fork()
            chain.skip(keys, &cipher)
            return chain
        }
    }

    /// Deciphers a ciphertext, trying its keys in the order that finds most messages soonest: those that
    /// come next, those that were passed over, those far ahead, and those of chains long replaced.
    ///
    /// - Parameter load: loads what is stored of `skipped`.
    /// - Returns: nil where no key fits.
    func receive(
        _ symbols: inout MutableSpan<UInt8>, window: Int, at now: Int64, _ cipher: inout Cipher,
        load: (OpenLink) throws(KeyringError) -> Void
    ) throws(KeyringError) -> Exchange.Arrival? {
        if try take(next(&symbols, Conversation.nearWindow, now, &cipher)) {
            return count(.inOrder, at: now)
        }
        try load(self)
        let crashed = skipped.unwritten.count
        let kept = try cryptography { () throws(CryptoError) in
            try link.conversation?.receiveKept(&symbols, skipped: &skipped, &cipher)
        }
        if take(kept) {
            return count(skipped.unwritten.count < crashed ? .again : .late, at: now)
        }
        if try take(next(&symbols, window, now, &cipher)) { return count(.inOrder, at: now) }
        let retired = try cryptography { () throws(CryptoError) in
            try link.conversation?.receiveRetired(
                &symbols, at: now, skipped: &skipped, &cipher)
        }
        return take(retired) ? count(.late, at: now) : nil
    }

    private func next(
        _ symbols: inout MutableSpan<UInt8>, _ window: Int, _ now: Int64, _ cipher: inout Cipher
    ) throws(KeyringError) -> SpentKey? {
        try cryptography { () throws(CryptoError) in
            try link.conversation?.receiveNext(
                &symbols, window: window, at: now, skipped: &skipped, &cipher)
        }
    }

    /// Keeps the key of a message until that is written; false where there is none.
    private func take(_ key: SpentKey?) -> Bool {
        guard let key else { return false }
        spent.append(key)
        return true
    }

    private func count(_ arrival: Exchange.Arrival, at now: Int64) -> Exchange.Arrival {
        link.counts.received += 1
        link.counts.unanswered = 0
        link.counts.lastUse = now
        isChanged = true
        return arrival
    }
}
