internal import Protocol
internal import System

/// Messages on their way in that share one commit (smsenc(7), State on disk). It goes one way:
///
///     pass      messages are deciphered, within a transaction; dropped, nothing has happened
///     commit    the state is durable, and the keys of the messages stand in a list of their own
///     finish    the keys of those that are written leave the list
///
/// Records are handed in in their own order, until one is `full`: searching, or memory, has come to its
/// limit, and it is time to commit.
package struct Receiving: ~Copyable {
    /// Pads made while others wait for this commit: a tenth of a second.
    private static let mostPads = 200_000
    /// Keys of messages passed over that are in memory: 150 bytes each.
    private static let mostSkipped = 16_384

    private let transaction: Transaction
    private var now: Int64? { transaction.now }
    /// Message keys searched ahead.
    private let window: Int
    private var cipher = Cipher()
    private var links = Links<ReceivingLink>()
    /// Whose the messages are, and their keys, until they are written.
    private var messages: [(contact: Int64, key: SpentKey)] = []
    /// Keys of messages passed over that are in memory.
    private var skippedCount = 0

    /// Begins to decipher. Others wait for the commit, so nothing may wait within.
    ///
    /// - Parameter window: message keys searched ahead.
    /// - Throws: `moved` or `behind` for a copied keyring; `busy`.
    package init(
        with keyring: Keyring, searching window: Int = Conversation.window
    ) throws(KeyringError) {
        transaction = try Transaction(keyring, for: .change)
        self.window = window
    }

    /// Deciphers a ciphertext of a contact.
    ///
    /// - Parameter symbols: 160, a ciphertext; a frame afterwards, where it was read.
    /// - Throws: `damaged`, `failed` and their like; then nothing of this exchange stands.
    package mutating func pass(
        _ symbols: inout MutableSpan<UInt8>, of contact: Int64
    ) throws(KeyringError) -> Passed {
        guard links.hasRoom(for: contact), cipher.pads < Self.mostPads,
            skippedCount < Self.mostSkipped
        else { return .not(.full) }
        guard let open = try links.open(contact, in: transaction) else { return .not(.gone) }
        guard open.link.hasConversation else { return .not(.notReady(Standing(open.link))) }
        let tag = open.link.ring.readMessageHash.tag(of: symbols.span)
        let before = open.skipped.kept.count
        let firstNumber = open.skipped.nextNumber
        defer { skippedCount += open.skipped.kept.count - before }
        let found = try open.receive(&symbols, window: window, at: now, in: transaction, &cipher)
        guard let read = found else {
            return .not(open.link.readMessages.contains(tag) ? .readBefore : .noKey)
        }
        open.link.readMessages.insert(tag)
        messages.append((contact, read.key))
        open.link.received += 1
        if read.coming.arrival != .inOrder {
            open.outOfOrder.append((open.link.received, read.key))
        }
        open.link.lastUse = transaction.timeOfUse
        open.link.lastHeard = transaction.timeOfUse
        var coming = read.coming
        coming.firstNumber = firstNumber
        if coming.provesReading { open.link.unconfirmed = 0 }
        return .done(Standing(open.link), coming)
    }

    /// Makes everything durable and notes the count outside.
    ///
    /// - Throws: `full`, `failed`, `noNote` and their like; no message is out then.
    package mutating func commit() throws(KeyringError) {
        guard !messages.isEmpty else { return transaction.end() }
        let read = Set(messages.map { $0.contact })
        var again: Set<Int64> = []
        for (contact, open) in links.all where read.contains(contact) {
            try transaction.save(&open.skipped, of: open.link, at: now)
            try transaction.keep(open.skipped.opened, open.outOfOrder, of: open.link)
            try transaction.put(open.link)
            again.formUnion(open.skipped.goneUnwritten)
        }
        try transaction.dropUnwritten(again)
        try transaction.putUnwritten(messages)
        try transaction.commit()
    }

    /// Ends the exchange: what is written is no longer to be read again.
    ///
    /// - Parameter count: messages, in their order, that are certainly out; nil for all.
    /// - Throws: `full`, `failed` and their like. The output is not affected.
    package consuming func finish(out count: Int? = nil) throws(KeyringError) {
        guard transaction.isDurable else { return }
        let commit = transaction.ledger.commits
        try transaction.keyring.commit(for: .tidying) { (transaction) throws(KeyringError) in
            try transaction.dropUnwritten(since: commit, count)
        }
    }
}
