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

    private(set) var chains: [LocatedChain] = []
    /// The keys of single messages and their number, in stored form. They are parsed only if they are needed.
    private let storedKeys: SecretBytes

    /// Parses the keys for rereading in a session file. `stored` is empty in a new session.
    init(stored: borrowing SecretBytes) throws(InvalidRecord) {
        // In a new session, both numbers are zero.
        var record = SecretReader(stored.count == 0 ? SecretBytes(count: 4) : stored.duplicate())
        for _ in 0..<(try record.integer() as UInt16) {
            chains.append(try LocatedChain(from: &record))
        }
        storedKeys = try record.secret(record.remaining)
    }

    /// Parses the keys of single messages.
    ///
    /// - Throws: `damaged`.
    func keys() throws(KeyringError) -> [StoredMessageKey] {
        var record = SecretReader(storedKeys.duplicate())
        do throws(InvalidRecord) {
            var keys: [StoredMessageKey] = []
            for _ in 0..<(try record.integer() as UInt16) {
                keys.append(try StoredMessageKey(from: &record))
            }
            return keys
        } catch {
            throw .session(.damaged)
        }
    }

    /// Adds the chains and keys of a batch, and returns the stored form. Omits entries of earlier
    /// conversations with the contacts of the batch. Also omits all entries of the contacts in `forgotten`.
    func encoded(
        adding states: [ReceivingState], without forgotten: Set<ContactID>
    ) throws(KeyringError) -> SecretBytes {
        var names: [ContactID: DirectionName] = [:]
        for open in states { names[open.state.contact] = open.state.conversation?.receiving.name }
        var keys = try keys().filter {
            names[$0.place.contact, default: $0.place.conversation] == $0.place.conversation
                && !forgotten.contains($0.place.contact)
        }
        var chains = chains.filter {
            names[$0.contact, default: $0.conversation] == $0.conversation
                && !forgotten.contains($0.contact)
        }
        for open in states {
            keys += open.otherMessages
            chains += open.messagesInOrder.map { $0.chain }
                .filter { !hasChain($0.chain.start.number, of: open.state) }
        }
        chains.removeFirst(max(0, chains.count - Self.maximum))
        keys.removeFirst(max(0, keys.count - Self.maximum))
        let size = 4 + chains.count * LocatedChain.size + keys.count * StoredMessageKey.size
        var record = SecretWriter(capacity: size)
        record.put(UInt16(chains.count))
        for chain in chains { chain.write(to: &record) }
        record.put(UInt16(keys.count))
        for key in keys { key.write(to: &record) }
        return record.finish()
    }

    /// Returns true if there is a copy of the contact's receiving chain with the given number.
    func hasChain(_ number: UInt32, of state: ContactState) -> Bool {
        chains.contains {
            $0.contact == state.contact && $0.chain.start.number == number
                && $0.conversation == state.conversation?.receiving.name
        }
    }
}

extension KeyringStore {
    /// Stores the keys of a batch in the session file, so that its messages can be reread. Does nothing if
    /// there is no session or the session has ended. The caller commits the batch afterwards.
    func keepForRereading(_ states: [ReceivingState]) throws(KeyringError) {
        guard let known = keys.reread else { return }
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
        guard let session = keys.session else { return }
        do throws(KeyringError) {
            try session.update(of: keyring.account.keyring, clocks: keyring.clocks) {
                (contents) throws(KeyringError) in
                contents.reread = try contents.rereadKeys()
                    .encoded(adding: states, without: contactsToForget)
                keys.reread = try contents.rereadKeys()
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
