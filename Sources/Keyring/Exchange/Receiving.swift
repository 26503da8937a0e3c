internal import Protocol
internal import System

/// A batch of received messages that share one commit (smsenc-protocol(7), Stored state). The steps are:
///
///     decrypt   decrypts a message within a transaction; if the transaction is dropped, nothing has happened
///     commit    makes the new state durable, and stores the message keys until the messages are written
///     finish    removes the stored keys of the messages that were written
///
/// Messages must be decrypted in the order of their records. If the result is `batchFull`, the batch has
/// reached a limit on CPU time or memory and must be committed.
package struct Receiving: ~Copyable {
    /// Maximum number of pads generated in a batch. Generating this number takes a tenth of a second, and
    /// other processes may have to wait that long.
    private static let maximumPads = 200_000
    /// Maximum number of skipped keys in memory. Each key takes 150 bytes.
    private static let maximumSkippedKeysInMemory = 16_384

    private let store: KeyringStore
    private let contacts: ContactStore
    private var transaction: WriteTransaction?
    /// True if the batch was committed and at least one message was decrypted.
    private var isCommitted = false
    private var now: Int64? { store.now }
    /// Number of message keys to try ahead in the receiving chain.
    private let window: Int
    private var cipher = Cipher()
    private var states = OpenContactStates<ReceivingState>()
    /// Contacts and keys of the decrypted messages. The keys remain stored until the messages have been
    /// written.
    private var messages: [(contact: Int64, key: SpentKey)] = []
    /// Number of skipped keys in memory.
    private var skippedCount = 0

    /// Begins a batch. The caller must not wait for anything during a batch, because other processes wait for
    /// the commit.
    ///
    /// - Parameter window: number of message keys to try ahead in the receiving chain.
    /// - Throws: `busy`, or `moved` or `behind` for a keyring that was copied or restored.
    package init(
        with keyring: Keyring, searching window: Int = Conversation.window
    ) throws(KeyringError) {
        let begun = try WriteTransaction(keyring)
        store = begun.store
        contacts = store.contacts
        transaction = consume begun
        self.window = window
    }

    /// Decrypts a message from a contact.
    ///
    /// - Parameter symbols: a ciphertext of 160 symbols, which becomes a frame if the message is decrypted.
    /// - Throws: `damaged`, `failed` and similar errors. The whole batch is then undone.
    package mutating func decrypt(
        _ symbols: inout MutableSpan<UInt8>, of contact: Int64
    ) throws(KeyringError) -> ExchangeResult {
        guard states.hasRoom(for: contact), cipher.pads < Self.maximumPads,
            skippedCount < Self.maximumSkippedKeysInMemory
        else { return .not(.batchFull) }
        guard let open = try states.open(contact, in: contacts) else { return .not(.gone) }
        guard open.state.hasConversation else { return .not(.notReady(ContactSummary(open.state))) }
        let tag = open.state.ring.readMessageHash.tag(of: symbols.span)
        let before = open.skipped.kept.count
        let firstNumber = open.skipped.nextNumber
        defer { skippedCount += open.skipped.kept.count - before }
        let found = try open.decrypt(
            &symbols, window: window, at: now, in: contacts, &cipher)
        guard let read = found else {
            return .not(open.state.readMessages.contains(tag) ? .readBefore : .noKey)
        }
        open.state.readMessages.insert(tag)
        messages.append((contact, read.key))
        open.state.received += 1
        if read.info.arrival != .inOrder {
            open.outOfOrder.append(read.key)
        }
        open.state.lastUse = store.displayedTime
        open.state.lastHeard = store.displayedTime
        var info = read.info
        info.firstNumber = firstNumber
        if info.provesReading { open.state.unconfirmed = 0 }
        return .done(ContactSummary(open.state), info)
    }

    /// Commits the batch. When this function returns, the commit is durable and its count is in the rollback
    /// note.
    ///
    /// - Throws: `diskFull`, `failed`, `noNote` and similar errors. The messages must then not be written.
    package mutating func commit() throws(KeyringError) {
        guard !messages.isEmpty else { return transaction = nil }
        let read = Set(messages.map { $0.contact })
        var again: Set<Int64> = []
        for (contact, open) in states.all where read.contains(contact) {
            try contacts.save(&open.skipped, of: open.state, at: now)
            try store.reread.save(open.skipped.opened, open.outOfOrder, of: open.state)
            try contacts.save(open.state)
            again.formUnion(open.skipped.goneUnwritten)
        }
        try store.transit.deleteUnwritten(again)
        try store.transit.saveUnwritten(messages)
        isCommitted = try transaction.take()?.commit() ?? false
    }

    /// Removes the stored keys of messages that were written.
    ///
    /// - Parameter count: number of messages, from the first, that are certainly written, or nil for all.
    /// - Throws: `diskFull`, `failed` and similar errors. The output is not affected.
    package consuming func finish(written count: Int? = nil) throws(KeyringError) {
        guard isCommitted else { return }
        let commit = store.header.commits
        try store.keyring.change(.cleanup) { (store) throws(KeyringError) in
            try store.transit.deleteUnwritten(since: commit, count)
        }
    }
}

/// A contact's state, with the changes made by the messages that were decrypted in this batch.
final class ReceivingState: OpenState {
    let state: ContactState
    /// Keys skipped in this batch, and the stored skipped keys once they are loaded.
    var skipped: SkippedKeys
    /// The keys of messages that arrived late, or again after a crash.
    var outOfOrder: [SpentKey] = []
    /// True if the last message was decrypted with a skipped key.
    private var lastWasLate = false

    init(_ state: ContactState) {
        self.state = state
        skipped = state.skipped.unloaded
    }

    /// Decrypts a message, and tries the keys in the order in which they are most likely to match: the next
    /// few keys, skipped keys, keys farther ahead, and keys of retired chains. After a late message, the
    /// skipped keys are tried first, because messages that arrive out of order are usually late.
    func decrypt(
        _ symbols: inout MutableSpan<UInt8>, window: Int, at now: Int64?,
        in contacts: ContactStore, _ cipher: inout Cipher
    ) throws(KeyringError) -> Received? {
        if !lastWasLate,
            let found = decryptNext(&symbols, Conversation.nearWindow, now, &cipher)
        {
            return found
        }
        try contacts.load(&skipped, of: state)
        let late = state.conversation?
            .receiveSkipped(&symbols, at: now, skipped: &skipped, &cipher)
        if let late {
            lastWasLate = true
            return late
        }
        return decryptNext(&symbols, window, now, &cipher)
            ?? state.conversation?.receiveRetired(&symbols, at: now, skipped: &skipped, &cipher)
    }

    private func decryptNext(
        _ symbols: inout MutableSpan<UInt8>, _ window: Int, _ now: Int64?, _ cipher: inout Cipher
    ) -> Received? {
        let found = state.conversation?.receiveNext(
            &symbols, window: window, at: now, skipped: &skipped, &cipher)
        if found != nil { lastWasLate = false }
        return found
    }
}
