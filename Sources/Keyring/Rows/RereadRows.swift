internal import Crypto
internal import Protocol
internal import System

/// Reading again: what a session keeps to decrypt once more the messages that were read since it first read from
/// their contact (smsenc(7), State on disk).
///
/// Each row is sealed under the session's own key (`RereadKey`), and belongs to one contact. There are two kinds:
///
///     number     sealed record
///     0 ...      chain key (32): the receiving chain with this number, as it stood before the first message
///                that the session read from it
///     ... -1     message key (64) of a message that came late, or once more after a crash; minus the count of
///                messages received
///
/// A message that came in order costs a row only if it is the first of its chain in this session. The row is part
/// of the commit that the message needs anyway. A search steps from the stored chain key to where the chain stands
/// now: that is the contact's receiving chain, or the retired chain with the same number. It finds nothing behind
/// that place, and nothing of a chain that is no longer there.
///
/// Rows are only ever added and erased. A contact's go with the contact's chains (`clear`, `removeRing`). A session's
/// go when it ends (`Keyring.eraseReread`). What other sessions left goes in any commit, if their time is over.
extension Transaction {
    /// Keeps what reads messages of a contact again, if there is a session that keeps it. The link is to be
    /// written.
    ///
    /// - Parameters:
    ///   - chains: receiving chains as they stood before the first message that was read from them here.
    ///   - messages: keys of messages that came late or again, with the count of messages received.
    func keep(
        _ chains: [ReadChain], _ messages: [(received: UInt64, key: SpentKey)], of link: Link
    ) throws(KeyringError) {
        guard let key = keys.reread else { return }
        // Most messages are not the first of their chain.
        let isKept = link.skipped.keeper == key.tag && chains.last?.number == link.skipped.chain
        if isKept, chains.count == 1, messages.isEmpty { return }
        // A process may work on after its session has expired, but keeps nothing more.
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
        // The rows that are there are looked over first, since the time of the next look is one for all.
        try eraseRowsOfEndedSessions()
        try put(record, as: row, under: key.sealer)
        ledger.rereadExpiry = min(ledger.rereadExpiry, key.session.expiry)
    }

    /// Loads what a session keeps of a contact.
    func loadReread(
        of link: Link, under key: RereadKey
    ) throws(KeyringError) -> (chains: [ReadChain], messages: [KeptKey]) {
        var chains: [ReadChain] = []
        var messages: [KeptKey] = []
        let cursor = try rows(.reread, of: link.contact)
        while let stored = try cursor.next() {
            guard stored.row.session == key.session else { continue }
            let number = stored.row.number
            try stored.read(key.sealer) { (record) throws(Broken) in
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

    /// Erases what sessions kept that have expired or were opened in another boot.
    func eraseRowsOfEndedSessions() throws(KeyringError) {
        let (boot, now) = (keyring.bootDigest, keyring.clocks.boot())
        guard ledger.rereadBoot != boot || now >= ledger.rereadExpiry else { return }
        ledger.rereadBoot = boot
        ledger.rereadExpiry = .max
        for row in try eraseReread(where: { $0.hasEnded(at: now, inBoot: boot) }) {
            ledger.rereadExpiry = min(ledger.rereadExpiry, row.session.expiry)
        }
    }

    /// Erases the rows of some sessions.
    ///
    /// - Returns: the rows that stay.
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
    /// Erases what ended sessions kept for reading again, in a commit of its own, if there is anything.
    func eraseReread(where hasEnded: (SessionMark) -> Bool) throws(KeyringError) {
        let rows = try reading { (transaction) throws(KeyringError) in
            transaction.ledger[.reread].count
        }
        guard rows > 0 else { return }
        try commit { (transaction) throws(KeyringError) in
            let before = transaction.ledger[.reread]
            try transaction.eraseReread(where: hasEnded)
            transaction.isNeeded = transaction.ledger[.reread] != before
        }
    }

    /// Erases what a session that has ended kept for reading again, or, where `all`, what all sessions kept.
    ///
    /// - Parameter contents: what the session held, whose keys open the keyring.
    package func eraseReread(
        of session: Session, holding contents: borrowing Session.Contents, all: Bool
    ) throws(KeyringError) {
        guard contents.keyring == account.keyring else { throw .session(.otherKeyring) }
        try unlock(master: contents.master.duplicate())
        try eraseReread { all || $0.isOf(file: session.name) }
    }
}
