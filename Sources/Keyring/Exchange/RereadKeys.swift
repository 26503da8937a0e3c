internal import Crypto
internal import Protocol

/// The keys with which a session can reread the messages that it has decrypted (smsenc-keyring(5),
/// Session). The session stores copies of receiving chains. If the key of a message cannot be derived from
/// a copy, the key itself is stored.
///
/// The stored form consists of the number of chains (2 bytes), the chains (`LocatedChain`), the number of
/// keys (2 bytes) and the keys (`StoredMessageKey`).
final class RereadKeys {
    /// Maximum number of chains. The maximum number of single keys is the same. If there are more chains
    /// or keys, the oldest are removed.
    private static let maximum = 4096

    let chains: [LocatedChain]
    /// The number of stored keys of single messages, followed by these keys, in stored form. The keys are
    /// parsed only if they are needed.
    private let storedKeys: SecretBytes

    init(_ chains: [LocatedChain] = [], _ keys: [StoredMessageKey] = []) {
        self.chains = chains
        var record = SecretWriter()
        record.put(keys) { $0.write(to: &$1) }
        storedKeys = record.finish()
    }

    init(from record: inout SecretReader) throws(InvalidRecord) {
        chains = try record.list(LocatedChain.init(from:))
        storedKeys = try record.secret(record.remaining)
    }

    func write(to record: inout SecretWriter) {
        record.put(chains) { $0.write(to: &$1) }
        record.put(storedKeys)
    }

    /// Parses the keys of single messages.
    ///
    /// - Throws: `damaged`.
    func keys() throws(KeyringError) -> [StoredMessageKey] {
        var record = SecretReader(storedKeys.duplicate())
        return try parsing(record.list(StoredMessageKey.init(from:)), or: .session(.damaged))
    }

    /// Returns a copy with the chains and keys of a batch. Omits chains and keys of earlier conversations
    /// with the contacts of the batch. Also omits all chains and keys of the contacts in `forgotten`.
    func adding(
        _ states: [ReceivingState], without forgotten: Set<ContactID>
    ) throws(KeyringError) -> RereadKeys {
        var directions: [ContactID: ReceivingDirection] = [:]
        for batchState in states {
            directions[batchState.state.contact] = batchState.state.receiving
        }
        func isKept(_ direction: ReceivingDirection) -> Bool {
            !forgotten.contains(direction.contact)
                && directions[direction.contact, default: direction] == direction
        }
        var keys = try keys().filter { isKept($0.direction) }
        var chains = chains.filter { isKept($0.direction) }
        for batchState in states {
            keys += batchState.otherMessages
            chains += batchState.messagesInOrder.map { $0.chain }.filter { !hasChain(like: $0) }
        }
        return RereadKeys(Array(chains.suffix(Self.maximum)), Array(keys.suffix(Self.maximum)))
    }

    /// Returns true if there is a copy of the same chain.
    func hasChain(like other: LocatedChain) -> Bool {
        chains.contains {
            $0.direction == other.direction && $0.chain.start.number == other.chain.start.number
        }
    }
}

extension KeyringStore {
    /// Stores the keys of a batch in the session file, so that its messages can be reread. Does nothing if
    /// there is no session or the session has ended. The caller commits the batch after this function has
    /// returned.
    func keepForRereading(_ states: [ReceivingState]) throws(KeyringError) {
        guard let known = keyring.reread else { return }
        let isNew = states.contains { batchState in
            !batchState.otherMessages.isEmpty
                || batchState.messagesInOrder.contains { !known.hasChain(like: $0.chain) }
        }
        if isNew { try updateSession(adding: states) }
    }

    /// Replaces the keys for rereading that the session file contains.
    func updateSession(adding states: [ReceivingState]) throws(KeyringError) {
        guard let session = keyring.session else { return }
        do throws(KeyringError) {
            try session.update(of: keyring.account.keyring, clocks: keyring.clocks) {
                (contents) throws(KeyringError) in
                contents.reread = try contents.reread.adding(states, without: contactsToForget)
                keyring.reread = contents.reread
            }
        } catch {
            // The session has ended since this process began. No message can be reread any more.
            guard case .session(.ended) = error else { throw error }
        }
    }
}
