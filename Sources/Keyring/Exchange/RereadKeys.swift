internal import Crypto
internal import Protocol

/// The keys with which a session can reread the messages that it has decrypted (smsenc-keyring(5), Session).
/// These are copies of receiving chains. If the key of a message cannot be derived from a copy, the key
/// itself is stored.
///
/// The stored form consists of the number of chains (2 bytes), the chains (`LocatedChain`), the number of
/// keys (2 bytes) and the keys (`StoredMessageKey`).
final class RereadKeys {
    /// Maximum number of chains. It is also the maximum number of keys. If there are more, the oldest are
    /// removed.
    private static let maximum = 4096

    let chains: [LocatedChain]
    /// The keys of single messages and their number, in stored form. They are parsed only if they are needed.
    private let storedKeys: SecretBytes

    /// The stored form if there are no chains and no keys.
    static var none: SecretBytes { SecretBytes(count: 4) }

    /// Parses the keys for rereading in a session file.
    init(stored: borrowing SecretBytes) throws(InvalidRecord) {
        var record = SecretReader(stored.duplicate())
        chains = try record.list(LocatedChain.init(from:))
        storedKeys = try record.secret(record.remaining)
    }

    /// Parses the keys of single messages.
    ///
    /// - Throws: `damaged`.
    func keys() throws(KeyringError) -> [StoredMessageKey] {
        var record = SecretReader(storedKeys.duplicate())
        do throws(InvalidRecord) {
            return try record.list(StoredMessageKey.init(from:))
        } catch {
            throw .session(.damaged)
        }
    }

    /// Adds the chains and keys of a batch, and returns the stored form. Omits entries of earlier
    /// conversations with the contacts of the batch. Also omits all entries of the contacts in `forgotten`.
    func encoded(
        adding states: [ReceivingState], without forgotten: Set<ContactID>
    ) throws(KeyringError) -> SecretBytes {
        var directions: [ContactID: ReceivingDirection] = [:]
        for open in states { directions[open.state.contact] = open.state.receiving }
        func isKept(_ direction: ReceivingDirection) -> Bool {
            !forgotten.contains(direction.contact)
                && directions[direction.contact, default: direction] == direction
        }
        var keys = try keys().filter { isKept($0.direction) }
        var chains = chains.filter { isKept($0.direction) }
        for open in states {
            keys += open.otherMessages
            chains += open.messagesInOrder.map { $0.chain }
                .filter { !hasChain($0.chain.start.number, of: open.state) }
        }
        chains.removeFirst(max(0, chains.count - Self.maximum))
        keys.removeFirst(max(0, keys.count - Self.maximum))
        var record = SecretWriter()
        record.put(chains) { $0.write(to: &$1) }
        record.put(keys) { $0.write(to: &$1) }
        return record.finish()
    }

    /// Returns true if there is a copy of the contact's receiving chain with the given number.
    func hasChain(_ number: UInt32, of state: ContactState) -> Bool {
        chains.contains {
            $0.direction == state.receiving && $0.chain.start.number == number
        }
    }
}

extension KeyringStore {
    /// Stores the keys of a batch in the session file, so that its messages can be reread. Does nothing if
    /// there is no session or the session has ended. The caller commits the batch afterwards.
    func keepForRereading(_ states: [ReceivingState]) throws(KeyringError) {
        guard let known = keyring.reread else { return }
        let isNew = states.contains { open in
            !open.otherMessages.isEmpty
                || open.messagesInOrder.contains {
                    !known.hasChain($0.chain.chain.start.number, of: open.state)
                }
        }
        if isNew { try updateSession(adding: states) }
    }

    /// Rewrites the keys for rereading in the session file.
    func updateSession(adding states: [ReceivingState]) throws(KeyringError) {
        guard let session = keyring.session else { return }
        do throws(KeyringError) {
            try session.update(of: keyring.account.keyring, clocks: keyring.clocks) {
                (contents) throws(KeyringError) in
                contents.reread = try contents.rereadKeys()
                    .encoded(adding: states, without: contactsToForget)
                keyring.reread = try contents.rereadKeys()
                return true
            }
        } catch {
            // The session has ended since this process began. No message can be reread any more.
            guard case .session(.ended) = error else { throw error }
        }
    }
}

extension Session.Contents {
    /// Parses the session's keys for rereading.
    ///
    /// - Throws: `damaged`.
    func rereadKeys() throws(KeyringError) -> RereadKeys {
        do throws(InvalidRecord) { return try RereadKeys(stored: reread) } catch {
            throw .session(.damaged)
        }
    }
}
