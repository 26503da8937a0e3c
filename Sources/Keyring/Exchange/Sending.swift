internal import Crypto
internal import Protocol
internal import System

/// A batch of messages to send that share one commit (smsenc-protocol(7), Stored state). The steps are:
///
///     encrypt   encrypts a message within a transaction; if the transaction is dropped, nothing has happened
///     commit    makes the new state durable, and counts the keys in flight; then output may be written
///     finish    records that the keys are no longer in flight, and takes back unused keys
///
/// Messages must be encrypted in the order of their records. If the result is `batchFull`, the batch has
/// reached the limit of keys in flight or of memory and must be committed.
package struct Sending: ~Copyable {
    /// Maximum number of a contact's message keys in flight, including discarded keys. With this limit, the
    /// keys lost in a crash are fewer than the 128 keys that the contact tries ahead.
    package static let maximumKeysInFlight = 100

    private let store: KeyringStore
    private let contacts: ContactStore
    private var transaction: WriteTransaction?
    /// True if the batch was committed and at least one message was encrypted.
    private var isCommitted = false
    private var cipher = Cipher()
    private var states = OpenContactStates<SendingState>()
    /// The contact of each message, and the number of keys that were taken from the contact's chain for all
    /// messages up to and including this message.
    private var messages: [(contact: ContactID, keysTaken: Int)] = []
    private let inFlight: InFlightKeys

    /// Begins a batch. The caller must not wait for anything during a batch, because other processes wait for
    /// the commit.
    ///
    /// - Throws: `busy`, or `moved` or `behind` for a keyring that was copied or restored.
    package init(with keyring: Keyring) throws(KeyringError) {
        let begun = try WriteTransaction(keyring)
        inFlight = try begun.store.runs.keysInFlight()
        store = begun.store
        contacts = store.contacts
        transaction = consume begun
    }

    /// Encrypts a frame for a contact.
    ///
    /// - Parameter symbols: a frame of 160 symbols, which becomes a ciphertext if it is encrypted.
    /// - Throws: `damaged`, `failed` and similar errors. The whole batch is then undone.
    package mutating func encrypt(
        _ symbols: inout MutableSpan<UInt8>, for contact: ContactID
    ) throws(KeyringError) -> ExchangeResult {
        guard states.hasRoom(for: contact) else { return .not(.batchFull) }
        guard let open = try states.open(contact, in: contacts) else { return .not(.gone) }
        guard open.state.hasConversation else { return .not(.notReady(ContactSummary(open.state))) }
        let room = inFlight.room(for: contact)
        guard open.keysTaken < room,
            let position = try open.encrypt(&symbols, room: room, at: store.time, &cipher)
        else {
            return .not(.batchFull)
        }
        messages.append((contact, open.keysTaken))
        return .done(ContactSummary(open.state, isSent: true), nil, position)
    }

    /// Commits the batch. When this function returns, the commit is durable and its count is in the rollback
    /// note. If the commit fails, either nothing has changed, or the keys are taken back.
    ///
    /// - Throws: `diskFull`, `failed`, `noNote` and similar errors.
    package mutating func commit() throws(KeyringError) {
        var taken: [ContactID: Int] = [:]
        for (contact, open) in states.all where open.keysTaken > 0 {
            try contacts.save(open.state)
            taken[contact] = open.keysTaken
        }
        guard !taken.isEmpty else { return transaction = nil }
        try store.runs.saveInFlight(taken)
        do throws(KeyringError) {
            isCommitted = try transaction.take()?.commit() ?? false
        } catch {
            // The commit is durable but not recorded in the rollback note, and nothing was written. If taking
            // the keys back also fails, the keys are lost, but nobody has seen them.
            if case .copy(.noNote) = error { try? takeBack(to: 0) }
            throw error
        }
    }

    /// Ends the batch. The keys of ciphertexts that were not written return to the chain. If another
    /// process has moved the chain since, these keys are lost, and the contact counts them as missing
    /// messages.
    ///
    /// - Parameter count: number of messages, from the first, of which at least one byte may have been
    ///   written, or nil for all.
    /// - Throws: `diskFull`, `failed` and similar errors. The output is not affected.
    package consuming func finish(written count: Int? = nil) throws(KeyringError) {
        if let count, count < messages.count { return try takeBack(to: count) }
        guard isCommitted else { return }
        let contacts = Set(messages.map { $0.contact })
        try store.keyring.change(.cleanup) { (store) throws(KeyringError) in
            try store.runs.clearInFlight(written: contacts)
        }
    }

    private mutating func takeBack(to count: Int) throws(KeyringError) {
        let (out, back) = (messages[..<count], messages[count...])
        let transaction = try WriteTransaction(self.store.keyring)
        let store = transaction.store
        try store.runs.clearInFlight(written: Set(out.map { $0.contact }))
        for (contact, open) in states.all {
            let stays = out.last { $0.contact == contact }?.keysTaken ?? 0
            guard stays < open.keysTaken, let start = open.chain(after: stays, &cipher),
                let end = open.chain(after: open.keysTaken, &cipher),
                let present = try store.contacts.state(contact),
                present.conversation?.sending.chain.isAtSamePosition(as: end) == true
            else { continue }
            let messages = back.count { $0.contact == contact }
            present.conversation?.sending.chain = start
            present.sent -= min(present.sent, UInt64(messages))
            // In the meantime, a message from the contact may have set this count to zero.
            present.unconfirmed -= min(present.unconfirmed, UInt32(messages))
            try store.contacts.save(present)
        }
        try transaction.commit()
    }
}

/// A contact's state, with the changes made by the messages that were encrypted in this batch.
private final class SendingState: OpenState {
    let state: ContactState
    /// Number of message keys taken from the sending chain, including discarded keys.
    private(set) var keysTaken = 0
    /// The sending chain before the first message key was taken, but after the next key was mixed in. Nil if
    /// no key was taken.
    private var chainAtStart: Chain?

    init(_ state: ContactState) { self.state = state }

    /// Encrypts a frame. Returns the position of the message, or nil if all keys within `room` had to be
    /// discarded.
    ///
    /// - Precondition: there is a conversation, and `room` is more than the keys taken.
    func encrypt(
        _ symbols: inout MutableSpan<UInt8>, room: Int, at now: Int64, _ cipher: inout Cipher
    ) throws(KeyringError) -> Position? {
        if keysTaken == 0 {
            // Mix in the next key before copying the chain. If keys are taken back, the chain returns to this
            // copy, and the next key remains mixed in.
            state.conversation?.mixPendingNextKey(&cipher)
            chainAtStart = state.conversation?.sending.chain.fork()
        }
        let limit = room - keysTaken
        let sent = try cryptography(state.conversation?.send(&symbols, limit: limit, &cipher))
        guard let sent, let direction = state.conversation?.sending.name else { return nil }
        keysTaken += sent.keys
        guard let position = sent.position else { return nil }
        state.sent += 1
        state.unconfirmed &+= 1
        state.lastUse = now
        return Position(direction, position)
    }

    /// Returns the position of the sending chain after the first `keys` keys that were taken.
    func chain(after keys: Int, _ cipher: inout Cipher) -> Chain? {
        guard var chain = chainAtStart?.fork() else { return nil }
        chain.skip(keys, &cipher)
        return chain
    }
}
