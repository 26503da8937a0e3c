package import Protocol

/// A summary of a contact's state for the user, for example after a message was processed.
package struct ContactSummary: Sendable {
    package let status: ContactState.Status
    package let method: ContactState.Method
    package let pending: ContactState.Method
    /// Number of messages sent after the last message that the contact is known to have read.
    package let unconfirmed: UInt32
    /// True if the first message of the conversation was just sent, and no message has been received yet.
    package let isBeginning: Bool

    /// Summarises a contact's state.
    ///
    /// - Parameter isSent: true if a message was just sent.
    init(_ state: ContactState, isSent: Bool = false) {
        (status, method, pending) = (state.status, state.method, state.pending)
        unconfirmed = state.unconfirmed
        isBeginning =
            isSent && state.conversation?.hasContactNext == false && state.unconfirmed <= 1
    }
}

/// The result of an attempt to encrypt or decrypt a message. The message was encrypted or decrypted only if
/// the result is `done` or `newerVersion`.
package enum ExchangeResult: Sendable {
    /// The message was encrypted or decrypted. For a decrypted message, the second value describes how the
    /// message arrived. For a dry run, the third value (the position) is nil.
    case done(ContactSummary, ReceivedInfo?, Position?)
    /// The batch is full. The caller must commit the batch, write the output of the batch, and begin the next
    /// batch with this message. If the batch contains no messages yet, other processes have used up the
    /// limit, and the caller must wait until they have written their output.
    case batchFull
    /// There is no conversation with this contact.
    case notReady(ContactSummary)
    /// The contact no longer exists.
    case gone
    /// The message was decrypted, but only a newer version can read it. The state has changed, but the key
    /// remains stored for the newer version.
    case newerVersion(ContactSummary, ReceivedInfo, Position)
    /// The message was decrypted before. Nothing has changed, except that a receipt may now be due.
    case readBefore
    /// No receipt is due. Nothing has changed.
    case nothingWaits
    /// No key matches. Nothing has changed.
    case noKey
    /// Too many messages of this contact are waiting to be decrypted again. No other message of the
    /// contact can be decrypted now. The value is the number of messages that wait to be decrypted again.
    case readAgainFirst(Int)
    /// The message was not reread, because it is new. Its message key still exists. The message may never
    /// have been displayed.
    case new
    /// The message was decrypted before, but the session has no key to reread it. The message was decrypted
    /// outside this session, or before this session first decrypted a message from the contact.
    case readElsewhere
}

/// The content of a decrypted frame, without the text itself.
package struct FrameContent: Sendable {
    package let hasText: Bool
    package let receipt: Receipt?
    /// True if only a newer version can read the frame.
    package let isFromNewerVersion: Bool

    package init(hasText: Bool = true, receipt: Receipt? = nil, isFromNewerVersion: Bool = false) {
        self.hasText = hasText
        self.receipt = receipt
        self.isFromNewerVersion = isFromNewerVersion
    }
}

/// A contact's state in a batch, with changes that are not committed yet.
class BatchState {
    let state: ContactState
    /// The contact's past, which contains only the entries of this batch until `loadPast` adds the stored
    /// entries.
    var past = ConversationPast()
    private(set) var isPastLoaded = false

    /// The value of `memory` when the batch last counted it.
    fileprivate var countedMemory = 0

    required init(_ state: ContactState) { self.state = state }

    /// Approximate number of bytes that the state and the past take in memory.
    var memory: Int {
        ContactState.memory + past.memory + (state.conversation?.memoryOfSearches ?? 0)
    }

    func loadPast(in contacts: ContactStore) throws(KeyringError) {
        guard !isPastLoaded else { return }
        past.insert(older: try contacts.past(of: state))
        isPastLoaded = true
    }

    /// Writes the state of the contact. If the contact's past has changed, also writes the past.
    func save(in contacts: ContactStore) throws(KeyringError) {
        if past.isChanged {
            try loadPast(in: contacts)
            try contacts.save(past, of: state)
        }
        // Free the past now, because the batch has not counted the memory of a past that is loaded here.
        past = ConversationPast()
        isPastLoaded = false
        try contacts.save(state)
    }
}

/// The states of the contacts that are used in an exchange, at most one for each contact.
struct BatchStates<State: BatchState> {
    /// Number of bytes of contact states in memory at which a batch is full.
    private static var maximumMemory: Int { 4 << 20 }

    private var states: [ContactID: State] = [:]
    /// Approximate number of bytes that the states take in memory.
    private var memory = 0

    /// True if another message can be added to the batch.
    var hasRoom: Bool { memory < Self.maximumMemory }

    /// Returns a contact's state, and reads the state from the keyring if the batch has not read it yet.
    /// Returns nil if the contact no longer exists.
    mutating func state(
        of contact: ContactID, in contacts: ContactStore
    ) throws(KeyringError) -> State? {
        if let known = states[contact] { return known }
        guard let state = try contacts.state(contact) else { return nil }
        let new = State(state)
        states[contact] = new
        count(new)
        return new
    }

    /// Updates `memory` after a message has changed the size of a state.
    mutating func count(_ state: State) {
        let current = state.memory
        memory += current - state.countedMemory
        state.countedMemory = current
    }

    /// Discards a contact's state and the changes to it.
    mutating func discard(_ contact: ContactID) { states[contact] = nil }

    /// All states, ordered by contact.
    var all: [State] { states.sorted { $0.key < $1.key }.map { $0.value } }
}
