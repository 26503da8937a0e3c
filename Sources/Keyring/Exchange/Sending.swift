internal import Crypto
package import Protocol
internal import System

/// A batch of messages to send that share one commit (smsenc-protocol(7), Stored state). The steps are:
///
///     encrypt   encrypts a message within a transaction; if the transaction is dropped, nothing changes
///     commit    makes the new state durable, and records the keys in flight; then output may be written
///     finish    records that the keys are no longer in flight, and takes back unused keys
///
/// Messages must be encrypted in the order of their input records. If the result is `batchFull`, the batch
/// has reached a limit on keys in flight or memory and must be committed.
package struct Sending: ~Copyable {
    /// Maximum number of a contact's message keys in flight, including discarded keys. A crash may lose
    /// all keys in flight. The contact tries 128 keys ahead, which is more than this limit. The contact
    /// can therefore decrypt the next message after a crash.
    package static let maximumKeysInFlight = 100

    private let store: KeyringStore
    private var transaction: WriteTransaction?
    /// True if the batch was committed and at least one message was encrypted.
    private var isCommitted = false
    private var cipher = Cipher()
    private var states = BatchStates<SendingState>()
    /// The contact of each message, and the number of keys that this contact's messages have taken, including
    /// this message.
    private var messages: [(contact: ContactID, keysTaken: Int)] = []
    /// The maximum number of message keys that this process may have in flight (`RunStore.room`).
    private let room: [ContactID: Int]
    /// For each contact, the messages that other processes have decrypted but not written yet. The value
    /// is nil until a receipt needs these messages.
    private var unwritten: [ContactID: [MessagePlace]]?

    /// Begins a batch. The caller must not wait for anything during a batch, because other processes wait for
    /// the commit.
    ///
    /// - Throws: `busy`, and `moved` or `behind` if the keyring was copied or restored.
    package init(with keyring: Keyring) throws(KeyringError) {
        let begun = try WriteTransaction(keyring)
        room = try begun.store.runs.room()
        store = begun.store
        transaction = consume begun
    }

    /// Encrypts a frame for a contact. Adds a receipt if the contact gets receipts and messages wait for a
    /// receipt.
    ///
    /// - Parameters:
    ///   - symbols: a frame of 160 symbols, which becomes a ciphertext if it is encrypted.
    ///   - isOnlyReceipt: true if the message contains only a receipt. Such a message is encrypted only if
    ///     a receipt is due and `write` puts it into the frame. Otherwise, the result is `nothingWaits`.
    ///   - write: puts a receipt into the frame.
    /// - Throws: `damaged`, `failed` and similar errors. After an error, the whole batch is undone.
    package mutating func encrypt(
        _ symbols: inout MutableSpan<UInt8>, for contact: ContactID,
        onlyIfReceiptIsDue isOnlyReceipt: Bool = false,
        writingReceipt write: ReceiptWriter = { (_, _) in }
    ) throws(KeyringError) -> ExchangeResult {
        guard states.hasRoom else { return .batchFull }
        guard let batchState = try states.state(of: contact, in: store.contacts) else {
            return .gone
        }
        guard batchState.state.hasConversation else {
            return .notReady(ContactSummary(batchState.state))
        }
        let room = room[contact] ?? Self.maximumKeysInFlight
        guard batchState.keysTaken < room else { return .batchFull }
        if isOnlyReceipt, !batchState.state.needsReceiptAlone(at: store.time) {
            return .nothingWaits
        }
        var original: SecretBytes?
        if batchState.wantsReceipt {
            original = SecretBytes(copying: symbols.span)
            if unwritten == nil { unwritten = try store.runs.unwrittenByOthers() }
            try batchState.putReceipt(
                into: &symbols, unwritten?[contact] ?? [], in: store.contacts, write)
            states.count(batchState)
        }
        if isOnlyReceipt, batchState.nextReceipt == nil { return .nothingWaits }
        guard let position = try batchState.encrypt(&symbols, room: room, in: store, &cipher) else {
            if let original { Self.restore(&symbols, original) }
            return .batchFull
        }
        messages.append((contact, batchState.keysTaken))
        return .done(ContactSummary(batchState.state, isSent: true), nil, position)
    }

    private static func restore(
        _ symbols: inout MutableSpan<UInt8>, _ original: borrowing SecretBytes
    ) {
        original.withSpan { (original) in
            for index in original.indices { symbols[index] = original[index] }
        }
    }

    /// Commits the batch. When this function returns, the commit is durable and its count is in the rollback
    /// note. If the commit fails, either nothing has changed, or the keys are taken back.
    ///
    /// - Throws: `diskFull`, `failed`, `noNote` and similar errors.
    package mutating func commit() throws(KeyringError) {
        var taken: [ContactID: Int] = [:]
        for batchState in states.all where batchState.keysTaken > 0 {
            try batchState.save(in: store.contacts)
            taken[batchState.state.contact] = batchState.keysTaken
        }
        guard !taken.isEmpty else { return transaction = nil }
        try store.runs.saveInFlight(taken, receipts)
        do throws(KeyringError) {
            isCommitted = try transaction.take()?.commit() ?? false
        } catch {
            // The commit is durable, but it is not recorded in the rollback note. No ciphertext was written,
            // so the keys can be taken back. If this fails, too, the keys are lost, but they were never used.
            if case .copy(.noNote) = error { try? takeBack(to: 0) }
            throw error
        }
    }

    /// Ends the batch. Moves each sending chain back to its first key whose ciphertext was not written. If
    /// another process has advanced a chain since the commit, the unused keys are lost. The contact sees
    /// the lost keys as missing messages.
    ///
    /// - Parameter count: number of messages that may have been written, completely or in part. They are the
    ///   first messages of the batch. Nil means all messages.
    /// - Throws: `diskFull`, `failed` and similar errors. The output is not affected.
    package consuming func finish(written count: Int? = nil) throws(KeyringError) {
        if let count, count < messages.count { return try takeBack(to: count) }
        guard isCommitted else { return }
        let contacts = Set(messages.map { $0.contact })
        try store.keyring.change(.cleanup) { (store) throws(KeyringError) in
            try store.runs.clearInFlight(written: contacts, hasReceipts: !receipts.isEmpty)
        }
    }

    /// The receipts that this batch has put into messages.
    private var receipts: [SentReceipt] { states.all.compactMap { $0.receipt } }

    private mutating func takeBack(to count: Int) throws(KeyringError) {
        let (out, back) = (messages[..<count], messages[count...])
        let transaction = try WriteTransaction(self.store.keyring)
        let store = transaction.store
        try store.runs.clearInFlight(
            written: Set(out.map { $0.contact }), hasReceipts: !receipts.isEmpty)
        for batchState in states.all {
            let contact = batchState.state.contact
            let stays = out.last { $0.contact == contact }?.keysTaken ?? 0
            guard stays < batchState.keysTaken, let start = batchState.chain(after: stays, &cipher),
                let end = batchState.chain(after: batchState.keysTaken, &cipher),
                let present = try store.contacts.state(contact),
                present.conversation?.sending.name == batchState.state.conversation?.sending.name
            else { continue }
            let unsent = KeyRun(chain: start.number, keys: start.next..<end.next)
            present.recentlySent.remove(unsent)
            if let name = present.sendingName {
                var past = try store.contacts.past(of: present)
                past.sent.remove(unsent, in: name)
                try store.contacts.save(past, of: present)
            }
            if let receipt = batchState.receipt, batchState.keysBeforeReceipt >= stays {
                present.waiting.merge(receipt.before, ofReceiptIn: receipt.commit)
            }
            if present.conversation?.sending.chain.position == end.position {
                let messages = back.count { $0.contact == contact }
                present.conversation?.sending.chain = start
                present.sent -= min(present.sent, UInt64(messages))
                // A message from the contact may have set this count to zero in the meantime.
                present.unconfirmed -= min(present.unconfirmed, UInt32(messages))
            }
            try store.contacts.save(present)
        }
        try transaction.commit()
    }
}

/// Puts a receipt into a frame. The first parameter is a frame of 160 symbols. The second parameter is a
/// function that returns a receipt with at most the given number of symbols. This function returns nil if
/// no receipt is needed, or if no receipt is short enough.
package typealias ReceiptWriter = (inout MutableSpan<UInt8>, _ receipt: (Int) -> Receipt?) -> Void

/// A contact's state. The state includes the changes by the messages that were encrypted in this batch.
private final class SendingState: BatchState {
    /// Number of message keys taken from the sending chain, including discarded keys.
    private(set) var keysTaken = 0
    /// The sending chain before the first message key was taken, but after the next key was mixed in. The
    /// value is nil if no key was taken.
    private var chainAtStart: Chain?

    /// An incomplete receipt is put into a frame only if there is room for at least this number of symbols.
    private static let enoughRoom = 60
    /// The receipt that is in the next frame, if there is one.
    private(set) var nextReceipt: Receipt?
    private var unwritten = 0
    /// The receipt that was put into a message of this batch.
    private(set) var receipt: SentReceipt?
    /// Number of keys that this batch had taken before the message with the receipt.
    private(set) var keysBeforeReceipt = 0

    /// True if messages wait for a receipt to this contact. A batch contains at most one receipt for each
    /// contact.
    var wantsReceipt: Bool {
        state.getsReceipts && receipt == nil && state.waiting.wantsReceipt(unwritten: 0)
    }

    /// Puts a receipt into a frame if the receipt is due at once, or if messages wait for it. The messages
    /// at `places` are not written yet, so the receipt does not confirm them.
    func putReceipt(
        into frame: inout MutableSpan<UInt8>, _ places: [MessagePlace],
        in contacts: ContactStore, _ write: ReceiptWriter
    ) throws(KeyringError) {
        let positions = places.filter { $0.direction == state.receiving }.map { $0.position }
        unwritten = positions.count
        guard state.waiting.wantsReceipt(unwritten: unwritten) else { return }
        try loadPast(in: contacts)
        write(&frame) { (room) in
            guard let whole = receipt(unwritten: positions),
                let receipt = whole.shortened(to: room),
                receipt == whole || room >= Self.enoughRoom
            else { return nil }
            nextReceipt = receipt
            return receipt
        }
    }

    private func receipt(unwritten: [KeyPosition]) -> Receipt? {
        guard let receiving = state.conversation?.receiving.chain.fork() else { return nil }
        return past.receipt(receiving, unwritten: unwritten)
    }

    /// Encrypts a frame. Returns the position of the message, or nil if all keys within `room` had to be
    /// discarded.
    ///
    /// - Precondition: there is a conversation, and `room` is greater than `keysTaken`.
    func encrypt(
        _ symbols: inout MutableSpan<UInt8>, room: Int, in store: KeyringStore,
        _ cipher: inout Cipher
    ) throws(KeyringError) -> Position? {
        if keysTaken == 0 {
            // Mix in the next key before copying the chain. If keys are taken back, the chain returns to this
            // copy, and the next key remains mixed in.
            state.conversation?.mixPendingNextKey(&cipher)
            chainAtStart = state.conversation?.sending.chain.fork()
        }
        let (limit, keysBefore) = (room - keysTaken, keysTaken)
        let sent = try cryptography(state.conversation?.send(&symbols, limit: limit, &cipher))
        guard let sent, let direction = state.conversation?.sending.name else { return nil }
        keysTaken += sent.keys
        guard let position = sent.position else { return nil }
        state.sent += 1
        state.unconfirmed &+= 1
        state.lastUse = store.time
        state.recentlySent.insert(position)
        if let sent = nextReceipt.take() {
            let commit = store.header.commits + 1
            let before = state.waiting.send(in: commit, unwritten: unwritten, at: store.time)
            past.mark(listedIn: sent)
            receipt = SentReceipt(to: state.contact, in: commit, before: before)
            keysBeforeReceipt = keysBefore
        }
        return Position(direction, position)
    }

    /// Saves the state, and moves the recently sent messages to the past if there are many.
    override func save(in contacts: ContactStore) throws(KeyringError) {
        if state.recentlySent.isLong, let name = state.sendingName {
            try loadPast(in: contacts)
            past.sent.insert(&state.recentlySent, in: name)
        }
        try super.save(in: contacts)
    }

    /// Returns the state of the sending chain after the first `keys` keys of this batch.
    func chain(after keys: Int, _ cipher: inout Cipher) -> Chain? {
        guard var chain = chainAtStart?.fork() else { return nil }
        chain.skip(keys, &cipher)
        return chain
    }
}
