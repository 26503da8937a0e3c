internal import Protocol
internal import System

/// A batch of received messages that share one commit (smsenc-protocol(7), Stored state). The steps are:
///
///     decrypt   decrypts a message within a transaction; if the transaction is dropped, nothing changes
///     commit    makes the new state durable, and stores the message keys until the messages are written
///     finish    removes the stored keys of the messages that were written
///
/// Messages must be decrypted in the order of their input records. If the result is `batchFull`, the batch
/// has reached a limit on CPU time or memory and must be committed.
package struct Receiving: ~Copyable {
    /// Maximum number of pads generated in a batch. Generating these pads takes a tenth of a second, and
    /// other processes may have to wait for it.
    private static let maximumPads = 200_000
    /// Maximum number of a contact's messages in a commit. If this process dies, these messages must be
    /// decrypted again. Therefore, half of the keys that the contact's past can store are reserved for these
    /// messages. The other half of the keys is for messages that already wait to be decrypted again.
    /// Unwritten messages of other processes also need room for their keys, because these processes may die.
    private static let maximumUnwritten = ConversationPast.maximumKeysToReadAgain / 2

    private let store: KeyringStore
    private var transaction: WriteTransaction?
    /// True if the batch was committed and at least one message has to be written.
    private var isCommitted = false
    /// Number of message keys to try ahead in the receiving chain.
    private let window: Int
    private var cipher = Cipher()
    private var states = BatchStates<ReceivingState>()
    /// The places of the decrypted messages. The keys of these messages remain stored until the messages have
    /// been written.
    private var messages: [MessagePlace] = []
    /// For each contact, the number of messages that other processes have decrypted but not written yet.
    private let unwrittenElsewhere: [ContactID: Int]

    /// Begins a batch. The caller must not wait for anything during a batch, because other processes wait for
    /// the commit.
    ///
    /// - Parameter window: number of message keys to try ahead in the receiving chain.
    /// - Throws: `busy`, and `moved` or `behind` if the keyring was copied or restored.
    package init(
        with keyring: Keyring, searching window: Int = Conversation.window
    ) throws(KeyringError) {
        let begun = try WriteTransaction(keyring)
        unwrittenElsewhere = try begun.store.runs.unwrittenByOthers().mapValues { $0.count }
        store = begun.store
        transaction = consume begun
        self.window = window
    }

    /// Decrypts a message from a contact.
    ///
    /// - Parameters:
    ///   - symbols: a ciphertext of 160 symbols, which becomes a frame if the message is decrypted.
    ///   - read: returns what a decrypted frame contains, and takes the receipt out of the frame.
    /// - Throws: `damaged`, `failed` and similar errors. After an error, the whole batch is undone.
    package mutating func decrypt(
        _ symbols: inout MutableSpan<UInt8>, of contact: ContactID,
        reading read: (inout MutableSpan<UInt8>) -> FrameContent = { _ in FrameContent() }
    ) throws(KeyringError) -> ExchangeResult {
        guard states.hasRoom, cipher.pads < Self.maximumPads else { return .batchFull }
        guard let batchState = try states.state(of: contact, in: store.contacts) else {
            return .gone
        }
        let state = batchState.state
        guard batchState.received < Self.maximumUnwritten else { return .batchFull }
        guard let direction = state.receiving else { return .notReady(ContactSummary(state)) }
        let hash = state.ring.hash(ofMessage: symbols.span)
        defer { states.count(batchState) }
        let elsewhere = unwrittenElsewhere[contact] ?? 0
        let isFull =
            batchState.keysToReadAgain > Self.maximumUnwritten
            || batchState.keysToReadAgain + batchState.received + elsewhere
                >= ConversationPast.maximumKeysToReadAgain
        let found = try batchState.decrypt(
            &symbols, window: window, onlyAgain: isFull, in: store.contacts, &cipher, reading: read)
        guard let (message, content) = found else {
            if let hadText = state.readMessages.hasText(hash) {
                if hadText, state.getsReceipts { batchState.repeatReceipt(at: store.time) }
                return .readBefore
            }
            if isFull, elsewhere > 0 { return .batchFull }
            return isFull ? .readAgainFirst(batchState.keysToReadAgain) : .noKey
        }
        state.lastUse = store.time
        state.lastHeard = store.time
        if message.info.provesReading { state.unconfirmed = 0 }
        let position = Position(direction.name, message.key.position)
        guard !content.isFromNewerVersion else {
            return .newerVersion(ContactSummary(state), message.info, position)
        }
        state.readMessages.add(hash, hasText: content.hasText)
        messages.append(MessagePlace(direction: direction, position: message.key.position))
        state.received += 1
        if content.hasText {
            state.waiting.count(at: store.time, wasInReceipt: message.info.wasInReceipt)
        }
        // If a message is decrypted again, its receipt was already applied.
        if let receipt = content.receipt, message.info.arrival != .again {
            try batchState.learn(from: receipt, at: store.time, in: store.contacts)
        }
        return .done(ContactSummary(state), message.info, position)
    }

    /// Commits the batch. When this function returns, the commit is durable and its count is in the rollback
    /// note.
    ///
    /// - Throws: `diskFull`, `failed`, `noNote` and similar errors. After an error, the caller must not write
    ///   the messages.
    package mutating func commit() throws(KeyringError) {
        let changed = states.all.filter { $0.isChanged }
        guard !changed.isEmpty else { return transaction = nil }
        for batchState in changed { try batchState.save(in: store.contacts) }
        if !messages.isEmpty {
            try store.runs.add(
                changed.flatMap { $0.messagesInOrder }, changed.flatMap { $0.otherMessages })
        }
        try store.keepForRereading(changed)
        let isDurable = try transaction.take()?.commit() ?? false
        isCommitted = isDurable && !messages.isEmpty
    }

    /// Removes the stored keys of messages that were written.
    ///
    /// - Parameter count: number of messages at the beginning of the batch that are certainly written. If
    ///   `count` is nil, all messages of the batch are certainly written.
    /// - Throws: `diskFull`, `failed` and similar errors. The output is not affected.
    package consuming func finish(written count: Int? = nil) throws(KeyringError) {
        guard isCommitted else { return }
        let written = messages.prefix(count ?? messages.count)
        try store.keyring.change(.cleanup) { (store) throws(KeyringError) in
            try store.runs.delete(written)
        }
    }
}

/// The state of a contact after the messages of this batch that were decrypted so far.
final class ReceivingState: BatchState {
    /// Number of messages that were decrypted in this batch, not counting messages from a newer version.
    private(set) var received = 0
    /// True if at least one message was decrypted in this batch.
    private(set) var isChanged = false
    /// The messages that were decrypted in order. Each element contains a copy of a receiving chain. The copy
    /// of a chain was made before the batch decrypted the first message of the chain.
    private(set) var messagesInOrder: [ChainMessages] = []
    /// The messages that were not decrypted in order. A message is in this list if it arrived late or again,
    /// or if it was the first message of a new chain.
    private(set) var otherMessages: [StoredMessageKey] = []
    /// True if the last message was decrypted with a skipped key.
    private var lastWasLate = false

    /// Number of keys in `ConversationPast.again`.
    var keysToReadAgain: Int { isPastLoaded ? past.again.count : state.keysToReadAgain }

    /// Decrypts a message. If only a newer version of the program can read the message, the message key
    /// remains stored.
    ///
    /// - Parameters:
    ///   - onlyAgain: true to try only the keys in `ConversationPast.again`.
    ///   - read: the same as in `Receiving.decrypt`.
    func decrypt(
        _ symbols: inout MutableSpan<UInt8>, window: Int, onlyAgain: Bool = false,
        in contacts: ContactStore, _ cipher: inout Cipher,
        reading read: (inout MutableSpan<UInt8>) -> FrameContent = { _ in FrameContent() }
    ) throws(KeyringError) -> (message: Received, content: FrameContent)? {
        guard let number = state.conversation?.receiving.chain.number else { return nil }
        let start =
            messagesInOrder.last?.chain.chain.start.number == number
            ? nil : state.conversation?.receiving.chain.fork()
        let found =
            onlyAgain
            ? try decryptAgain(&symbols, in: contacts, &cipher)
            : try search(&symbols, window: window, in: contacts, &cipher)
        guard var found else { return nil }
        isChanged = true
        let content = read(&symbols)
        found.info.hasText = content.hasText
        if content.isFromNewerVersion {
            past.keep(found.key)
        } else {
            note(found, start, number)
        }
        return (found, content)
    }

    /// Makes a receipt due. This function is called when a message arrives again after it was read.
    func repeatReceipt(at now: Int64) {
        if state.waiting.repeatReceipt(at: now) { isChanged = true }
    }

    /// Applies a receipt from the contact to the sent messages.
    func learn(
        from receipt: Receipt, at now: Int64, in contacts: ContactStore
    ) throws(KeyringError) {
        guard let name = state.sendingName else { return }
        try loadPast(in: contacts)
        past.sent.insert(&state.recentlySent, in: name)
        state.read += UInt64(past.sent.learn(from: receipt, in: name, at: now))
    }

    /// Tries the keys that are most likely to match first. The order is the next few keys, the keys in
    /// `ConversationPast.again`, skipped keys, keys farther ahead, and keys of retired chains. If the last
    /// message was late, begins with `ConversationPast.again`, because the next message is probably late,
    /// too. If the window is `nearWindow`, only the next few keys are tried.
    private func search(
        _ symbols: inout MutableSpan<UInt8>, window: Int, in contacts: ContactStore,
        _ cipher: inout Cipher
    ) throws(KeyringError) -> Received? {
        if window == Conversation.nearWindow { return decryptNext(&symbols, window, &cipher) }
        var found = lastWasLate ? nil : decryptNext(&symbols, Conversation.nearWindow, &cipher)
        if found == nil {
            found =
                try decryptAgain(&symbols, in: contacts, &cipher)
                ?? past.receiveSkipped(&symbols, &cipher)
            lastWasLate = found != nil
        }
        if found == nil {
            found =
                decryptNext(&symbols, window, &cipher)
                ?? past.receiveRetired(&symbols, &cipher)
        }
        return found
    }

    private func decryptAgain(
        _ symbols: inout MutableSpan<UInt8>, in contacts: ContactStore, _ cipher: inout Cipher
    ) throws(KeyringError) -> Received? {
        try loadPast(in: contacts)
        return past.receiveAgain(&symbols, &cipher)
    }

    private func decryptNext(
        _ symbols: inout MutableSpan<UInt8>, _ window: Int, _ cipher: inout Cipher
    ) -> Received? {
        state.conversation?.receiveNext(&symbols, window: window, past: &past, &cipher)
    }

    /// Records the key of a message. The key is needed to decrypt the message again if this process dies, or
    /// if the user rereads the message in this session.
    ///
    /// - Parameters:
    ///   - start: the receiving chain before the message was decrypted, or nil if there is already a copy of
    ///     this chain.
    ///   - number: the number of the receiving chain before the message was decrypted.
    private func note(_ found: Received, _ start: consuming Chain?, _ number: UInt32) {
        received += 1
        guard let direction = state.receiving else { return }
        if found.info.arrival == .inOrder, found.key.position.chain == number {
            if let start {
                let chain = LocatedChain(ChainCopy(start), in: direction)
                messagesInOrder.append(ChainMessages(chain: chain))
            }
            messagesInOrder[messagesInOrder.count - 1].runs.append(found.key.position)
        } else {
            otherMessages.append(StoredMessageKey(found.key, in: direction))
        }
    }
}
