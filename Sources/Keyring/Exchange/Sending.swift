internal import Crypto
internal import Protocol
internal import System

/// A batch of messages to send that share one commit (smsenc-protocol(7), Stored state). The steps are:
///
///     pass      encrypts a message within a transaction; if the transaction is dropped, nothing has happened
///     commit    makes the new state durable, and counts the keys in flight; then output may be written
///     finish    records that the keys are no longer in flight, and takes back unused keys
///
/// Messages must be passed in the order of their records. If the result is `full`, the limit of keys in
/// flight or memory is reached, and the batch must be committed.
package struct Sending: ~Copyable {
    /// Maximum number of a contact's message keys in flight, including discarded keys. With this limit, the
    /// keys lost in a crash are fewer than the 128 keys that the contact tries ahead.
    package static let longestFlight = 100

    private let store: KeyringStore
    private var transaction: WriteTransaction?
    /// True once the batch is committed and something was encrypted.
    private var isCommitted = false
    private var cipher = Cipher()
    private var links = OpenContactStates<SendingLink>()
    /// For each message its contact, and the number of keys taken from that contact's chain up to and
    /// including it.
    private(set) var messages: [(contact: Int64, keysTaken: Int)] = []
    private let flights: InFlightKeys

    /// Begins a batch. A batch must not wait for anything, because other processes wait for its commit.
    ///
    /// - Throws: `moved` or `behind` for a copied keyring; `busy`.
    package init(with keyring: Keyring) throws(KeyringError) {
        let begun = try WriteTransaction.change(keyring)
        flights = try InFlightKeys(in: begun.store)
        store = begun.store
        transaction = consume begun
    }

    /// Encrypts a frame for a contact.
    ///
    /// - Parameter symbols: a frame of 160 symbols, which becomes a ciphertext if it is encrypted.
    /// - Throws: `damaged`, `failed` and similar. The whole batch is then undone.
    package mutating func pass(
        _ symbols: inout MutableSpan<UInt8>, of contact: Int64
    ) throws(KeyringError) -> ExchangeResult {
        guard links.hasRoom(for: contact) else { return .not(.full) }
        guard let open = try links.open(contact, in: store) else { return .not(.gone) }
        guard open.link.hasConversation else { return .not(.notReady(ContactSummary(open.link))) }
        let room = flights.room(for: contact)
        guard open.keysTaken < room,
            try open.send(&symbols, room: room, at: store.timeOfUse, &cipher)
        else {
            return .not(.full)
        }
        messages.append((contact, open.keysTaken))
        return .done(ContactSummary(open.link, isSent: true), nil)
    }

    /// Commits the batch. When this returns, the commit is durable and its count is in the rollback note. If
    /// this fails, nothing has changed, or the keys are taken back.
    ///
    /// - Throws: `full`, `failed`, `noNote` and similar.
    package mutating func commit() throws(KeyringError) {
        var taken: [Int64: Int] = [:]
        for (contact, open) in links.all where open.keysTaken > 0 {
            try store.put(open.link)
            taken[contact] = open.keysTaken
        }
        guard !taken.isEmpty else { return transaction = nil }
        try store.put(taken, inFlightOf: store.keyring.file.mark.text)
        do throws(KeyringError) {
            isCommitted = try transaction.take()?.commit() ?? false
        } catch {
            // The commit is durable but not noted, and nothing was written. If this fails as well, the keys are
            // lost, but nobody has seen them.
            if case .copy(.noNote) = error { try? takeBack(to: 0) }
            throw error
        }
    }

    /// Ends the batch. The keys of ciphertexts that were not written return to the chain, unless another
    /// process has moved the chain since. The contact then sees them as missing messages.
    ///
    /// - Parameter count: number of messages, from the first, of which at least one byte may have been
    ///   written, or nil for all.
    /// - Throws: `full`, `failed` and similar. The output is not affected.
    package consuming func finish(out count: Int? = nil) throws(KeyringError) {
        if let count, count < messages.count { return try takeBack(to: count) }
        guard isCommitted else { return }
        let passed = Set(messages.map { $0.contact })
        try store.keyring.cleanUp { (store) throws(KeyringError) in
            try InFlightKeys(in: store).clearInFlight(in: store, passed)
        }
    }

    private mutating func takeBack(to count: Int) throws(KeyringError) {
        let (out, back) = (messages[..<count], messages[count...])
        let transaction = try WriteTransaction.change(self.store.keyring)
        let store = transaction.store
        store.isNeeded = false
        try InFlightKeys(in: store).clearInFlight(
            in: store, Set(out.map { $0.contact }))
        for (contact, open) in links.all {
            let stays = out.last { $0.contact == contact }?.keysTaken ?? 0
            guard stays < open.keysTaken, let start = open.chain(after: stays, &cipher),
                let end = open.chain(after: open.keysTaken, &cipher),
                let present = try store.link(contact),
                present.conversation?.sending.chain.isAtSamePosition(as: end) == true
            else { continue }
            present.returnSending(to: start, messages: back.count { $0.contact == contact })
            try store.put(present)
            store.isNeeded = true
        }
        try transaction.commit()
    }
}

extension KeyringStore {
    /// The time to display for a message, or `SkippedKeys.untimed` if the clock could not be right.
    var timeOfUse: Int64 { keyring.clocks.plausibleWallTime ?? SkippedKeys.untimed }

    /// Returns the result that a message to a contact would have in this state of the keyring.
    package func outlook(for contact: Int64) throws(KeyringError) -> ExchangeResult {
        guard let link = try link(contact) else { return .not(.gone) }
        let standing = ContactSummary(link)
        return link.hasConversation ? .done(standing, nil) : .not(.notReady(standing))
    }
}

/// A contact's state, with the messages encrypted in this batch.
private final class SendingLink: OpenLink {
    let link: ContactState
    /// Number of message keys taken from the sending chain, including discarded keys.
    private(set) var keysTaken = 0
    /// The sending chain as it was before the first message key was taken, with the next key already mixed
    /// in. Nil if none was taken.
    private var chainAtStart: ChainKey?

    init(_ link: ContactState) { self.link = link }

    /// Encrypts a frame. Returns false if all keys within `room` had to be discarded.
    ///
    /// - Precondition: there is a conversation, and `room` is more than the keys taken.
    func send(
        _ symbols: inout MutableSpan<UInt8>, room: Int, at now: Int64, _ cipher: inout Cipher
    ) throws(KeyringError) -> Bool {
        if keysTaken == 0 {
            // Mix before copying the chain, because keys that are taken back return to this position, and the
            // mixing stays.
            link.conversation?.mixPendingNextKey(&cipher)
            chainAtStart = link.conversation?.sending.chain.fork()
        }
        let limit = room - keysTaken
        let sent = try cryptography(link.conversation?.send(&symbols, limit: limit, &cipher))
        guard let sent else { return false }
        keysTaken += sent.keys
        guard sent.isWritten else { return false }
        link.sent += 1
        link.unconfirmed &+= 1
        link.lastUse = now
        return true
    }

    /// Returns the sending chain after the first `keys` keys that were taken.
    func chain(after keys: Int, _ cipher: inout Cipher) -> ChainKey? {
        guard var chain = chainAtStart?.fork() else { return nil }
        chain.skip(keys, &cipher)
        return chain
    }
}

extension ContactState {
    /// Moves the sending chain back to an earlier position, and reduces the counts of messages.
    fileprivate func returnSending(to chain: consuming ChainKey, messages: Int) {
        conversation?.sending.chain = chain
        sent -= min(sent, UInt64(messages))
        // A message may have been proved read since, which set this count to zero.
        unconfirmed -= min(unconfirmed, UInt32(messages))
    }
}
