internal import Protocol
internal import System

/// A batch of received messages that share one commit (smsenc-protocol(7), Stored state). The steps are:
///
///     pass      decrypts a message within a transaction; if the transaction is dropped, nothing has happened
///     commit    makes the new state durable, and stores the message keys until the messages are written
///     finish    removes the stored keys of the messages that were written
///
/// Messages must be passed in the order of their records. If the result is `full`, the limit of searching or
/// memory is reached, and the batch must be committed.
package struct Receiving: ~Copyable {
    /// Maximum number of pads generated in a batch. They take a tenth of a second, for which other processes
    /// may have to wait.
    private static let maximumPads = 200_000
    /// Maximum number of skipped keys in memory. Each takes 150 bytes.
    private static let maximumSkippedKeysInMemory = 16_384

    private let store: KeyringStore
    private var transaction: WriteTransaction?
    /// True once the batch is committed and something was decrypted.
    private var isCommitted = false
    private var now: Int64? { store.now }
    /// Number of message keys tried ahead.
    private let window: Int
    private var cipher = Cipher()
    private var links = OpenContactStates<ReceivingLink>()
    /// Contacts and keys of the decrypted messages, to be stored until these are written.
    private var messages: [(contact: Int64, key: SpentKey)] = []
    /// Number of skipped keys in memory.
    private var skippedCount = 0

    /// Begins a batch. A batch must not wait for anything, because other processes wait for its commit.
    ///
    /// - Parameter window: number of message keys tried ahead.
    /// - Throws: `moved` or `behind` for a copied keyring; `busy`.
    package init(
        with keyring: Keyring, searching window: Int = Conversation.window
    ) throws(KeyringError) {
        let begun = try WriteTransaction.change(keyring)
        store = begun.store
        transaction = consume begun
        self.window = window
    }

    /// Decrypts a message from a contact.
    ///
    /// - Parameter symbols: a ciphertext of 160 symbols, which becomes a frame if the message is decrypted.
    /// - Throws: `damaged`, `failed` and similar. The whole batch is then undone.
    package mutating func pass(
        _ symbols: inout MutableSpan<UInt8>, of contact: Int64
    ) throws(KeyringError) -> ExchangeResult {
        guard links.hasRoom(for: contact), cipher.pads < Self.maximumPads,
            skippedCount < Self.maximumSkippedKeysInMemory
        else { return .not(.full) }
        guard let open = try links.open(contact, in: store) else { return .not(.gone) }
        guard open.link.hasConversation else { return .not(.notReady(ContactSummary(open.link))) }
        let tag = open.link.ring.readMessageHash.tag(of: symbols.span)
        let before = open.skipped.kept.count
        let firstNumber = open.skipped.nextNumber
        defer { skippedCount += open.skipped.kept.count - before }
        let found = try open.receive(&symbols, window: window, at: now, in: store, &cipher)
        guard let read = found else {
            return .not(open.link.readMessages.contains(tag) ? .readBefore : .noKey)
        }
        open.link.readMessages.insert(tag)
        messages.append((contact, read.key))
        open.link.received += 1
        if read.coming.arrival != .inOrder {
            open.outOfOrder.append((open.link.received, read.key))
        }
        open.link.lastUse = store.timeOfUse
        open.link.lastHeard = store.timeOfUse
        var coming = read.coming
        coming.firstNumber = firstNumber
        if coming.provesReading { open.link.unconfirmed = 0 }
        return .done(ContactSummary(open.link), coming)
    }

    /// Commits the batch. When this returns, the commit is durable and its count is in the rollback note.
    ///
    /// - Throws: `full`, `failed`, `noNote` and similar. No message may be written then.
    package mutating func commit() throws(KeyringError) {
        guard !messages.isEmpty else { return transaction = nil }
        let read = Set(messages.map { $0.contact })
        var again: Set<Int64> = []
        for (contact, open) in links.all where read.contains(contact) {
            try store.save(&open.skipped, of: open.link, at: now)
            try store.storeForRereading(open.skipped.opened, open.outOfOrder, of: open.link)
            try store.put(open.link)
            again.formUnion(open.skipped.goneUnwritten)
        }
        try store.dropUnwritten(again)
        try store.putUnwritten(messages)
        isCommitted = try transaction.take()?.commit() ?? false
    }

    /// Removes the stored keys of messages that were written.
    ///
    /// - Parameter count: number of messages, from the first, that are certainly written, or nil for all.
    /// - Throws: `full`, `failed` and similar. The output is not affected.
    package consuming func finish(out count: Int? = nil) throws(KeyringError) {
        guard isCommitted else { return }
        let commit = store.ledger.commits
        try store.keyring.cleanUp { (store) throws(KeyringError) in
            try store.dropUnwritten(since: commit, count)
        }
    }
}
