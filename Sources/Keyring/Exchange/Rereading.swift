internal import Protocol
internal import System

/// A batch of messages that are decrypted again on request, with the keys that the open session has stored
/// (`RereadStore`).
///
/// Rereading never changes the keyring. Chains, next keys, counts and skipped keys remain the same, and each
/// message can be reread any number of times.
package struct Rereading: ~Copyable {
    private let store: KeyringStore
    private var transaction: ReadTransaction?
    private let key: RereadKey
    /// Number of message keys to try ahead, to detect messages that were not decrypted yet.
    private let window: Int
    private var cipher = Cipher()
    private var states = OpenContactStates<RereadingState>()

    /// Begins a batch.
    ///
    /// - Throws: `behind`, `needed` if there is no session, or `damaged` if stored keys are
    ///   missing or were altered.
    package init(
        with keyring: Keyring, searching window: Int
    ) throws(KeyringError) {
        let key = try keyring.rereadKey()
        let begun = try ReadTransaction(keyring)
        try begun.store.verify()
        try Verification(begun.store).reread()
        (self.key, self.window, store) = (key, window, begun.store)
        transaction = consume begun
    }

    /// Decrypts a message from a contact again.
    ///
    /// - Parameter symbols: a ciphertext of 160 symbols, which becomes a frame if the message is decrypted.
    package mutating func decrypt(
        _ symbols: inout MutableSpan<UInt8>, of contact: Int64
    ) throws(KeyringError) -> ExchangeResult {
        guard states.hasRoom(for: contact) else { return .not(.batchFull) }
        guard let open = try states.open(contact, in: store.contacts) else { return .not(.gone) }
        let state = open.live.state
        guard state.hasConversation else { return .not(.notReady(ContactSummary(state))) }
        let tag = state.ring.readMessageHash.tag(of: symbols.span)
        let isNew = try open.live.decrypt(
            &symbols, window: window, at: nil, in: store.contacts, &cipher)
        guard isNew == nil else {
            // The search has changed the state in memory, so discard this state.
            states.close(contact)
            return .not(.new)
        }
        if open.stored == nil { open.stored = try store.reread.load(of: state, under: key) }
        guard open.reread(&symbols, &cipher) else {
            return .not(state.readMessages.contains(tag) ? .readElsewhere : .noKey)
        }
        return .done(ContactSummary(state), ReceivedInfo(arrival: .reread))
    }

    /// Ends the transaction.
    package mutating func commit() throws(KeyringError) { transaction = nil }
    package consuming func finish(written count: Int? = nil) throws(KeyringError) {}
}

/// A contact's state, with the keys that the session has stored.
private final class RereadingState: OpenState {
    let live: ReceivingState
    var stored: (chains: [ReadChain], messages: [SkippedKey])?

    init(_ state: ContactState) { live = ReceivingState(state) }

    /// Decrypts a message with the session's keys. Tries the keys of each chain up to the current position of
    /// the chain, beginning with the newest chain, and then single message keys.
    func reread(_ symbols: inout MutableSpan<UInt8>, _ cipher: inout Cipher) -> Bool {
        guard let stored else { return false }
        for chain in stored.chains.reversed() {
            if chain.number == live.state.skipped.chain {
                let found = live.state.conversation?.rereads(&symbols, with: chain, &cipher)
                if found == true { return true }
            } else if let end = live.skipped.retired.first(where: { $0.number == chain.number }) {
                if chain.opens(&symbols, upTo: end.chain, &cipher) { return true }
            }
        }
        return stored.messages.contains { $0.key.opensAgain(&symbols, &cipher) }
    }
}
