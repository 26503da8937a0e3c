internal import Crypto
internal import Protocol
internal import System

/// The keys that sessions store to decrypt messages again. The keys cover all messages of a contact that were
/// decrypted since the session first decrypted a message from this contact (smsenc-keyring(5), reread).
///
/// Each row is sealed under the session's own key (`RereadKey`) and belongs to one contact. There are two
/// kinds:
///
///     number     sealed record
///     0 ...      chain key (32): the receiving chain with this number, from before the first message that
///                the session decrypted with it
///     ... -1     message keys (64 each) of the messages of one commit that arrived late, or again after a
///                crash; the number is minus the count of messages received
///
/// A message that arrived in order needs a row only if it is the first message of its chain in this session.
/// The row is written in the same commit as the message's other changes. A search steps from the stored chain
/// key to the current position of the chain, which is either the receiving chain or the retired chain with
/// the same number. Keys after that position are not tried. If the chain no longer exists, no keys are tried.
///
/// Rows are only added and erased. The rows of a contact are erased with the contact's chains
/// (`ContactStore.deleteKeys`). The rows of a session are erased when the session ends
/// (`Keyring.eraseReread`). Rows that other sessions left behind are erased in any commit after these
/// sessions have expired.
struct RereadStore {
    let store: KeyringStore
    private var header: KeyringHeader { store.header }

    /// Stores the keys for rereading messages of a contact, if the open session stores such keys. The caller
    /// must save the contact's state.
    ///
    /// - Parameters:
    ///   - chains: copies of receiving chains, made before the first message was decrypted with them.
    ///   - messages: keys of messages that arrived late, or again after a crash.
    func save(
        _ chains: [ReadChain], _ messages: [SpentKey], of state: ContactState
    ) throws(KeyringError) {
        guard let key = store.keys.reread else { return }
        // Return early, because most messages are not the first of their chain.
        let isStored =
            state.skipped.rereadTag == key.tag && chains.last?.number == state.skipped.chain
        if isStored, chains.count == 1, messages.isEmpty { return }
        // A process may continue after its session has expired, but must then not store any more keys.
        guard store.keyring.clocks.boot() < key.session.expiry else { return }
        for chain in chains {
            if chain.number == state.skipped.chain { state.skipped.rereadTag = key.tag }
            let row = row(chain.number, of: state, key)
            if try store.stored(row) == nil { try save(chain.start.bytes, as: row, under: key) }
        }
        guard !messages.isEmpty else { return }
        var record = SecretWriter(capacity: MessageKey.size * messages.count)
        for key in messages { record.put(key.bytes) }
        let row = row(-Int64(clamping: state.received), of: state, key)
        try save(record.finish(), as: row, under: key)
    }

    private func row(_ number: Int64, of state: ContactState, _ key: RereadKey) -> Row {
        Row(
            .reread, id: state.contact, number: number, version: state.ring.id,
            [key.session.bytes])
    }

    private func save(
        _ record: borrowing SecretBytes, as row: Row, under key: RereadKey
    ) throws(KeyringError) {
        // Erase the rows of ended sessions first, because the header has one expiry for all rows, which is
        // lowered below.
        try eraseRowsOfEndedSessions()
        try store.save(record, as: row, under: key.sealingKey)
        header.rereadExpiry = min(header.rereadExpiry, key.session.expiry)
    }

    /// Loads the keys that a session stored for a contact.
    func load(
        of state: ContactState, under key: RereadKey
    ) throws(KeyringError) -> (chains: [ReadChain], messages: [SkippedKey]) {
        var chains: [ReadChain] = []
        var messages: [SkippedKey] = []
        try store.forEachRow(.reread, of: state.contact) { (stored) throws(KeyringError) in
            guard stored.row.session == key.session else { return }
            let number = stored.row.number
            try stored.read(key.sealingKey) { (record) throws(InvalidRecord) in
                if number < 0 {
                    while record.remaining > 0 {
                        let key = MessageKey(stored: try record.secret(MessageKey.size))
                        messages.append(SkippedKey(number: number, key: key, since: 0))
                    }
                } else {
                    let start = ChainKey(stored: try record.secret(ChainKey.size))
                    chains.append(ReadChain(number: number, start: start))
                }
            }
        }
        return (chains, messages)
    }

    /// Erases the rows of sessions that have expired or were opened before the last reboot.
    func eraseRowsOfEndedSessions() throws(KeyringError) {
        let (boot, now) = (store.keyring.file.bootDigest, store.keyring.clocks.boot())
        guard header.rereadBoot != boot || now >= header.rereadExpiry else { return }
        header.rereadBoot = boot
        let others = try erase { $0.hasEnded(at: now, inBoot: boot) }
        header.rereadExpiry = others.map { $0.session.expiry }.min() ?? .max
    }

    /// Erases the rows of sessions for which `hasEnded` returns true.
    ///
    /// - Returns: the remaining rows.
    @discardableResult
    func erase(where hasEnded: (SessionMark) -> Bool) throws(KeyringError) -> [Row] {
        var (ended, others): ([Row], [Row]) = ([], [])
        try store.forEachRow(.reread) { (stored) in
            let row = stored.row
            if hasEnded(row.session) { ended.append(row) } else { others.append(row) }
        }
        for row in ended { try store.delete(row) }
        return others
    }
}

extension Keyring {
    /// Erases the rows for rereading of sessions for which `hasEnded` returns true. If there are any rows,
    /// they are erased in a separate commit.
    func eraseReread(where hasEnded: (SessionMark) -> Bool) throws(KeyringError) {
        let rows = try reading { (store) throws(KeyringError) in store.header[.reread].count }
        guard rows > 0 else { return }
        try change { (store) throws(KeyringError) in
            let before = store.header[.reread]
            try store.reread.erase(where: hasEnded)
            store.hasChanges = store.header[.reread] != before
        }
    }
}

/// The unencrypted part of the rows for rereading, which identifies the session that stored them. This part
/// allows any process to erase the rows after the session has ended.
///
///     offset  bytes  what
///     0       16     the name of the session's file
///     16      32     SHA-256 of the boot's id
///     48      8      expiry, in seconds since that boot
struct SessionMark: Equatable {
    private static let size = 56

    let bytes: [UInt8]

    init(of name: String, boot: ArraySlice<UInt8>, expiry: ArraySlice<UInt8>) {
        bytes = (System.bytes(hex: name) ?? []) + boot + expiry
    }

    init(stored bytes: [UInt8]) { self.bytes = bytes }

    /// The time of expiry, in seconds since the session's boot.
    var expiry: Int64 {
        bytes.count == Self.size ? Int64(bitPattern: bigEndian(bytes[48..<56])) : 0
    }

    /// Returns true if the session has expired or was opened before the last reboot.
    func hasEnded(at now: Int64, inBoot boot: [UInt8]) -> Bool {
        bytes.count != Self.size || !bytes[16..<48].elementsEqual(boot) || now >= expiry
    }

    func isOf(file name: String) -> Bool { hex(Array(bytes.prefix(16))) == name }
}

/// The key under which a session seals keys for rereading. This key is stored only in the session's file.
final class RereadKey {
    let session: SessionMark
    /// The first 8 bytes of the name of the session's file, by which a contact's state refers to the session.
    let tag: UInt64
    let sealingKey: SealingKey

    init(of session: SessionMark, _ key: consuming SecretBytes) {
        self.session = session
        tag = bigEndian(session.bytes.prefix(8))
        sealingKey = SealingKey(key: key)
    }
}
