internal import Crypto
internal import Protocol
internal import System

/// Rereading: the keys that a session stores to decrypt messages once more. They cover all messages decrypted
/// since the session first decrypted one from their contact (smsenc-keyring(5), reread).
///
/// Each row is sealed under the session's own key (`RereadKey`) and belongs to one contact. There are two
/// kinds:
///
///     number     sealed record
///     0 ...      chain key (32): the receiving chain with this number, from before the first message that
///                the session decrypted with it
///     ... -1     message key (64) of a message that arrived late, or again after a crash; the number is
///                minus the count of messages received
///
/// A message that arrived in order needs a row only if it is the first of its chain in this session. The row
/// is part of the message's own commit. A search steps from the stored chain key to the current position of
/// the chain, which is either the receiving chain or the retired chain with the same number. Keys after that
/// position are not tried. If the chain no longer exists, no keys are tried.
///
/// Rows are only added and erased. The rows of a contact are erased with the contact's chains (`clear`,
/// `removeRing`). The rows of a session are erased when it ends (`Keyring.eraseReread`). Rows that other
/// sessions left behind are erased in any commit after these sessions have expired.
extension KeyringStore {
    /// Stores the keys for rereading messages of a contact, if the open session stores such keys. The caller
    /// must write the contact's state.
    ///
    /// - Parameters:
    ///   - chains: copies of receiving chains from before the first message that was decrypted with them.
    ///   - messages: keys of messages that arrived late, or again after a crash, with the count of messages
    ///     received.
    func storeForRereading(
        _ chains: [ReadChain], _ messages: [(received: UInt64, key: SpentKey)],
        of link: ContactState
    ) throws(KeyringError) {
        guard let key = keys.reread else { return }
        // Return early, because most messages are not the first of their chain.
        let isKept = link.skipped.keeper == key.tag && chains.last?.number == link.skipped.chain
        if isKept, chains.count == 1, messages.isEmpty { return }
        // A process may continue after its session has expired, but it stores nothing more.
        guard keyring.clocks.boot() < key.session.expiry else { return }
        for chain in chains {
            if chain.number == link.skipped.chain { link.skipped.keeper = key.tag }
            let row = Row.reread(
                chain.number, of: link.contact, in: link.ring.id, for: key.session)
            if try stored(row) == nil { try put(chain.start.bytes, as: row, under: key) }
        }
        for message in messages {
            let row = Row.reread(
                -Int64(clamping: message.received), of: link.contact, in: link.ring.id,
                for: key.session)
            try put(message.key.bytes, as: row, under: key)
        }
    }

    private func put(
        _ record: borrowing SecretBytes, as row: Row, under key: RereadKey
    ) throws(KeyringError) {
        // Check the existing rows first, because there is only one time for the next check of all rows.
        try eraseRowsOfEndedSessions()
        try put(record, as: row, under: key.sealer)
        ledger.rereadExpiry = min(ledger.rereadExpiry, key.session.expiry)
    }

    /// Loads the keys that a session stored for a contact.
    func loadReread(
        of link: ContactState, under key: RereadKey
    ) throws(KeyringError) -> (chains: [ReadChain], messages: [KeptKey]) {
        var chains: [ReadChain] = []
        var messages: [KeptKey] = []
        let cursor = try rows(.reread, of: link.contact)
        while let stored = try cursor.next() {
            guard stored.row.session == key.session else { continue }
            let number = stored.row.number
            try stored.read(key.sealer) { (record) throws(InvalidRecord) in
                if number < 0 {
                    let key = MessageKey(stored: try record.secret(MessageKey.size))
                    messages.append(KeptKey(number: number, key: key, since: 0))
                } else {
                    let start = ChainKey(stored: try record.secret(ChainKey.size))
                    chains.append(ReadChain(number: number, start: start))
                }
            }
        }
        return (chains, messages)
    }

    /// Erases the rows of sessions that have expired or were opened in another boot.
    func eraseRowsOfEndedSessions() throws(KeyringError) {
        let (boot, now) = (keyring.file.bootDigest, keyring.clocks.boot())
        guard ledger.rereadBoot != boot || now >= ledger.rereadExpiry else { return }
        ledger.rereadBoot = boot
        ledger.rereadExpiry = .max
        for row in try eraseReread(where: { $0.hasEnded(at: now, inBoot: boot) }) {
            ledger.rereadExpiry = min(ledger.rereadExpiry, row.session.expiry)
        }
    }

    /// Erases the rows of sessions for which `hasEnded` returns true.
    ///
    /// - Returns: the remaining rows.
    @discardableResult
    func eraseReread(where hasEnded: (SessionMark) -> Bool) throws(KeyringError) -> [Row] {
        var (ended, others): ([Row], [Row]) = ([], [])
        let cursor = try rows(.reread)
        while let row = try cursor.next()?.row {
            if hasEnded(row.session) { ended.append(row) } else { others.append(row) }
        }
        for row in ended { try drop(row) }
        return others
    }
}

extension Keyring {
    /// Erases the rows of sessions for which `hasEnded` returns true, in a commit of its own, if there are
    /// any rows.
    func eraseReread(where hasEnded: (SessionMark) -> Bool) throws(KeyringError) {
        let rows = try reading { (store) throws(KeyringError) in
            store.ledger[.reread].count
        }
        guard rows > 0 else { return }
        try change { (store) throws(KeyringError) in
            let before = store.ledger[.reread]
            try store.eraseReread(where: hasEnded)
            store.isNeeded = store.ledger[.reread] != before
        }
    }
}
