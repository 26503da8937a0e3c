internal import Protocol
internal import System

/// A batch of messages that the user wants to read again. The messages are decrypted with keys that the
/// open session has stored (`RereadKeys`).
///
/// Rereading never changes the keyring. Chains, next keys, counts and skipped keys remain the same, and each
/// message can be reread any number of times.
package struct Rereading: ~Copyable {
    private let store: KeyringStore
    private var transaction: ReadTransaction?
    private let kept: RereadKeys
    private let keys: [StoredMessageKey]
    /// Number of message keys to try ahead in the receiving chain. If a key ahead of the chain's position
    /// matches, the message was not decrypted yet.
    private let window: Int
    private var cipher = Cipher()
    private var states = BatchStates<ReceivingState>()

    /// Begins a batch.
    ///
    /// - Throws: `behind`, `needed` if there is no session, or `damaged`.
    package init(
        with keyring: Keyring, searching window: Int
    ) throws(KeyringError) {
        guard let kept = keyring.reread else { throw .session(.needed) }
        let begun = try ReadTransaction(keyring)
        try begun.store.checkCanBeRead()
        keys = try kept.keys()
        (self.kept, self.window, store) = (kept, window, begun.store)
        transaction = consume begun
    }

    /// Decrypts a message from a contact again.
    ///
    /// - Parameters:
    ///   - symbols: a ciphertext of 160 symbols, which becomes a frame if the message is decrypted.
    ///   - read: the same as in `Receiving.decrypt`. A receipt in the message is not applied.
    package mutating func decrypt(
        _ symbols: inout MutableSpan<UInt8>, of contact: ContactID,
        reading read: (inout MutableSpan<UInt8>) -> FrameContent = { _ in FrameContent() }
    ) throws(KeyringError) -> ExchangeResult {
        guard states.hasRoom else { return .batchFull }
        guard let batchState = try states.state(of: contact, in: store.contacts) else {
            return .gone
        }
        let state = batchState.state
        guard state.hasConversation else { return .notReady(ContactSummary(state)) }
        let hash = state.ring.hash(ofMessage: symbols.span)
        defer { states.count(batchState) }
        let isNew = try batchState.decrypt(
            &symbols, window: window, in: store.contacts, &cipher)
        guard isNew == nil else {
            // The search has changed the state in memory, so discard this state.
            states.discard(contact)
            return .new
        }
        guard let position = batchState.reread(&symbols, kept.chains, keys, &cipher) else {
            return state.readMessages.hasText(hash) != nil ? .readElsewhere : .noKey
        }
        var info = ReceivedInfo(arrival: .reread)
        info.hasText = read(&symbols).hasText
        return .done(ContactSummary(state), info, position)
    }

    /// Ends the transaction.
    package mutating func commit() throws(KeyringError) { transaction = nil }
    package consuming func finish(written count: Int? = nil) throws(KeyringError) {}
}

extension ReceivingState {
    /// Decrypts a message with the session's keys. First tries the keys of each chain up to the chain's
    /// current position, beginning with the newest chain. After the chains, tries the keys of single
    /// messages. Returns the position of the message, or nil if no key matches.
    fileprivate func reread(
        _ symbols: inout MutableSpan<UInt8>, _ chains: [LocatedChain],
        _ keys: [StoredMessageKey], _ cipher: inout Cipher
    ) -> Position? {
        guard let receiving = state.conversation?.receiving.chain.position,
            let direction = state.receiving
        else { return nil }
        for entry in chains.reversed() where entry.direction == direction {
            let number = entry.chain.start.number
            let end =
                number == receiving.chain
                ? receiving.key
                : past.retired.first { $0.chain.number == number }?.chain.next
            if let end, let found = entry.chain.decryptAgain(&symbols, before: end, &cipher) {
                return Position(direction.name, found)
            }
        }
        for key in keys
        where key.direction == direction && key.key.opensAgain(&symbols, &cipher) {
            return Position(direction.name, key.key.position)
        }
        return nil
    }
}
